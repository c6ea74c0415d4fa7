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

// A bound that is a multiple of 16 masks whole vectors; any other may cut one.
// CHECK-LABEL: @mask_of_a_divisible_bound_keeps_vectors
func.func @mask_of_a_divisible_bound_keeps_vectors(%p: !tile.ptr<f32> {tile.divisibility = 16 : i64},
                                                   %n: i32 {tile.divisibility = 16 : i64}, %m: i32) {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %i = tile.iota : tensor<1024xi32>
  %q = tile.ptr_add %ps, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %ns = tile.splat %n : i32 -> tensor<1024xi32>
  %mask = arith.cmpi slt, %i, %ns : tensor<1024xi32>
  // CHECK: tile.load {{.*}}width = 4 : i32
  %v = tile.load %q mask %mask : tensor<1024x!tile.ptr<f32>>
  %ms = tile.splat %m : i32 -> tensor<1024xi32>
  %cut = arith.cmpi slt, %i, %ms : tensor<1024xi32>
  // CHECK: tile.store {{.*}}width = 1 : i32
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
