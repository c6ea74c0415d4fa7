// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: trowel-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{unknown layout builder 'rows'; the builders are blocked, slice and bases}}
#a = #tile.layout<rows<4>>

// -----

// expected-error @+1 {{registers has 3 for axis 0, which is not a power of two}}
#a = #tile.layout<blocked<registers = [3], lanes = [32], warps = [1], order = [0]>>

// -----

// expected-error @+1 {{lanes has 1 entries, the tile has 2 axes}}
#a = #tile.layout<blocked<registers = [1, 4], lanes = [32], warps = [4, 1], order = [1, 0]>, extents = [32, 16]>

// -----

// expected-error @+1 {{order does not list each axis of 0 to 1 once}}
#a = #tile.layout<blocked<registers = [1, 4], lanes = [8, 4], warps = [4, 1], order = [1, 1]>>

// -----

// expected-error @+1 {{extent 3000 of axis 0 is not a power of two}}
#a = #tile.layout<blocked<registers = [4], lanes = [32], warps = [4], order = [0]>, extents = [3000]>

// -----

// expected-error @+1 {{axis 2 is none of the parent's axes}}
#a = #tile.layout<slice<axis = 2, extent = 8, blocked<registers = [1, 4], lanes = [8, 4], warps = [4, 1],
  order = [1, 0]>>>

// -----

// expected-error @+1 {{a layout of bases needs its extents}}
#a = #tile.layout<bases<register = [[1]], lane = [], warp = [], block = []>>

// -----

#a = #tile.layout<blocked<registers = [4], lanes = [32], warps = [1], order = [0]>>
// expected-error @+1 {{tile of 64 has a layout of a tile of 128}}
func.func @layout_of_another_tile(%x: tensor<64xf32, #a>) {
  return
}
