// RUN: trowel-opt %s -split-input-file -verify-diagnostics -tile-lower-to-nvvm | FileCheck %s

// CHECK-LABEL: llvm.func @kernel
// CHECK-SAME: nvvm.kernel
// CHECK-SAME: nvvm.reqntid = array<i32: 64>
func.func @kernel(%p: !tile.ptr<i64>) attributes {tile.kernel, tile.warps = 2 : i64} {
  // CHECK: nvvm.read.ptx.sreg.ctaid.x range <i32, 0, 2147483647> : i32
  %x = tile.program_id 0 : i64
  // CHECK: nvvm.read.ptx.sreg.ctaid.z range <i32, 0, 65535> : i32
  %z = tile.program_id 2 : i64
  // CHECK: nvvm.read.ptx.sreg.nctaid.y range <i32, 1, 65536> : i32
  %n = tile.program_count 1 : i64
  %a = arith.addi %x, %z : i64
  %s = arith.addi %a, %n : i64
  tile.store %p, %s : !tile.ptr<i64>
  // CHECK: llvm.return
  return
}

// -----

// expected-error @+2 {{has an argument of type 'tensor<8xf32>'; kernels take pointers and scalars}}
// expected-error @+1 {{failed to legalize operation 'func.func'}}
func.func @tile_argument(%t: tensor<8xf32>) attributes {tile.kernel} {
  return
}

// -----

// expected-error @+2 {{returns values; a kernel writes its results to memory}}
// expected-error @+1 {{failed to legalize operation 'func.func'}}
func.func @returns(%x: f32) -> f32 attributes {tile.kernel} {
  return %x : f32
}
