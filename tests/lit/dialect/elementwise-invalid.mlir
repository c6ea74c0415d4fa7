// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: trowel-opt %s -split-input-file -verify-diagnostics

func.func @exp_of_integers(%x: tensor<128xi32>) {
  // expected-error @+1 {{'tile.exp' op operand #0 must be floating-point number or tile of it, but got 'tensor<128xi32>'}}
  %0 = tile.exp %x : tensor<128xi32>
  return
}

// -----

func.func @tanh_of_a_bool(%x: i1) {
  // expected-error @+1 {{'tile.tanh' op operand #0 must be floating-point number or tile of it, but got 'i1'}}
  %0 = tile.tanh %x : i1
  return
}

// -----

func.func @exp_to_another_shape(%x: tensor<128xf32>) {
  // expected-error @+1 {{'tile.exp' op all non-scalar operands/results must have the same shape and base type}}
  %0 = "tile.exp"(%x) : (tensor<128xf32>) -> tensor<64xf32>
  return
}

// -----

func.func @integer_division_of_fractions(%x: f32) {
  // expected-error @+1 {{'tile.div' op operand #0 must be integer or tile of it, but got 'f32'}}
  %0 = tile.div %x, %x : f32
  return
}

// -----

func.func @remainder_of_mixed_widths(%x: i32, %y: i64) {
  // expected-error @+1 {{'tile.rem' op requires the same type for all operands and results}}
  %0 = "tile.rem"(%x, %y) : (i32, i64) -> i32
  return
}

// -----

func.func @integers_to_integers(%x: i32) {
  // expected-error @+1 {{'tile.fp_to_int' op operand #0 must be floating-point number or tile of it, but got 'i32'}}
  %0 = tile.fp_to_int %x : i32 -> i32
  return
}

// -----

func.func @conversion_to_another_shape(%x: tensor<128xf32>) {
  // expected-error @+1 {{'tile.fp_to_int' op all non-scalar operands/results must have the same shape and base type}}
  %0 = tile.fp_to_int %x : tensor<128xf32> -> tensor<64xi32>
  return
}

// -----

func.func @shift_of_a_fraction(%x: f32) {
  // expected-error @+1 {{'tile.shl' op operand #0 must be integer or tile of it, but got 'f32'}}
  %0 = tile.shl %x, %x : f32
  return
}

// -----

func.func @product_of_fractions(%x: f32) {
  // expected-error @+1 {{'tile.mul_high_u' op operand #0 must be integer or tile of it, but got 'f32'}}
  %0 = tile.mul_high_u %x, %x : f32
  return
}

// -----

func.func @count_of_another_width(%x: i32, %n: i64) {
  // expected-error @+1 {{'tile.shr' op requires the same type for all operands and results}}
  %0 = "tile.shr"(%x, %n) : (i32, i64) -> i32
  return
}

// -----

func.func @unsigned_division_of_pointers(%x: !tile.ptr<f32>) {
  // expected-error @+1 {{'tile.div_u' op operand #0 must be integer or tile of it, but got '!tile.ptr<f32>'}}
  %0 = tile.div_u %x, %x : !tile.ptr<f32>
  return
}
