// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: trowel-opt %s -split-input-file -verify-diagnostics

func.func @divisor(%n: i64) {
  // expected-error @+1 {{'tile.multiple_of' op has the divisor 0, but it must be at least 1}}
  %0 = tile.multiple_of %n, 0 : i64
  return
}

// -----

func.func @bounds(%n: i64) {
  // expected-error @+1 {{'tile.known' op has bounds from 5 to 4, between which there is no number}}
  %0 = tile.known %n multiple 1 from 5 to 4 : i64
  return
}

// -----

func.func @no_registers(%a: i8) {
  // expected-error @+1 {{'tile.inline_ptx' op has elements of 8 bits, for which PTX has no registers; extend them}}
  %0 = tile.inline_ptx "mov.b16 $0, $1;" pure (%a) : (i8) -> i16
  return
}

// -----

func.func @text(%a: i32) {
  // expected-error @+1 {{'tile.inline_ptx' op 'exit' would end or leave the thread in the middle of its tiles}}
  %0 = tile.inline_ptx "mov.b32 $0, $1; exit;" pure (%a) : (i32) -> i32
  return
}

// -----

func.func @modifier(%p: !tile.ptr<f32>) {
  // expected-error @+1 {{'tile.load' op has the modifier 'wt'; it may be cg, cs, L1::evict_unchanged, L1::evict_first, L1::evict_last, L1::no_allocate}}
  %0 = tile.load %p {modifier = "wt"} : !tile.ptr<f32>
  return
}

// -----

func.func @runs(%p: tensor<8x!tile.ptr<f32>>, %m: tensor<8xi1>) {
  // expected-error @+1 {{'tile.load' op has masks in runs of 3, which does not divide its width 4}}
  %0 = tile.load %p mask %m {width = 4 : i32, mask_run = 3 : i32} : tensor<8x!tile.ptr<f32>>
  return
}

// -----

func.func @bytes(%p: tensor<8x!tile.ptr<i8>>, %m: tensor<8xi1>) {
  // expected-error @+1 {{'tile.load' op of 2 bytes has masks in runs of 1; fewer than 4 bytes are not moved in parts}}
  %0 = tile.load %p mask %m {width = 2 : i32, mask_run = 1 : i32} : tensor<8x!tile.ptr<i8>>
  return
}

// -----

func.func @shapes(%a: tensor<8xi32>) {
  // expected-error @+1 {{'tile.inline_ptx' op}}
  %0 = tile.inline_ptx "mov.b32 $0, $1;" pure (%a) : (tensor<8xi32>) -> tensor<4xi32>
  return
}
