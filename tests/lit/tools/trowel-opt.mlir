// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: trowel-opt %s -tile-layout-pipeline | FileCheck %s
// RUN: trowel-opt %s -tile-layout-pipeline -mlir-print-ir-after-all 2>&1 | FileCheck %s --check-prefix=EACH

// The pipeline is what a kernel goes through before it is lowered, and each of its passes can be watched.

// CHECK: #layout = #tile.layout<blocked<
// CHECK-LABEL: @copy
// CHECK: tile.load {{.*}} #layout>
// EACH: IR Dump After Combine (tile-combine)
// EACH: IR Dump After Coalesce (tile-coalesce)
// EACH: IR Dump After Coarsen (tile-coarsen)
// EACH: IR Dump After AssignLayouts (tile-assign-layouts)
func.func @copy(%from: !tile.ptr<f32>, %to: !tile.ptr<f32>) attributes {tile.kernel} {
  %i = tile.iota : tensor<1024xi32>
  %f = tile.splat %from : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %source = tile.ptr_add %f, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %v = tile.load %source : tensor<1024x!tile.ptr<f32>>
  %t = tile.splat %to : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %target = tile.ptr_add %t, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  tile.store %target, %v : tensor<1024x!tile.ptr<f32>>
  return
}
