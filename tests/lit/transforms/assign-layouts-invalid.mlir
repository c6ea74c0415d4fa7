// RUN: trowel-opt %s -verify-diagnostics -split-input-file -tile-assign-layouts

// expected-error @+1 {{has several blocks; the control flow of a kernel is scf.for, scf.while, scf.if and tile.return_if}}
func.func @blocks(%p: !tile.ptr<i32>, %c: i1, %v: i32) attributes {tile.kernel} {
  cf.cond_br %c, ^store, ^end
^store:
  tile.store %p, %v : !tile.ptr<i32>
  cf.br ^end
^end:
  return
}

// -----

#rows = #tile.layout<blocked<registers = [1, 1], lanes = [1, 32], warps = [1, 1], order = [1, 0]>, extents = [32, 32]>
#line = #tile.layout<blocked<registers = [1], lanes = [32], warps = [1], order = [0]>>

func.func @effects_in_two_layouts(%p: !tile.ptr<i32>, %n: i32) attributes {tile.kernel, tile.warps = 1 : i64} {
  %t = tile.splat %n : i32 -> tensor<32xi32>
  // expected-error @+1 {{what has effects happens once, but its result is wanted in two layouts: promise that it is pure, or keep to tiles of one shape}}
  %u = tile.inline_ptx "nanosleep.u32 $1; mov.b32 $0, 1;" (%t) : (tensor<32xi32>) -> tensor<32xi32>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<32x!tile.ptr<i32>>
  tile.store %ps, %u {layout = #line} : tensor<32x!tile.ptr<i32>>
  %e = tile.expand %u axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %b = tile.broadcast %e : tensor<32x1xi32> -> tensor<32x32xi32>
  %qs = tile.splat %p : !tile.ptr<i32> -> tensor<32x32x!tile.ptr<i32>>
  tile.store %qs, %b {layout = #rows} : tensor<32x32x!tile.ptr<i32>>
  return
}
