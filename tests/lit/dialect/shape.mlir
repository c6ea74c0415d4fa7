// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: trowel-opt %s | trowel-opt | FileCheck %s
// RUN: trowel-opt %s -mlir-print-op-generic | trowel-opt | FileCheck %s

// CHECK-LABEL: @tiles_of_every_shape
func.func @tiles_of_every_shape(%x: f32, %p: !tile.ptr<f32>) -> tensor<8x128xf32> {
  // CHECK: tile.iota : tensor<128xi32>
  %i = tile.iota : tensor<128xi32>
  // CHECK: tile.splat %{{.*}} : f32 -> tensor<f32>
  %rank0 = tile.splat %x : f32 -> tensor<f32>
  // CHECK: tile.splat %{{.*}} : !tile.ptr<f32> -> tensor<8x128x!tile.ptr<f32>>
  %pointers = tile.splat %p : !tile.ptr<f32> -> tensor<8x128x!tile.ptr<f32>>
  // CHECK: tile.splat %{{.*}} : f32 -> tensor<128xf32>
  %row = tile.splat %x : f32 -> tensor<128xf32>
  // CHECK: tile.expand %{{.*}} axis 0 : tensor<128xf32> -> tensor<1x128xf32>
  %line = tile.expand %row axis 0 : tensor<128xf32> -> tensor<1x128xf32>
  // CHECK: tile.expand %{{.*}} axis 1 : tensor<128xf32> -> tensor<128x1xf32>
  %column = tile.expand %row axis 1 : tensor<128xf32> -> tensor<128x1xf32>
  // CHECK: tile.broadcast %{{.*}} : tensor<1x128xf32> -> tensor<8x128xf32>
  %square = tile.broadcast %line : tensor<1x128xf32> -> tensor<8x128xf32>
  return %square : tensor<8x128xf32>
}
