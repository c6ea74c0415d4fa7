// RUN: trowel-opt %s -split-input-file -verify-diagnostics -tile-coalesce -tile-coarsen | FileCheck %s
// RUN: trowel-opt %s -split-input-file -tile-coalesce "-tile-coarsen=warps=4" | FileCheck %s --check-prefix=WARPS
// RUN: trowel-opt %s -split-input-file -tile-coalesce "-tile-coarsen=elements-per-thread=16" | FileCheck %s --check-prefix=ELEMENTS

// One access of 16 bytes a thread.
// CHECK: #[[L:.*]] = #tile.layout<blocked<registers = [4], lanes = [32], warps = [8], order = [0]>>
// CHECK: func.func @one_wide_access_a_thread({{.*}}tile.warps = 8
// WARPS: #{{.*}} = #tile.layout<blocked<registers = [4], lanes = [32], warps = [4], order = [0]>, extents = [1024]>
// WARPS: func.func @one_wide_access_a_thread({{.*}}tile.warps = 4
// ELEMENTS: func.func @one_wide_access_a_thread({{.*}}tile.warps = 2
func.func @one_wide_access_a_thread(%p: !tile.ptr<f32> {tile.divisibility = 16 : i64}) attributes {tile.kernel} {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %i = tile.iota : tensor<1024xi32>
  %q = tile.ptr_add %ps, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  // CHECK: tile.load {{.*}}layout = #[[L]]
  %v = tile.load %q : tensor<1024x!tile.ptr<f32>>
  tile.store %q, %v : tensor<1024x!tile.ptr<f32>>
  return
}

// -----

// A kernel of scalars needs one warp.
// CHECK: func.func @scalars_take_one_warp({{.*}}tile.warps = 1
func.func @scalars_take_one_warp(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %v = tile.load %p : !tile.ptr<f32>
  tile.store %p, %v : !tile.ptr<f32>
  return
}

// -----

// Beyond 32 elements a thread, more warps are taken.
// CHECK: func.func @large_tiles_take_more_warps({{.*}}tile.warps = 16
func.func @large_tiles_take_more_warps(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<16384x!tile.ptr<f32>>
  %i = tile.iota : tensor<16384xi32>
  %q = tile.ptr_add %ps, %i : tensor<16384x!tile.ptr<f32>>, tensor<16384xi32>
  %v = tile.load %q : tensor<16384x!tile.ptr<f32>>
  tile.store %q, %v : tensor<16384x!tile.ptr<f32>>
  return
}

// -----

// Threads that hold whole columns are explained by either order of the axes; it is the columns that are
// contiguous.
// CHECK: #[[COLUMNS:.*]] = #tile.layout<blocked<registers = [4, 1], lanes = [1, 32], warps = [1, 2], order = [1, 0]>>
// CHECK: func.func @whole_columns_stay_columns
func.func @whole_columns_stay_columns(%p: !tile.ptr<f32> {tile.divisibility = 16 : i64}) attributes {tile.kernel} {
  %i = tile.iota : tensor<4xi32>
  %r = tile.expand %i axis 1 : tensor<4xi32> -> tensor<4x1xi32>
  %r2 = tile.broadcast %r : tensor<4x1xi32> -> tensor<4x64xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<4x64x!tile.ptr<f32>>
  %q = tile.ptr_add %ps, %r2 : tensor<4x64x!tile.ptr<f32>>, tensor<4x64xi32>
  // CHECK: tile.load {{.*}}layout = #[[COLUMNS]], width = 4
  %v = tile.load %q : tensor<4x64x!tile.ptr<f32>>
  tile.store %q, %v : tensor<4x64x!tile.ptr<f32>>
  return
}

// -----

// Rows that are summed are spread over warps by rows, so that a row's elements meet in one warp.
// CHECK: #[[ROWS:.*]] = #tile.layout<blocked<registers = [1, 4], lanes = [1, 32], warps = [4, 1], order = [1, 0]>, extents = [4, 512]>
// CHECK: func.func @a_row_meets_in_one_warp({{.*}}tile.warps = 4
func.func @a_row_meets_in_one_warp(%p: !tile.ptr<f32> {tile.divisibility = 16 : i64}, %y: tensor<4x!tile.ptr<f32>>) attributes {tile.kernel} {
  %i = tile.iota : tensor<512xi32>
  %r = tile.expand %i axis 0 : tensor<512xi32> -> tensor<1x512xi32>
  %r2 = tile.broadcast %r : tensor<1x512xi32> -> tensor<4x512xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<4x512x!tile.ptr<f32>>
  %q = tile.ptr_add %ps, %r2 : tensor<4x512x!tile.ptr<f32>>, tensor<4x512xi32>
  // CHECK: tile.load {{.*}}layout = #[[ROWS]], width = 4
  %v = tile.load %q : tensor<4x512x!tile.ptr<f32>>
  %s = tile.reduce %v axis 1 : (tensor<4x512xf32>) -> tensor<4xf32> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  tile.store %y, %s : tensor<4x!tile.ptr<f32>>
  return
}

// -----

// What is combined takes room in registers, though nothing accesses it.
// CHECK: func.func @combined_tiles_take_warps({{.*}}tile.warps = 16
func.func @combined_tiles_take_warps(%p: !tile.ptr<i32>) attributes {tile.kernel} {
  %i = tile.iota : tensor<16384xi32>
  %s = tile.reduce %i axis 0 : (tensor<16384xi32>) -> i32 {
  ^bb0(%a: i32, %b: i32):
    %c = arith.addi %a, %b : i32
    tile.yield %c : i32
  }
  tile.store %p, %s : !tile.ptr<i32>
  return
}
