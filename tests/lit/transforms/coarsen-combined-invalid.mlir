// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: trowel-opt %s -verify-diagnostics -tile-coalesce -tile-coarsen

func.func @kernel(%p: !tile.ptr<i32>) attributes {tile.kernel} {
  %i = tile.iota : tensor<1048576xi32>
  // expected-error @+1 {{combines a tile of 1048576 elements, which is 1024 elements a thread with 32 warps; the limit is 256 a thread. Use a smaller tile and a larger grid}}
  %s = tile.reduce %i axis 0 : (tensor<1048576xi32>) -> i32 {
  ^bb0(%a: i32, %b: i32):
    %c = arith.addi %a, %b : i32
    tile.yield %c : i32
  }
  tile.store %p, %s : !tile.ptr<i32>
  return
}
