// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: trowel-dump %s --target=sm_80 | FileCheck %s

// The manifest says through which arguments the kernel may write: a launch refuses buffers of constants there.
// Pointers are followed through loops and branches, where a store's address has no one op that made it.

// CHECK: "argument":0,"kind":"pointer","type":"f32","writes":true
// CHECK: "argument":1,"kind":"pointer","type":"f32","writes":true
// CHECK: "argument":2,"kind":"pointer","type":"f32","writes":true
// CHECK: "argument":3,"kind":"pointer","type":"f32","writes":false
func.func @written(%carried: !tile.ptr<f32>, %left: !tile.ptr<f32>, %right: !tile.ptr<f32>, %read: !tile.ptr<f32>,
                   %count: i64) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %value = tile.load %read : !tile.ptr<f32>
  %end = scf.for %i = %c0 to %count step %c1 iter_args(%p = %carried) -> (!tile.ptr<f32>) : i64 {
    tile.store %p, %value : !tile.ptr<f32>
    %next = tile.ptr_add %p, %c1 : !tile.ptr<f32>, i64
    scf.yield %next : !tile.ptr<f32>
  }
  %odd = arith.cmpi eq, %count, %c1 : i64
  %chosen = scf.if %odd -> (!tile.ptr<f32>) {
    scf.yield %left : !tile.ptr<f32>
  } else {
    scf.yield %right : !tile.ptr<f32>
  }
  tile.store %chosen, %value : !tile.ptr<f32>
  return
}
