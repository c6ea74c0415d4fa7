// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: trowel-opt %s -split-input-file -tile-allocate-shared -tile-insert-barriers -tile-lower-to-nvvm | FileCheck %s

#one = #tile.layout<blocked<registers = [4], lanes = [32], warps = [1], order = [0]>>

// Neighbours in a thread one after the other, the lanes' totals by five butterflies, and each element with what
// came before its thread.
// CHECK-LABEL: llvm.func @in_a_warp
// CHECK-COUNT-3: llvm.fadd
// CHECK-COUNT-5: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl.sync
// CHECK-NOT: barrier
// CHECK-COUNT-4: llvm.store
// CHECK: llvm.return
func.func @in_a_warp(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>) attributes {tile.kernel, tile.warps = 1 : i64} {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>, #one>
  %x = tile.load %ps : tensor<128x!tile.ptr<f32>, #one>
  %s = tile.scan %x axis 0 : (tensor<128xf32, #one>) -> tensor<128xf32, #one> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  %qs = tile.splat %q : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>, #one>
  tile.store %qs, %s : tensor<128x!tile.ptr<f32>, #one>
  return
}

// -----

#line = #tile.layout<blocked<registers = [1], lanes = [32], warps = [4], order = [0]>>

// The totals of four warps meet behind one barrier, whatever the number of operands.
// CHECK: llvm.mlir.global internal @tile_shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<48 x i8>
// CHECK-LABEL: llvm.func @across_warps
// CHECK-COUNT-15: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl.sync
// CHECK: llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.aligned.all"
// CHECK-NOT: barrier.cta
// CHECK: llvm.return
func.func @across_warps(%p: !tile.ptr<i64>, %q: !tile.ptr<i32>, %r: !tile.ptr<i64>) attributes {tile.kernel, tile.warps = 4 : i64} {
  %ps = tile.splat %p : !tile.ptr<i64> -> tensor<128x!tile.ptr<i64>, #line>
  %x = tile.load %ps : tensor<128x!tile.ptr<i64>, #line>
  %i = tile.iota : tensor<128xi32, #line>
  %s:2 = tile.scan %x, %i axis 0 reverse : (tensor<128xi64, #line>, tensor<128xi32, #line>) -> (tensor<128xi64, #line>, tensor<128xi32, #line>) {
  ^bb0(%a: i64, %m: i32, %b: i64, %n: i32):
    %c = arith.addi %a, %b : i64
    tile.yield %c, %n : i64, i32
  }
  tile.store %ps, %s#0 : tensor<128x!tile.ptr<i64>, #line>
  return
}
