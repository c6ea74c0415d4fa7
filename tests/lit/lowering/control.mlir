// RUN: trowel-opt %s -tile-lower-to-nvvm | FileCheck %s

#line = #tile.layout<blocked<registers = [2], lanes = [32], warps = [1], order = [0]>>

// A carried tile is two registers of the loop's block.
// CHECK-LABEL: llvm.func @loop_carries_registers
func.func @loop_carries_registers(%p: !tile.ptr<f32>, %n: i64) attributes {tile.kernel, tile.warps = 1 : i64} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant dense<0.0> : tensor<64xf32, #line>
  %one = arith.constant dense<1.0> : tensor<64xf32, #line>
  // CHECK: llvm.br ^[[HEAD:.*]](%{{.*}}, %{{.*}}, %{{.*}} : i64, f32, f32)
  // CHECK: ^[[HEAD]](%[[K:.*]]: i64, %[[A:.*]]: f32, %[[B:.*]]: f32):
  // CHECK: llvm.cond_br
  // CHECK: llvm.fadd %[[A]]
  // CHECK: llvm.fadd %[[B]]
  // CHECK: llvm.br ^[[HEAD]]
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %zero) -> (tensor<64xf32, #line>) : i64 {
    %s = arith.addf %a, %one : tensor<64xf32, #line>
    scf.yield %s : tensor<64xf32, #line>
  }
  %i = tile.iota : tensor<64xi32, #line>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #line>
  %q = tile.ptr_add %ps, %i : tensor<64x!tile.ptr<f32>, #line>, tensor<64xi32, #line>
  tile.store %q, %r {width = 2 : i32} : tensor<64x!tile.ptr<f32>, #line>
  return
}

// CHECK-LABEL: llvm.func @branch_merges_registers
func.func @branch_merges_registers(%p: !tile.ptr<f32>, %c: i1) attributes {tile.kernel, tile.warps = 1 : i64} {
  %zero = arith.constant dense<0.0> : tensor<64xf32, #line>
  %one = arith.constant dense<1.0> : tensor<64xf32, #line>
  // CHECK: llvm.cond_br %{{.*}}, ^[[THEN:.*]], ^[[ELSE:.*]]
  // CHECK: ^[[MERGE:.*]](%{{.*}}: f32, %{{.*}}: f32):
  %r = scf.if %c -> (tensor<64xf32, #line>) {
    scf.yield %zero : tensor<64xf32, #line>
  } else {
    scf.yield %one : tensor<64xf32, #line>
  }
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #line>
  tile.store %ps, %r : tensor<64x!tile.ptr<f32>, #line>
  return
}

// An early return in a loop leaves the loop and the program.
// CHECK-LABEL: llvm.func @early_return_leaves_a_loop
func.func @early_return_leaves_a_loop(%p: !tile.ptr<i64>, %n: i64) attributes {tile.kernel, tile.warps = 1 : i64} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  // CHECK: %[[STOP:.*]] = llvm.icmp "eq"
  // CHECK-NEXT: llvm.cond_br %[[STOP]], ^[[EXIT:.*]], ^[[REST:.*]]
  // CHECK: ^[[REST]]:
  // CHECK: st.global.b64
  // CHECK: ^[[EXIT]]:
  // CHECK-NEXT: llvm.return
  scf.for %k = %c0 to %n step %c1 : i64 {
    %stop = arith.cmpi eq, %k, %c1 : i64
    tile.return_if %stop
    tile.store %p, %k : !tile.ptr<i64>
  }
  return
}
