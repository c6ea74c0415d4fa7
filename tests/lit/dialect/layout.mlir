// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: trowel-opt %s -split-input-file | trowel-opt -split-input-file | FileCheck %s

// A layout prints as the shortest builder that makes it.

// CHECK: #layout = #tile.layout<blocked<registers = [1, 4], lanes = [8, 4], warps = [4, 1], order = [1, 0]>>
// CHECK-LABEL: @blocked
// CHECK-SAME: tensor<32x16xf32, #layout>
func.func @blocked(%x: tensor<32x16xf32, #tile.layout<blocked<registers = [1, 4], lanes = [8, 4],
    warps = [4, 1], order = [1, 0]>>>) {
  return
}

// -----

// A tile larger than the builder covers: the rest become registers.
// CHECK: #layout = #tile.layout<blocked<registers = [8], lanes = [32], warps = [2], order = [0]>>
// CHECK-LABEL: @fewer_warps_than_tile
func.func @fewer_warps_than_tile(%x: tensor<512xf32, #tile.layout<bases<register = [[1], [2], [4]],
    lane = [[8], [16], [32], [64], [128]], warp = [[256]], block = []>, extents = [512]>>) {
  return
}

// -----

// CHECK: #layout = #tile.layout<blocked<registers = [4], lanes = [32], warps = [4], order = [0]>, extents = [2048]>
// CHECK-LABEL: @repeated_over_a_larger_tile
func.func @repeated_over_a_larger_tile(%x: tensor<2048xf32, #tile.layout<blocked<registers = [4], lanes = [32],
    warps = [4], order = [0]>, extents = [2048]>>) {
  return
}

// -----

// CHECK: #layout = #tile.layout<blocked<registers = [1], lanes = [32], warps = [4], order = [0]>, extents = [16]>
// CHECK-LABEL: @replicated_over_a_smaller_tile
func.func @replicated_over_a_smaller_tile(%x: tensor<16xf32, #tile.layout<blocked<registers = [1], lanes = [32],
    warps = [4], order = [0]>, extents = [16]>>) {
  return
}

// -----

// CHECK: #layout = #tile.layout<slice<axis = 1, extent = 16, blocked<registers = [1, 4], lanes = [8, 4], warps = [4, 1], order = [1, 0]>>>
// CHECK-LABEL: @slice
func.func @slice(%x: tensor<32xf32, #tile.layout<slice<axis = 1, extent = 16, blocked<registers = [1, 4],
    lanes = [8, 4], warps = [4, 1], order = [1, 0]>>>>) {
  return
}

// -----

// Without its slowest axis a blocked layout is a blocked one with replicas, which is shorter.
// CHECK: #layout = #tile.layout<blocked<registers = [4], lanes = [32], warps = [4], order = [0]>, extents = [16]>
// CHECK-LABEL: @slice_that_is_blocked
func.func @slice_that_is_blocked(%x: tensor<16xf32, #tile.layout<slice<axis = 0, extent = 32,
    blocked<registers = [1, 4], lanes = [8, 4], warps = [4, 1], order = [1, 0]>>>>) {
  return
}

// -----

// A swizzle is no blocked layout and no slice of one: its bases are printed.
// CHECK: #layout = #tile.layout<bases<register = {{\[\[}}0, 1]], lane = {{\[\[}}1, 1], [0, 2]], warp = [], block = []>, extents = [2, 4]>
// CHECK-LABEL: @bases
func.func @bases(%x: tensor<2x4xf32, #tile.layout<bases<register = [[0, 1]], lane = [[1, 1], [0, 2]], warp = [],
    block = []>, extents = [2, 4]>>) {
  return
}

// -----

// A scalar tile has no coordinates, but as many holders as it has lanes and warps.
// CHECK: #layout = #tile.layout<slice<axis = 0, extent = 128, blocked<registers = [1], lanes = [32], warps = [4], order = [0]>>>
// CHECK-LABEL: @slice_of_rank_0
// CHECK-SAME: tensor<f32, #layout>
func.func @slice_of_rank_0(%x: tensor<f32, #tile.layout<slice<axis = 0, extent = 128, blocked<registers = [1],
    lanes = [32], warps = [4], order = [0]>>>>) {
  return
}

// -----

// CHECK: #layout = #tile.layout<bases<register = [], lane = {{\[\[]}}, []], warp = [], block = {{\[\[]]}}>, extents = []>
// CHECK-LABEL: @bases_of_rank_0
func.func @bases_of_rank_0(%x: tensor<f32, #tile.layout<bases<register = [], lane = [[], []], warp = [],
    block = [[]]>, extents = []>>) {
  return
}
