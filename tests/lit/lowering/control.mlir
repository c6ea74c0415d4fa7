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

// Adding the step could pass the greatest number, so the trips are counted.
// CHECK-LABEL: llvm.func @step_other_than_one_counts_trips
func.func @step_other_than_one_counts_trips(%p: !tile.ptr<i64>, %begin: i64, %n: i64) attributes {tile.kernel, tile.warps = 1 : i64} {
  %c4 = arith.constant 4 : i64
  // CHECK: %[[RUNS:.*]] = llvm.icmp "slt" %{{.*}}, %{{.*}} : i64
  // CHECK: %[[COUNT:.*]] = llvm.udiv
  // CHECK: %[[MORE:.*]] = llvm.add %[[COUNT]]
  // CHECK: %[[TRIPS:.*]] = llvm.select %[[RUNS]], %[[MORE]]
  // CHECK: ^{{.*}}(%[[TRIP:.*]]: i64):
  // CHECK: llvm.icmp "ult" %[[TRIP]], %[[TRIPS]]
  // CHECK: llvm.mul %[[TRIP]]
  scf.for %k = %begin to %n step %c4 : i64 {
    tile.store %p, %k : !tile.ptr<i64>
  }
  return
}

// A step of the device may be 0 or negative: no trip, and nothing is divided by it.
// CHECK-LABEL: llvm.func @step_of_the_device_is_guarded
func.func @step_of_the_device_is_guarded(%p: !tile.ptr<i64>, %begin: i64, %n: i64, %step: i64) attributes {tile.kernel, tile.warps = 1 : i64} {
  // CHECK: %[[RUNS:.*]] = llvm.icmp "slt"
  // CHECK: %[[COUNTS:.*]] = llvm.icmp "sgt"
  // CHECK: llvm.and %[[RUNS]], %[[COUNTS]]
  // CHECK: %[[DIVISOR:.*]] = llvm.select %[[COUNTS]]
  // CHECK: llvm.udiv %{{.*}}, %[[DIVISOR]]
  scf.for %k = %begin to %n step %step : i64 {
    tile.store %p, %k : !tile.ptr<i64>
  }
  return
}

// Where the numbers are known to be small, nothing is counted.
// CHECK-LABEL: llvm.func @known_bounds_count_directly
func.func @known_bounds_count_directly(%p: !tile.ptr<i64>) attributes {tile.kernel, tile.warps = 1 : i64} {
  %c0 = arith.constant 0 : i64
  %c4 = arith.constant 4 : i64
  %c99 = arith.constant 99 : i64
  // CHECK-NOT: llvm.udiv
  // CHECK: llvm.icmp "slt"
  // CHECK-NOT: llvm.udiv
  // CHECK: llvm.return
  scf.for %k = %c0 to %c99 step %c4 : i64 {
    tile.store %p, %k : !tile.ptr<i64>
  }
  return
}
