// RUN: trowel-opt %s -tile-coalesce | FileCheck %s

// CHECK-DAG: #[[COLUMNS:.*]] = #tile.layout<blocked<registers = [4, 1], lanes = [16, 2], warps = [1, 1], order = [0, 1]>, extents = [64, 8]>

// CHECK-LABEL: @aligned_pointers_move_16_bytes
func.func @aligned_pointers_move_16_bytes(%p: !tile.ptr<f32> {tile.divisibility = 16 : i64}) {
  // CHECK: tile.load {{.*}}layout = #[[L:.*]], width = 4 : i32
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %i = tile.iota : tensor<1024xi32>
  %q = tile.ptr_add %ps, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = tile.load %q : tensor<1024x!tile.ptr<f32>>
  tile.store %q, %v : tensor<1024x!tile.ptr<f32>>
  return
}

// CHECK-LABEL: @unaligned_pointers_move_single_elements
func.func @unaligned_pointers_move_single_elements(%p: !tile.ptr<f32>) {
  // CHECK: tile.load {{.*}}width = 1 : i32
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %i = tile.iota : tensor<1024xi32>
  %q = tile.ptr_add %ps, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = tile.load %q : tensor<1024x!tile.ptr<f32>>
  tile.store %q, %v : tensor<1024x!tile.ptr<f32>>
  return
}

// CHECK-LABEL: @halves_move_by_eight
func.func @halves_move_by_eight(%p: !tile.ptr<bf16> {tile.divisibility = 16 : i64}) {
  // CHECK: tile.load {{.*}}width = 8 : i32
  %ps = tile.splat %p : !tile.ptr<bf16> -> tensor<1024x!tile.ptr<bf16>>
  %i = tile.iota : tensor<1024xi32>
  %q = tile.ptr_add %ps, %i : tensor<1024x!tile.ptr<bf16>>, tensor<1024xi32>
  %v = tile.load %q : tensor<1024x!tile.ptr<bf16>>
  tile.store %q, %v : tensor<1024x!tile.ptr<bf16>>
  return
}

// A bound that is a multiple of 16 masks whole vectors; any other may cut one of them.
// CHECK-LABEL: @mask_of_a_divisible_bound_keeps_vectors
func.func @mask_of_a_divisible_bound_keeps_vectors(%p: !tile.ptr<f32> {tile.divisibility = 16 : i64},
                                                   %n: i32 {tile.divisibility = 16 : i64}, %m: i32) {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %i = tile.iota : tensor<1024xi32>
  %q = tile.ptr_add %ps, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %ns = tile.splat %n : i32 -> tensor<1024xi32>
  %mask = arith.cmpi slt, %i, %ns : tensor<1024xi32>
  // CHECK: tile.load
  // CHECK-NOT: mask_run
  // CHECK-SAME: width = 4 : i32
  %v = tile.load %q mask %mask : tensor<1024x!tile.ptr<f32>>
  %ms = tile.splat %m : i32 -> tensor<1024xi32>
  %cut = arith.cmpi slt, %i, %ms : tensor<1024xi32>
  // CHECK: tile.store {{.*}}mask_run = 1 : i32{{.*}}width = 4 : i32
  tile.store %q, %v mask %cut : tensor<1024x!tile.ptr<f32>>
  return
}

// Columns of a matrix count up along axis 0: the lanes follow.
// CHECK-LABEL: @lanes_follow_the_axis_that_counts_up
func.func @lanes_follow_the_axis_that_counts_up(%p: !tile.ptr<f32> {tile.divisibility = 16 : i64}) {
  %rows = tile.iota : tensor<64xi32>
  %r = tile.expand %rows axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %r2 = tile.broadcast %r : tensor<64x1xi32> -> tensor<64x8xi32>
  %columns = tile.iota : tensor<8xi32>
  %c = tile.expand %columns axis 0 : tensor<8xi32> -> tensor<1x8xi32>
  %pitch = arith.constant dense<1024> : tensor<1x8xi32>
  %cp = arith.muli %c, %pitch : tensor<1x8xi32>
  %c2 = tile.broadcast %cp : tensor<1x8xi32> -> tensor<64x8xi32>
  %o = arith.addi %r2, %c2 : tensor<64x8xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x8x!tile.ptr<f32>>
  %q = tile.ptr_add %ps, %o : tensor<64x8x!tile.ptr<f32>>, tensor<64x8xi32>
  // CHECK: tile.load {{.*}}layout = #[[COLUMNS]], width = 4 : i32
  %v = tile.load %q : tensor<64x8x!tile.ptr<f32>>
  tile.store %q, %v : tensor<64x8x!tile.ptr<f32>>
  return
}

// Padding begins between instructions, also where no mask of it is left.
// CHECK-LABEL: @elements_do_not_move_with_padding
func.func @elements_do_not_move_with_padding(%p: !tile.ptr<bf16> {tile.divisibility = 16 : i64}) {
  // CHECK: tile.load {{.*}}width = 2 : i32
  %ps = tile.splat %p : !tile.ptr<bf16> -> tensor<6x!tile.ptr<bf16>>
  %i = tile.iota : tensor<6xi32>
  %q = tile.ptr_add %ps, %i : tensor<6x!tile.ptr<bf16>>, tensor<6xi32>
  %none = arith.constant dense<false> : tensor<6xi1>
  %v = tile.load %q mask %none : tensor<6x!tile.ptr<bf16>>
  tile.store %q, %v : tensor<6x!tile.ptr<bf16>>
  return
}

// A promise makes masks equal for a whole vector, but elements that it should not have let through are kept out.
// CHECK-LABEL: @promised_bound
func.func @promised_bound(%p: !tile.ptr<f32> {tile.divisibility = 16 : i64}, %n: i32) {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %i = tile.iota : tensor<1024xi32>
  %q = tile.ptr_add %ps, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %m = tile.multiple_of %n, 4 : i32
  %ns = tile.splat %m : i32 -> tensor<1024xi32>
  %mask = arith.cmpi slt, %i, %ns : tensor<1024xi32>
  // CHECK: tile.load {{.*}}mask_promised, mask_run = 1 : i32{{.*}}width = 4 : i32
  %v = tile.load %q mask %mask : tensor<1024x!tile.ptr<f32>>
  tile.store %q, %v : tensor<1024x!tile.ptr<f32>>
  return
}

// CHECK-LABEL: @promised_pointer
func.func @promised_pointer(%p: !tile.ptr<f32>) {
  %a = tile.multiple_of %p, 24 : !tile.ptr<f32>
  %ps = tile.splat %a : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %i = tile.iota : tensor<1024xi32>
  %q = tile.ptr_add %ps, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  // CHECK: tile.load {{.*}}width = 2 : i32
  %v = tile.load %q : tensor<1024x!tile.ptr<f32>>
  tile.store %q, %v : tensor<1024x!tile.ptr<f32>>
  return
}

// A mask that may change anywhere decides the width: vectors of a thread would be cut everywhere.
// CHECK-LABEL: @irregular_masks
func.func @irregular_masks(%p: !tile.ptr<f32> {tile.divisibility = 16 : i64}, %b: !tile.ptr<i1>) {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %bs = tile.splat %b : !tile.ptr<i1> -> tensor<1024x!tile.ptr<i1>>
  %i = tile.iota : tensor<1024xi32>
  %q = tile.ptr_add %ps, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %bq = tile.ptr_add %bs, %i : tensor<1024x!tile.ptr<i1>>, tensor<1024xi32>
  %loaded = tile.load %bq : tensor<1024x!tile.ptr<i1>>
  // CHECK: tile.load {{.*}}width = 1 : i32
  %v = tile.load %q mask %loaded : tensor<1024x!tile.ptr<f32>>
  %three = arith.constant dense<3> : tensor<1024xi32>
  %zero = arith.constant dense<0> : tensor<1024xi32>
  %rest = tile.rem %i, %three : tensor<1024xi32>
  %third = arith.cmpi eq, %rest, %zero : tensor<1024xi32>
  // CHECK: tile.store {{.*}}width = 1 : i32
  tile.store %q, %v mask %third : tensor<1024x!tile.ptr<f32>>
  return
}

// Bounds on both axes; the one along which lanes lie cuts vectors, the other does not.
// CHECK-LABEL: @bounds_on_two_axes
func.func @bounds_on_two_axes(%p: !tile.ptr<bf16> {tile.divisibility = 16 : i64}, %h: i32, %w: i32) {
  %rows = tile.iota : tensor<8xi32>
  %r = tile.expand %rows axis 1 : tensor<8xi32> -> tensor<8x1xi32>
  %columns = tile.iota : tensor<64xi32>
  %c = tile.expand %columns axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %hs = tile.splat %h : i32 -> tensor<8x1xi32>
  %ws = tile.splat %w : i32 -> tensor<1x64xi32>
  %rm = arith.cmpi slt, %r, %hs : tensor<8x1xi32>
  %cm = arith.cmpi slt, %c, %ws : tensor<1x64xi32>
  %rm2 = tile.broadcast %rm : tensor<8x1xi1> -> tensor<8x64xi1>
  %cm2 = tile.broadcast %cm : tensor<1x64xi1> -> tensor<8x64xi1>
  %mask = arith.andi %rm2, %cm2 : tensor<8x64xi1>
  %pitch = arith.constant dense<512> : tensor<8x1xi32>
  %rp = arith.muli %r, %pitch : tensor<8x1xi32>
  %rp2 = tile.broadcast %rp : tensor<8x1xi32> -> tensor<8x64xi32>
  %c2 = tile.broadcast %c : tensor<1x64xi32> -> tensor<8x64xi32>
  %o = arith.addi %rp2, %c2 : tensor<8x64xi32>
  %ps = tile.splat %p : !tile.ptr<bf16> -> tensor<8x64x!tile.ptr<bf16>>
  %q = tile.ptr_add %ps, %o : tensor<8x64x!tile.ptr<bf16>>, tensor<8x64xi32>
  // CHECK: tile.load {{.*}}mask_run = 1 : i32{{.*}}width = 8 : i32
  %v = tile.load %q mask %mask : tensor<8x64x!tile.ptr<bf16>>
  // CHECK: tile.store {{.*}}width = 8 : i32
  // CHECK-NOT: mask_run
  tile.store %q, %v mask %rm2 : tensor<8x64x!tile.ptr<bf16>>
  return
}
