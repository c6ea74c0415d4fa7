// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: trowel-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{cannot point to 'index': only numbers and bools live in memory}}
func.func @pointer_to_index(%p: !tile.ptr<index>) {
  return
}

// -----

// expected-error @+1 {{cannot point to '!tile.ptr<f32>': only numbers and bools live in memory}}
func.func @pointer_to_pointer(%p: !tile.ptr<!tile.ptr<f32>>) {
  return
}

// -----

func.func @access_through_a_number(%p: tensor<128xf32>) {
  // expected-error @+1 {{expected a pointer or a tile of pointers, but found 'tensor<128xf32>'}}
  %x = tile.load %p : tensor<128xf32>
  return
}

// -----

func.func @offsets_of_another_shape(%p: tensor<128x!tile.ptr<f32>>, %i: tensor<64xi32>) {
  // expected-error @+1 {{'tile.ptr_add' op requires the same shape for all operands and results}}
  %q = tile.ptr_add %p, %i : tensor<128x!tile.ptr<f32>>, tensor<64xi32>
  return
}

// -----

func.func @fractional_offset(%p: !tile.ptr<f32>, %i: f32) {
  // expected-error @+1 {{'tile.ptr_add' op operand #1 must be i32 or i64 or tile of it, but got 'f32'}}
  %q = tile.ptr_add %p, %i : !tile.ptr<f32>, f32
  return
}

// -----

func.func @fill_without_a_mask(%p: !tile.ptr<f32>, %f: f32) {
  // expected-error @+1 {{'tile.load' op has a fill but no mask: nothing would be filled}}
  %x = tile.load %p fill %f : !tile.ptr<f32>
  return
}

// -----

func.func @result_that_is_no_pointee(%p: !tile.ptr<f32>) {
  // expected-error @+1 {{'tile.load' op has a result of type 'i32', but its pointers of type '!tile.ptr<f32>' give 'f32'}}
  %x = "tile.load"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!tile.ptr<f32>) -> i32
  return
}

// -----

func.func @mask_of_another_shape(%p: tensor<128x!tile.ptr<f32>>, %m: tensor<64xi1>) {
  // expected-error @+1 {{'tile.load' op has a mask of type 'tensor<64xi1>', but its pointers of type 'tensor<128x!tile.ptr<f32>>' need 'tensor<128xi1>'}}
  %x = "tile.load"(%p, %m) <{operandSegmentSizes = array<i32: 1, 1, 0>}>
    : (tensor<128x!tile.ptr<f32>>, tensor<64xi1>) -> tensor<128xf32>
  return
}

// -----

func.func @fill_of_another_type(%p: !tile.ptr<f32>, %m: i1, %f: i32) {
  // expected-error @+1 {{'tile.load' op has a fill of type 'i32', but its pointers of type '!tile.ptr<f32>' need 'f32'}}
  %x = "tile.load"(%p, %m, %f) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (!tile.ptr<f32>, i1, i32) -> f32
  return
}

// -----

func.func @value_of_another_type(%p: !tile.ptr<bf16>, %v: f32) {
  // expected-error @+1 {{'tile.store' op has a value of type 'f32', but its pointers of type '!tile.ptr<bf16>' need 'bf16'}}
  "tile.store"(%p, %v) : (!tile.ptr<bf16>, f32) -> ()
  return
}

// -----

func.func @width_beyond_an_instruction(%p: tensor<128x!tile.ptr<f32>>) {
  // expected-error @+1 {{'tile.load' op has width 8, which is 32 bytes; an access moves at most 16}}
  %x = tile.load %p {width = 8 : i32} : tensor<128x!tile.ptr<f32>>
  return
}

// -----

#pairs = #tile.layout<blocked<registers = [2], lanes = [32], warps = [2], order = [0]>>

func.func @width_beyond_the_neighbours_of_a_thread(%p: tensor<128x!tile.ptr<f32>, #pairs>) {
  // expected-error @+1 {{'tile.load' op has width 4, but its layout gives no thread so many neighbours in a row}}
  %x = tile.load %p {width = 4 : i32} : tensor<128x!tile.ptr<f32>, #pairs>
  return
}

// -----

#rows = #tile.layout<blocked<registers = [4], lanes = [32], warps = [1], order = [0]>>

func.func @width_across_the_end_of_the_tile(%p: tensor<126x!tile.ptr<f32>, #rows>) {
  // expected-error @+1 {{'tile.load' op has width 4, but its layout gives no thread so many neighbours in a row}}
  %x = tile.load %p {width = 4 : i32} : tensor<126x!tile.ptr<f32>, #rows>
  return
}

// -----

func.func @width_of_three(%p: tensor<128x!tile.ptr<f32>>) {
  // expected-error @+1 {{'tile.load' op has width 3, which is not a power of two}}
  %x = tile.load %p {width = 3 : i32} : tensor<128x!tile.ptr<f32>>
  return
}

// -----

func.func @width_of_zero(%p: tensor<128x!tile.ptr<f32>>, %v: tensor<128xf32>) {
  // expected-error @+1 {{'tile.store' op has width 0, which is not a power of two}}
  tile.store %p, %v {width = 0 : i32} : tensor<128x!tile.ptr<f32>>
  return
}

// -----

func.func @preferred_layout_of_another_tile(%p: tensor<128x!tile.ptr<f32>>) {
  // expected-error @+1 {{'tile.load' op prefers a layout of a tile of 32, but its pointers are a tile of 128}}
  %x = tile.load %p {layout = #tile.layout<blocked<registers = [1], lanes = [32], warps = [1], order = [0]>>}
    : tensor<128x!tile.ptr<f32>>
  return
}

// -----

#a = #tile.layout<blocked<registers = [4], lanes = [32], warps = [1], order = [0]>>

func.func @value_without_the_layout_of_the_pointers(%p: tensor<128x!tile.ptr<f32>, #a>, %v: tensor<128xf32>) {
  // expected-error @+1 {{'tile.store' op has a value of type 'tensor<128xf32>', but its pointers of type}}
  "tile.store"(%p, %v) : (tensor<128x!tile.ptr<f32>, #a>, tensor<128xf32>) -> ()
  return
}
