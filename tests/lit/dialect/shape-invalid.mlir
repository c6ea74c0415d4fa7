// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: trowel-opt %s -split-input-file -verify-diagnostics

func.func @iota_of_two_axes() {
  // expected-error @+1 {{'tile.iota' op counts along one axis, but its result has the extents 8x128}}
  %0 = tile.iota : tensor<8x128xi32>
  return
}

// -----

func.func @iota_of_fractions() {
  // expected-error @+1 {{'tile.iota' op result #0 must be tile of 32-bit signless integer, but got 'tensor<128xf32>'}}
  %0 = tile.iota : tensor<128xf32>
  return
}

// -----

func.func @splat_to_other_elements(%x: f32) {
  // expected-error @+1 {{'tile.splat' op changes the elements from 'f32' to 'i32'; only the shape may change}}
  %0 = tile.splat %x : f32 -> tensor<128xi32>
  return
}

// -----

func.func @splat_to_a_scalar(%x: f32) {
  // expected-error @+1 {{invalid kind of type specified: expected builtin.tensor, but found 'f32'}}
  %0 = tile.splat %x : f32 -> f32
  return
}

// -----

func.func @expand_to_other_elements(%x: tensor<128xf32>) {
  // expected-error @+1 {{'tile.expand' op changes the elements from 'f32' to 'bf16'; only the shape may change}}
  %0 = tile.expand %x axis 0 : tensor<128xf32> -> tensor<1x128xbf16>
  return
}

// -----

func.func @expand_beyond_the_rank(%x: tensor<128xf32>) {
  // expected-error @+1 {{'tile.expand' op inserts axis 2, but a tile of 128 has room for the axes 0 to 1}}
  %0 = tile.expand %x axis 2 : tensor<128xf32> -> tensor<128x1xf32>
  return
}

// -----

func.func @expand_at_a_negative_axis(%x: tensor<128xf32>) {
  // expected-error @+1 {{'tile.expand' op inserts axis -1, but a tile of 128 has room for the axes 0 to 1}}
  %0 = tile.expand %x axis -1 : tensor<128xf32> -> tensor<128x1xf32>
  return
}

// -----

func.func @expand_to_another_shape(%x: tensor<128xf32>) {
  // expected-error @+1 {{'tile.expand' op inserts axis 0 into a tile of 128, which gives 1x128, not 128x1}}
  %0 = tile.expand %x axis 0 : tensor<128xf32> -> tensor<128x1xf32>
  return
}

// -----

func.func @broadcast_to_other_elements(%x: tensor<1x128xf32>) {
  // expected-error @+1 {{'tile.broadcast' op changes the elements from 'f32' to 'i32'; only the shape may change}}
  %0 = tile.broadcast %x : tensor<1x128xf32> -> tensor<8x128xi32>
  return
}

// -----

func.func @broadcast_to_another_rank(%x: tensor<128xf32>) {
  // expected-error @+1 {{'tile.broadcast' op keeps the rank, but the source has the extents 128 and the result 8x128}}
  %0 = tile.broadcast %x : tensor<128xf32> -> tensor<8x128xf32>
  return
}

// -----

func.func @broadcast_of_many(%x: tensor<4x128xf32>) {
  // expected-error @+1 {{'tile.broadcast' op cannot repeat axis 0 of extent 4 to 8: only extents of 1 repeat}}
  %0 = tile.broadcast %x : tensor<4x128xf32> -> tensor<8x128xf32>
  return
}
