// RUN: trowel-opt %s -split-input-file -verify-diagnostics -tile-verify-layouts

#line = #tile.layout<blocked<registers = [1], lanes = [32], warps = [1], order = [0]>>
#plane = #tile.layout<blocked<registers = [1, 1], lanes = [1, 32], warps = [1, 1], order = [1, 0]>>

func.func @tiles_that_fit(%p: !tile.ptr<f32>) {
  %i = tile.iota : tensor<32xi32, #line>
  %e = tile.expand %i axis 0 : tensor<32xi32, #line> -> tensor<1x32xi32, #plane>
  return
}

// -----

func.func @no_layouts_yet(%p: !tile.ptr<f32>) {
  %i = tile.iota : tensor<32xi32>
  return
}

// -----

#line = #tile.layout<blocked<registers = [1], lanes = [32], warps = [1], order = [0]>>

#plane = #tile.layout<bases<register = [], lane = [[0, 16], [0, 8], [0, 4], [0, 2], [0, 1]], warp = [], block = []>, extents = [1, 32]>

func.func @expanded_from_another_layout() {
  %i = tile.iota : tensor<32xi32, #line>
  // expected-error @+1 {{has operand 0 in the layout #tile.layout<blocked<registers = [1], lanes = [32], warps = [1], order = [0]>>, but its result needs it in #tile.layout<bases<}}
  %e = tile.expand %i axis 0 : tensor<32xi32, #line> -> tensor<1x32xi32, #plane>
  return
}

// -----

#line = #tile.layout<blocked<registers = [1], lanes = [32], warps = [1], order = [0]>>

func.func @half_of_the_tiles() {
  // expected-note @+1 {{this one has a layout}}
  %i = tile.iota : tensor<32xi32, #line>
  // expected-error @+1 {{makes a tile without a layout in a kernel whose tiles have layouts}}
  %j = tile.iota : tensor<32xi32>
  return
}
