// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: trowel-opt %s | trowel-opt | FileCheck %s
// RUN: trowel-opt %s -mlir-print-op-generic | trowel-opt | FileCheck %s

// CHECK-LABEL: @functions_of_tiles_and_scalars
func.func @functions_of_tiles_and_scalars(%x: tensor<8x128xf32>, %s: bf16, %d: f64) {
  // CHECK: tile.exp %{{.*}} : tensor<8x128xf32>
  %a = tile.exp %x : tensor<8x128xf32>
  // CHECK: tile.exp2 %{{.*}} : bf16
  %b = tile.exp2 %s : bf16
  // CHECK: tile.log %{{.*}} : f64
  %c = tile.log %d : f64
  // CHECK: tile.log2 %{{.*}} : tensor<8x128xf32>
  %e = tile.log2 %x : tensor<8x128xf32>
  // CHECK: tile.log1p %{{.*}} : tensor<8x128xf32>
  %f = tile.log1p %x : tensor<8x128xf32>
  // CHECK: tile.expm1 %{{.*}} : tensor<8x128xf32>
  %g = tile.expm1 %x : tensor<8x128xf32>
  // CHECK: tile.sin %{{.*}} : tensor<8x128xf32>
  %h = tile.sin %x : tensor<8x128xf32>
  // CHECK: tile.cos %{{.*}} : tensor<8x128xf32>
  %i = tile.cos %x : tensor<8x128xf32>
  // CHECK: tile.tan %{{.*}} : tensor<8x128xf32>
  %j = tile.tan %x : tensor<8x128xf32>
  // CHECK: tile.tanh %{{.*}} : bf16
  %k = tile.tanh %s : bf16
  // CHECK: tile.erf %{{.*}} : tensor<8x128xf32>
  %l = tile.erf %x : tensor<8x128xf32>
  // CHECK: tile.rsqrt %{{.*}} : tensor<8x128xf32>
  %m = tile.rsqrt %x : tensor<8x128xf32>
  // CHECK: tile.sigmoid %{{.*}} : tensor<8x128xf32>
  %n = tile.sigmoid %x : tensor<8x128xf32>
  // CHECK: tile.pow %{{.*}}, %{{.*}} : tensor<8x128xf32>
  %o = tile.pow %x, %n : tensor<8x128xf32>
  return
}

// CHECK-LABEL: @approximations
func.func @approximations(%x: tensor<8x128xf32>) {
  // CHECK: tile.exp approximate %{{.*}} : tensor<8x128xf32>
  %a = tile.exp approximate %x : tensor<8x128xf32>
  // CHECK: tile.pow approximate %{{.*}}, %{{.*}} : tensor<8x128xf32>
  %b = tile.pow approximate %x, %a : tensor<8x128xf32>
  return
}
