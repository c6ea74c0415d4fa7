// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: trowel-opt %s | trowel-opt | FileCheck %s

// CHECK-LABEL: @hints
func.func @hints(%p: !tile.ptr<f32>, %n: i64, %c: i1, %t: tensor<8xi32>, %m: tensor<8xi1>) {
  // CHECK: tile.multiple_of %{{.*}}, 16 : !tile.ptr<f32>
  %q = tile.multiple_of %p, 16 : !tile.ptr<f32>
  // CHECK: tile.multiple_of %{{.*}}, 4 mask %{{.*}} : tensor<8xi1> : tensor<8xi32>
  %u = tile.multiple_of %t, 4 mask %m : tensor<8xi1> : tensor<8xi32>
  // CHECK: tile.assume %{{.*}}
  tile.assume %c
  // CHECK: tile.known %{{.*}} multiple 8 from -1 to 1024 : i64
  %k = tile.known %n multiple 8 from -1 to 1024 : i64
  return
}

// CHECK-LABEL: @inline_ptx
func.func @inline_ptx(%a: tensor<8xi32>, %b: tensor<8xi1>) {
  // CHECK: tile.inline_ptx "selp.b32 $0, $1, 7, $2;" pure(%{{.*}}, %{{.*}}) : (tensor<8xi32>, tensor<8xi1>) -> tensor<8xi32>
  %0 = tile.inline_ptx "selp.b32 $0, $1, 7, $2;" pure (%a, %b) : (tensor<8xi32>, tensor<8xi1>) -> tensor<8xi32>
  // CHECK: tile.inline_ptx "mov.u32 $0, %smid;"() : () -> i32
  %1 = tile.inline_ptx "mov.u32 $0, %smid;" () : () -> i32
  return
}
