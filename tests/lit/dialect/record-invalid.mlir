// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: trowel-opt %s -split-input-file -verify-diagnostics

func.func @one_text_more_than_values(%x: f32) {
  // expected-error @+1 {{'tile.record' op has 1 texts and 1 values; there is one more text than values}}
  %0 = tile.record ["x"] (%x : f32)
  return
}

// -----

func.func @operands_have_one_shape(%x: tensor<8xf32>, %y: f32) {
  // expected-error @+1 {{'tile.record' op has operands of types 'tensor<8xf32>' and 'f32'; all have one shape}}
  %0 = tile.record ["", "", ""] (%x, %y : tensor<8xf32>, f32)
  return
}

// -----

func.func @mask_has_the_shape(%x: tensor<8xf32>, %m: tensor<4xi1>) {
  // expected-error @+1 {{'tile.record' op has operands of types 'tensor<8xf32>' and 'tensor<4xi1>'; all have one shape}}
  %0 = tile.record ["", ""] (%x : tensor<8xf32>) mask %m : tensor<4xi1>
  return
}

// -----

func.func @failure_says_where() {
  // expected-error @+1 {{'tile.record' op is a check that failed and has no mask that says where}}
  %0 = tile.record failure ["it holds"]
  return
}

// -----

func.func @each_value_is_signed_or_not(%x: i32) {
  // expected-error @+1 {{'tile.record' op says of 2 values whether they are unsigned, and has 1}}
  %0 = tile.record ["", ""] (%x : i32) {unsigned_values = array<i1: true, true>}
  return
}

// -----

func.func @layout_is_of_the_tile(%x: tensor<8xi32>) {
  // expected-error @+1 {{'tile.record' op prefers a layout of a tile of 64, but has no operands of that shape}}
  %0 = tile.record ["", ""] (%x : tensor<8xi32>) {layout = #tile.layout<blocked<registers = [1], lanes = [32], warps = [2], order = [0]>>}
  return
}

// -----

func.func @pointers_are_no_values(%p: !tile.ptr<f32>) {
  // expected-error @+1 {{'tile.record' op operand #0 must be variadic of number or bool or tile of it, but got '!tile.ptr<f32>'}}
  %0 = tile.record ["", ""] (%p : !tile.ptr<f32>)
  return
}
