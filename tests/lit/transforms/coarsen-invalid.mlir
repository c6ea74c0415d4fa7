// RUN: trowel-opt %s -verify-diagnostics -split-input-file -tile-coalesce "-tile-coarsen=warps=3"
// RUN: not trowel-opt %s -split-input-file -tile-coalesce "-tile-coarsen=elements-per-thread=512" 2>&1 | FileCheck %s --check-prefix=ELEMENTS
// RUN: not trowel-opt %s -split-input-file -tile-coalesce "-tile-coarsen=warps=2 elements-per-thread=1" 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not trowel-opt %s -split-input-file -tile-coalesce "-tile-coarsen=warps=1" 2>&1 | FileCheck %s --check-prefix=LARGE

// ELEMENTS: option elementsPerThread is 512, but it must be a power of two from 1 to 256
// BOTH: options warps = 2 and elementsPerThread = 1 disagree: a tile of 16384 elements gives each thread of 2 warps 256 elements; leave one of the options to the compiler
// LARGE: accesses a tile of 16384 elements, which is 512 elements a thread with 1 warps; the limit is 256 a thread. Use a smaller tile and a larger grid, or leave option warps to the compiler

// expected-error @+1 {{option warps is 3, but it must be a power of two from 1 to 32}}
func.func @kernel(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<16384x!tile.ptr<f32>>
  %i = tile.iota : tensor<16384xi32>
  %q = tile.ptr_add %ps, %i : tensor<16384x!tile.ptr<f32>>, tensor<16384xi32>
  %v = tile.load %q : tensor<16384x!tile.ptr<f32>>
  tile.store %q, %v : tensor<16384x!tile.ptr<f32>>
  return
}
