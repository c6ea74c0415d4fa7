// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: trowel-opt %s | trowel-opt | FileCheck %s
// RUN: trowel-opt %s -mlir-print-op-generic | trowel-opt | FileCheck %s
// RUN: trowel-opt %s -canonicalize -cse | FileCheck %s --check-prefix=KEPT

// CHECK-LABEL: @records
// KEPT-LABEL: @records
// KEPT-COUNT-6: tile.record
func.func @records(%x: tensor<8xf32>, %y: tensor<8xi64>, %m: tensor<8xi1>, %s: i8, %c: i1, %b: !tile.ptr<i64>) {
  // CHECK: tile.record ["hello"]
  %0 = tile.record ["hello"]
  // CHECK: tile.record ["hello"]
  %1 = tile.record ["hello"]
  // CHECK: tile.record ["x = ", " and ", ""](%{{.*}}, %{{.*}} : tensor<8xf32>, tensor<8xi64>) mask %{{.*}} : tensor<8xi1> {unsigned_values = array<i1: false, true>}
  %2 = tile.record ["x = ", " and ", ""] (%x, %y : tensor<8xf32>, tensor<8xi64>) mask %m : tensor<8xi1> {unsigned_values = array<i1: false, true>}
  // CHECK: tile.record ["", ""](%{{.*}} : i8)
  %3 = tile.record ["", ""] (%s : i8)
  // CHECK: tile.record failure ["it holds"] mask %{{.*}} : i1
  %4 = tile.record failure ["it holds"] mask %c : i1
  // CHECK: tile.record failure ["it holds"] mask %{{.*}} : tensor<8xi1> to %{{.*}} : !tile.ptr<i64> {number = 3 : i32}
  %5 = tile.record failure ["it holds"] mask %m : tensor<8xi1> to %b : !tile.ptr<i64> {number = 3 : i32}
  return
}
