// RUN: trowel-opt %s -verify-diagnostics -split-input-file -tile-coalesce

func.func @empty_tile(%p: !tile.ptr<i32>) attributes {tile.kernel} {
  %i = tile.iota : tensor<0xi32>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<0x!tile.ptr<i32>>
  // expected-error @+1 {{'tile.store' op is of a tile of shape 0; extents are at least 1, and a tile has at most 1048576 elements}}
  tile.store %ps, %i : tensor<0x!tile.ptr<i32>>
  return
}

// -----

func.func @huge_tile(%p: !tile.ptr<i32>) attributes {tile.kernel} {
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<4294967296x4294967296x!tile.ptr<i32>>
  // expected-error @+1 {{'tile.load' op is of a tile of shape 4294967296, 4294967296; extents are at least 1}}
  %v = tile.load %ps : tensor<4294967296x4294967296x!tile.ptr<i32>>
  return
}
