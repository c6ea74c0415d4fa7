// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: trowel-opt %s -tile-allocate-shared -tile-insert-barriers -tile-lower-to-nvvm | FileCheck %s

#one = #tile.layout<blocked<registers = [4], lanes = [32], warps = [1], order = [0]>>
#line = #tile.layout<blocked<registers = [2], lanes = [32], warps = [4], order = [0]>>
#few = #tile.layout<blocked<registers = [1], lanes = [32], warps = [1], order = [0]>, extents = [8]>
#columns = #tile.layout<blocked<registers = [8, 1], lanes = [1, 32], warps = [1, 1], order = [1, 0]>>
#ofColumns = #tile.layout<blocked<registers = [1], lanes = [32], warps = [1], order = [0]>>

// A word for each of the four warps of the last kernel.
// CHECK: llvm.mlir.global internal @tile_shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<16 x i8>

// The four of a thread as a tree, then five butterflies.
// CHECK-LABEL: llvm.func @floats_of_a_warp
// CHECK-COUNT-3: llvm.fadd
// CHECK-NOT: llvm.fadd
// CHECK-COUNT-5: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl.sync
// CHECK-NOT: barrier
// CHECK: llvm.return
func.func @floats_of_a_warp(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>) attributes {tile.kernel, tile.warps = 1 : i64} {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>, #one>
  %x = tile.load %ps : tensor<128x!tile.ptr<f32>, #one>
  %s = tile.reduce %x axis 0 : (tensor<128xf32, #one>) -> f32 {
  ^bb0(%a: f32, %b: f32):
    %m = arith.addf %a, %b : f32
    tile.yield %m : f32
  }
  tile.store %q, %s : !tile.ptr<f32>
  return
}

// Integers of 32 bits meet in one instruction.
// CHECK-LABEL: llvm.func @integers_of_a_warp
// CHECK: nvvm.redux.sync add
// CHECK-NOT: nvvm.shfl.sync
// CHECK: llvm.return
func.func @integers_of_a_warp(%p: !tile.ptr<i32>, %q: !tile.ptr<i32>) attributes {tile.kernel, tile.warps = 1 : i64} {
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<128x!tile.ptr<i32>, #one>
  %x = tile.load %ps : tensor<128x!tile.ptr<i32>, #one>
  %s = tile.reduce %x axis 0 : (tensor<128xi32, #one>) -> i32 {
  ^bb0(%a: i32, %b: i32):
    %m = arith.addi %a, %b : i32
    tile.yield %m : i32
  }
  tile.store %q, %s : !tile.ptr<i32>
  return
}

// Among the 8 lanes that hold the 8 elements, three butterflies.
// CHECK-LABEL: llvm.func @few_elements
// CHECK-COUNT-3: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl.sync
// CHECK: llvm.return
func.func @few_elements(%p: !tile.ptr<i32>, %q: !tile.ptr<i32>) attributes {tile.kernel, tile.warps = 1 : i64} {
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<8x!tile.ptr<i32>, #few>
  %x = tile.load %ps : tensor<8x!tile.ptr<i32>, #few>
  %s = tile.reduce %x axis 0 : (tensor<8xi32, #few>) -> i32 {
  ^bb0(%a: i32, %b: i32):
    %m = arith.addi %a, %b : i32
    tile.yield %m : i32
  }
  tile.store %q, %s : !tile.ptr<i32>
  return
}

// Along an axis that threads hold whole, nothing moves.
// CHECK-LABEL: llvm.func @columns_of_threads
// CHECK-COUNT-7: llvm.add
// CHECK-NOT: nvvm.shfl.sync
// CHECK-NOT: nvvm.redux
// CHECK: llvm.return
func.func @columns_of_threads(%p: !tile.ptr<i32>, %q: !tile.ptr<i32>) attributes {tile.kernel, tile.warps = 1 : i64} {
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<8x32x!tile.ptr<i32>, #columns>
  %x = tile.load %ps : tensor<8x32x!tile.ptr<i32>, #columns>
  %s = tile.reduce %x axis 0 : (tensor<8x32xi32, #columns>) -> tensor<32xi32, #ofColumns> {
  ^bb0(%a: i32, %b: i32):
    %m = arith.addi %a, %b : i32
    tile.yield %m : i32
  }
  %qs = tile.splat %q : !tile.ptr<i32> -> tensor<32x!tile.ptr<i32>, #ofColumns>
  tile.store %qs, %s : tensor<32x!tile.ptr<i32>, #ofColumns>
  return
}

// Four warps leave a word each, meet once, and all threads read the four.
// CHECK-LABEL: llvm.func @warps
// CHECK: nvvm.redux.sync umax
// CHECK: st.shared
// CHECK: llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.aligned.all"
// CHECK-COUNT-4: llvm.load %{{.*}} : !llvm.ptr<3> -> i32
// CHECK-COUNT-3: llvm.intr.umax
// CHECK-NOT: barrier.cta
// CHECK: llvm.return
func.func @warps(%p: !tile.ptr<i32>, %q: !tile.ptr<i32>) attributes {tile.kernel, tile.warps = 4 : i64} {
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>, #line>
  %x = tile.load %ps : tensor<256x!tile.ptr<i32>, #line>
  %s = tile.reduce %x axis 0 : (tensor<256xi32, #line>) -> i32 {
  ^bb0(%a: i32, %b: i32):
    %m = arith.maxui %a, %b : i32
    tile.yield %m : i32
  }
  tile.store %q, %s : !tile.ptr<i32>
  return
}
