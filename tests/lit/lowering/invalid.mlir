// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: trowel-opt %s -split-input-file -verify-diagnostics -tile-lower-to-nvvm

func.func @tile_without_a_layout() attributes {tile.kernel, tile.warps = 1 : i64} {
  // expected-error @+1 {{makes a tile without a layout, 'tensor<128xi32>': run tile-assign-layouts first}}
  %i = tile.iota : tensor<128xi32>
  return
}

// -----

// expected-error @+2 {{returns values; a kernel writes its results to memory}}
// expected-error @+1 {{failed to legalize}}
func.func @result(%x: f32) -> f32 attributes {tile.kernel, tile.warps = 1 : i64} {
  return %x : f32
}

// -----

#rows = #tile.layout<blocked<registers = [1, 4], lanes = [1, 32], warps = [1, 32], order = [1, 0]>, extents = [64, 4096]>
#columns = #tile.layout<blocked<registers = [64, 1], lanes = [1, 32], warps = [1, 32], order = [0, 1]>, extents = [64, 4096]>

func.func @more_shared_memory_than_there_is(%x: tensor<64x4096xf32, #rows>) attributes {tile.kernel, tile.warps = 32 : i64} {
  // expected-error @+1 {{moves elements between warps through 1048576 bytes of shared memory, but a program has at most 232448 on sm_90a; use a smaller tile and a larger grid}}
  %y = tile.convert_layout %x {tile.scratch = 0 : i64} : tensor<64x4096xf32, #rows> -> tensor<64x4096xf32, #columns>
  return
}
