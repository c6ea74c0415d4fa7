// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: trowel-opt %s | trowel-opt | FileCheck %s
// RUN: trowel-opt %s -mlir-print-op-generic | trowel-opt | FileCheck %s

// CHECK-LABEL: @integer_division
func.func @integer_division(%a: tensor<128xi32>, %b: tensor<128xi32>, %c: i64, %d: i64) {
  // CHECK: tile.div %{{.*}}, %{{.*}} : tensor<128xi32>
  %q = tile.div %a, %b : tensor<128xi32>
  // CHECK: tile.rem %{{.*}}, %{{.*}} : tensor<128xi32>
  %r = tile.rem %q, %b : tensor<128xi32>
  // CHECK: tile.div %{{.*}}, %{{.*}} : i64
  %s = tile.div %c, %d : i64
  // CHECK: tile.rem %{{.*}}, %{{.*}} : i64
  %t = tile.rem %s, %d : i64
  return
}

// CHECK-LABEL: @fractions_to_integers
func.func @fractions_to_integers(%x: tensor<128xf32>, %s: bf16) {
  // CHECK: tile.fp_to_int %{{.*}} : tensor<128xf32> -> tensor<128xi32>
  %i = tile.fp_to_int %x : tensor<128xf32> -> tensor<128xi32>
  // CHECK: tile.fp_to_int %{{.*}} : bf16 -> i64
  %j = tile.fp_to_int %s : bf16 -> i64
  return
}

// CHECK-LABEL: @integers_read_as_unsigned
func.func @integers_read_as_unsigned(%a: tensor<128xi8>, %b: tensor<128xi8>, %x: f64) {
  // CHECK: tile.div_u %{{.*}}, %{{.*}} : tensor<128xi8>
  %q = tile.div_u %a, %b : tensor<128xi8>
  // CHECK: tile.rem_u %{{.*}}, %{{.*}} : tensor<128xi8>
  %r = tile.rem_u %q, %b : tensor<128xi8>
  // CHECK: tile.fp_to_int_u %{{.*}} : f64 -> i16
  %i = tile.fp_to_int_u %x : f64 -> i16
  return
}

// CHECK-LABEL: @upper_halves_of_products
func.func @upper_halves_of_products(%a: tensor<128xi32>, %x: i64) {
  // CHECK: tile.mul_high %{{.*}}, %{{.*}} : tensor<128xi32>
  %h = tile.mul_high %a, %a : tensor<128xi32>
  // CHECK: tile.mul_high_u %{{.*}}, %{{.*}} : i64
  %u = tile.mul_high_u %x, %x : i64
  return
}

// CHECK-LABEL: @shifts
func.func @shifts(%a: tensor<128xi16>, %n: tensor<128xi16>, %c: i64) {
  // CHECK: tile.shl %{{.*}}, %{{.*}} : tensor<128xi16>
  %l = tile.shl %a, %n : tensor<128xi16>
  // CHECK: tile.shr %{{.*}}, %{{.*}} : tensor<128xi16>
  %r = tile.shr %l, %n : tensor<128xi16>
  // CHECK: tile.shr_u %{{.*}}, %{{.*}} : i64
  %u = tile.shr_u %c, %c : i64
  return
}
