// RUN: trowel-opt %s -tile-coalesce -tile-coarsen -tile-assign-layouts | FileCheck %s

// CHECK-DAG: #[[LINE:.*]] = #tile.layout<blocked<registers = [4], lanes = [32], warps = [8], order = [0]>>
// CHECK-DAG: #[[COLUMNS:.*]] = #tile.layout<slice<axis = 1, extent = 128, blocked<registers = [4, 1], lanes = [32, 1], warps = [1, 16], order = [1, 0]>>>
// CHECK-DAG: #[[ROWS:.*]] = #tile.layout<slice<axis = 1, extent = 128, blocked<registers = [1, 4], lanes = [1, 32], warps = [16, 1], order = [1, 0]>>, extents = [128]>
// CHECK-DAG: #[[PLANE:.*]] = #tile.layout<blocked<registers = [1, 4], lanes = [1, 32], warps = [16, 1], order = [1, 0]>, extents = [128, 128]>
// CHECK-DAG: #[[COLUMN:.*]] = #tile.layout<blocked<registers = [4, 1], lanes = [1, 32], warps = [1, 1], order = [1, 0]>>

// CHECK-LABEL: @shape_takes_its_accesses_layout
func.func @shape_takes_its_accesses_layout(%p: !tile.ptr<f32> {tile.divisibility = 16 : i64}) attributes {tile.kernel} {
  // CHECK: tile.iota : tensor<1024xi32, #[[LINE]]>
  // CHECK: tile.load %{{.*}} {width = 4 : i32} : tensor<1024x!tile.ptr<f32>, #[[LINE]]>
  // CHECK: tile.store %{{.*}} {width = 4 : i32} : tensor<1024x!tile.ptr<f32>, #[[LINE]]>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %i = tile.iota : tensor<1024xi32>
  %q = tile.ptr_add %ps, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = tile.load %q : tensor<1024x!tile.ptr<f32>>
  tile.store %q, %v : tensor<1024x!tile.ptr<f32>>
  return
}

// One iota, wanted along both axes of a plane, is computed twice.
// CHECK-LABEL: @value_wanted_in_two_layouts_is_computed_twice
func.func @value_wanted_in_two_layouts_is_computed_twice(%p: !tile.ptr<f32> {tile.divisibility = 16 : i64}) attributes {tile.kernel} {
  // CHECK-DAG: tile.iota : tensor<128xi32, #[[COLUMNS]]>
  // CHECK-DAG: tile.iota : tensor<128xi32, #[[ROWS]]>
  %i = tile.iota : tensor<128xi32>
  %r = tile.expand %i axis 1 : tensor<128xi32> -> tensor<128x1xi32>
  %pitch = arith.constant dense<128> : tensor<128x1xi32>
  %rp = arith.muli %r, %pitch : tensor<128x1xi32>
  %r2 = tile.broadcast %rp : tensor<128x1xi32> -> tensor<128x128xi32>
  %c = tile.expand %i axis 0 : tensor<128xi32> -> tensor<1x128xi32>
  %c2 = tile.broadcast %c : tensor<1x128xi32> -> tensor<128x128xi32>
  %o = arith.addi %r2, %c2 : tensor<128x128xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<128x128x!tile.ptr<f32>>
  %q = tile.ptr_add %ps, %o : tensor<128x128x!tile.ptr<f32>>, tensor<128x128xi32>
  %v = tile.load %q : tensor<128x128x!tile.ptr<f32>>
  // CHECK: tile.store %{{.*}} {width = 4 : i32} : tensor<128x128x!tile.ptr<f32>, #[[PLANE]]>
  tile.store %q, %v : tensor<128x128x!tile.ptr<f32>>
  return
}

// Two accesses of one shape count up along different axes. The wider elements win; the other access keeps
// no vector, since its neighbours do not sit in one thread.
// CHECK-LABEL: @loser_of_the_layout_is_narrow_not_wrong
func.func @loser_of_the_layout_is_narrow_not_wrong(
    %p: !tile.ptr<bf16> {tile.divisibility = 16 : i64}, %s: !tile.ptr<f32> {tile.divisibility = 16 : i64}) attributes {tile.kernel} {
  %i = tile.iota : tensor<64xi32>
  %j = tile.iota : tensor<64xi32>
  %pitch = arith.constant dense<64> : tensor<64x64xi32>
  %r = tile.expand %i axis 1 : tensor<64xi32> -> tensor<64x1xi32>
  %r2 = tile.broadcast %r : tensor<64x1xi32> -> tensor<64x64xi32>
  %c = tile.expand %j axis 0 : tensor<64xi32> -> tensor<1x64xi32>
  %c2 = tile.broadcast %c : tensor<1x64xi32> -> tensor<64x64xi32>
  %rp = arith.muli %r2, %pitch : tensor<64x64xi32>
  %rowMajor = arith.addi %rp, %c2 : tensor<64x64xi32>
  %cp = arith.muli %c2, %pitch : tensor<64x64xi32>
  %columnMajor = arith.addi %r2, %cp : tensor<64x64xi32>
  %ps = tile.splat %p : !tile.ptr<bf16> -> tensor<64x64x!tile.ptr<bf16>>
  %q = tile.ptr_add %ps, %columnMajor : tensor<64x64x!tile.ptr<bf16>>, tensor<64x64xi32>
  // CHECK: tile.load {{.*}}width = 1 : i32
  %v = tile.load %q : tensor<64x64x!tile.ptr<bf16>>
  %f = arith.extf %v : tensor<64x64xbf16> to tensor<64x64xf32>
  %ss = tile.splat %s : !tile.ptr<f32> -> tensor<64x64x!tile.ptr<f32>>
  %t = tile.ptr_add %ss, %rowMajor : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  // CHECK: tile.store {{.*}}width = 4 : i32
  tile.store %t, %f : tensor<64x64x!tile.ptr<f32>>
  return
}

// A thread holds a whole column, which is what moves together, and not its neighbours in the row.
// CHECK-LABEL: @whole_columns_move_together
func.func @whole_columns_move_together(%p: !tile.ptr<f32> {tile.divisibility = 16 : i64}) attributes {tile.kernel} {
  %i = tile.iota : tensor<4xi32>
  %r = tile.expand %i axis 1 : tensor<4xi32> -> tensor<4x1xi32>
  %r2 = tile.broadcast %r : tensor<4x1xi32> -> tensor<4x32xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<4x32x!tile.ptr<f32>>
  %q = tile.ptr_add %ps, %r2 : tensor<4x32x!tile.ptr<f32>>, tensor<4x32xi32>
  // CHECK: tile.store %{{.*}} {width = 4 : i32} : tensor<4x32x!tile.ptr<f32>, #[[COLUMN]]>
  %zero = arith.constant dense<0.0> : tensor<4x32xf32>
  tile.store %q, %zero : tensor<4x32x!tile.ptr<f32>>
  return
}

// What has effects is done once, though nobody wants its result; of a shape without accesses as well.
// CHECK-LABEL: @effects_happen_once
func.func @effects_happen_once(%n: i32) attributes {tile.kernel, tile.warps = 2 : i64} {
  %t = tile.splat %n : i32 -> tensor<6xi32>
  // CHECK-COUNT-1: tile.inline_ptx {{.*}} -> tensor<6xi32, #{{.*}}>
  // CHECK-NOT: tile.inline_ptx
  %u = tile.inline_ptx "nanosleep.u32 $1; mov.b32 $0, 1;" (%t) : (tensor<6xi32>) -> tensor<6xi32>
  %v = tile.inline_ptx "neg.s32 $0, $1;" pure (%t) : (tensor<6xi32>) -> tensor<6xi32>
  return
}
