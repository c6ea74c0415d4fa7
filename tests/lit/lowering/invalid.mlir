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
