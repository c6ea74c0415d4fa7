// RUN: trowel-opt %s -tile-pad-extents | FileCheck %s
// RUN: trowel-opt %s -tile-pad-extents -tile-coalesce -tile-coarsen -tile-assign-layouts | FileCheck %s --check-prefix=LAYOUT
// RUN: trowel-opt %s -tile-pad-extents -tile-coalesce -tile-coarsen -tile-assign-layouts -tile-lower-to-nvvm | FileCheck %s --check-prefix=LOWERED

// CHECK-LABEL: func.func @padding_is_masked
// 3000 is a multiple of 8, so accesses stay 16 bytes wide.
// LAYOUT-LABEL: func.func @padding_is_masked
// LAYOUT: tile.load {{.*}}width = 4 : i32
// 3000 elements over 256 threads of 4 a time are three accesses, not four.
// LOWERED-LABEL: llvm.func @padding_is_masked
// LOWERED-COUNT-3: ld.global.v4.b32
// LOWERED-NOT: ld.global
// LOWERED-COUNT-3: st.global.v4.b32
// LOWERED-NOT: st.global
// LOWERED: llvm.return
func.func @padding_is_masked(%p: !tile.ptr<f32> {tile.divisibility = 16 : i64}) attributes {tile.kernel} {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<3000x!tile.ptr<f32>>
  %i = tile.iota : tensor<3000xi32>
  %q = tile.ptr_add %ps, %i : tensor<3000x!tile.ptr<f32>>, tensor<3000xi32>
  // CHECK: tile.ptr_add
  // CHECK: %[[INDEX:.*]] = tile.iota : tensor<3000xi32>
  // CHECK: %[[EXTENT:.*]] = arith.constant dense<3000>
  // CHECK: %[[INSIDE:.*]] = arith.cmpi slt, %[[INDEX]], %[[EXTENT]]
  // CHECK: tile.load %{{.*}} mask %[[INSIDE]]
  %v = tile.load %q : tensor<3000x!tile.ptr<f32>>
  tile.store %q, %v : tensor<3000x!tile.ptr<f32>>
  return
}

// CHECK-LABEL: func.func @padding_joins_the_mask
// 3001 is odd: no two elements share their mask.
// LAYOUT-LABEL: func.func @padding_joins_the_mask
// LAYOUT: tile.load {{.*}}width = 1 : i32
func.func @padding_joins_the_mask(%p: !tile.ptr<f32> {tile.divisibility = 16 : i64}, %m: i1) attributes {tile.kernel} {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<3001x!tile.ptr<f32>>
  %i = tile.iota : tensor<3001xi32>
  %q = tile.ptr_add %ps, %i : tensor<3001x!tile.ptr<f32>>, tensor<3001xi32>
  %ms = tile.splat %m : i1 -> tensor<3001xi1>
  // CHECK: %[[BOTH:.*]] = arith.andi
  // CHECK: tile.load %{{.*}} mask %[[BOTH]]
  %v = tile.load %q mask %ms : tensor<3001x!tile.ptr<f32>>
  tile.store %q, %v : tensor<3001x!tile.ptr<f32>>
  return
}

// Only the axis that has padding is masked.
// CHECK-LABEL: func.func @one_axis_of_two
func.func @one_axis_of_two(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<6x8x!tile.ptr<f32>>
  // CHECK: %[[ROW:.*]] = arith.cmpi slt, %{{.*}} : tensor<6xi32>
  // CHECK: %[[COLUMN:.*]] = tile.expand %[[ROW]] axis 1 : tensor<6xi1> -> tensor<6x1xi1>
  // CHECK: %[[MASK:.*]] = tile.broadcast %[[COLUMN]] : tensor<6x1xi1> -> tensor<6x8xi1>
  // CHECK: tile.load %{{.*}} mask %[[MASK]]
  %v = tile.load %ps : tensor<6x8x!tile.ptr<f32>>
  // CHECK: tile.store
  tile.store %ps, %v : tensor<6x8x!tile.ptr<f32>>
  return
}

// CHECK-LABEL: func.func @powers_of_two_need_no_mask
func.func @powers_of_two_need_no_mask(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  // CHECK-NOT: mask
  %v = tile.load %ps : tensor<8x!tile.ptr<f32>>
  tile.store %ps, %v : tensor<8x!tile.ptr<f32>>
  return
}
