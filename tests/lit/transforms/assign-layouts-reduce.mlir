// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: trowel-opt %s -split-input-file -tile-coalesce -tile-coarsen -tile-assign-layouts | FileCheck %s
// RUN: trowel-opt %s -split-input-file -tile-coalesce -tile-coarsen -tile-assign-layouts -tile-verify-layouts -o /dev/null

// A reduction makes its result where its operand lies, without the axis. Accesses of the result's shape take it
// there: nothing moves but what meets.
// CHECK-DAG: #[[PLANE:.*]] = #tile.layout<blocked<registers = [1, 4], lanes = [4, 8], warps = [8, 1], order = [1, 0]>>
// CHECK-DAG: #[[SLICE:.*]] = #tile.layout<slice<axis = 1, extent = 32, blocked<registers = [1, 4], lanes = [4, 8], warps = [8, 1], order = [1, 0]>>>
// CHECK-LABEL: @result_lies_where_its_operand_does
// CHECK: tile.reduce %{{.*}} axis 1 : (tensor<32x32xf32, #[[PLANE]]>) -> tensor<32xf32, #[[SLICE]]> {
// CHECK-NOT: tile.convert_layout
// CHECK: tile.store %{{.*}} : tensor<32x!tile.ptr<f32>, #[[SLICE]]>
func.func @result_lies_where_its_operand_does(%p: !tile.ptr<f32> {tile.divisibility = 16 : i64}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i64}) attributes {tile.kernel} {
  %i = tile.iota : tensor<32xi32>
  %j = tile.iota : tensor<32xi32>
  %pitch = arith.constant dense<32> : tensor<32x32xi32>
  %r = tile.expand %i axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %r2 = tile.broadcast %r : tensor<32x1xi32> -> tensor<32x32xi32>
  %c = tile.expand %j axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %c2 = tile.broadcast %c : tensor<1x32xi32> -> tensor<32x32xi32>
  %rp = arith.muli %r2, %pitch : tensor<32x32xi32>
  %o = arith.addi %rp, %c2 : tensor<32x32xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<32x32x!tile.ptr<f32>>
  %q = tile.ptr_add %ps, %o : tensor<32x32x!tile.ptr<f32>>, tensor<32x32xi32>
  %x = tile.load %q : tensor<32x32x!tile.ptr<f32>>
  %s = tile.reduce %x axis 1 : (tensor<32x32xf32>) -> tensor<32xf32> {
  ^bb0(%a: f32, %b: f32):
    %m = arith.addf %a, %b : f32
    tile.yield %m : f32
  }
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %yq = tile.ptr_add %ys, %i : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  tile.store %yq, %s : tensor<32x!tile.ptr<f32>>
  return
}

// -----

// Of the sums of rows and of columns one moves, where both are wanted in one layout.
// CHECK-LABEL: @rows_and_columns
// CHECK: %[[ROWS:.*]] = tile.reduce %{{.*}} axis 1 : (tensor<32x32xf32, #[[P:.*]]>) -> tensor<32xf32, #[[R:[a-z0-9]*]]> {
// CHECK: %[[MOVED:.*]] = tile.convert_layout %[[ROWS]] : tensor<32xf32, #[[R]]> -> tensor<32xf32, #[[C:[a-z0-9]*]]>
// CHECK: %[[COLUMNS:.*]] = tile.reduce %{{.*}} axis 0 : (tensor<32x32xf32, #[[P]]>) -> tensor<32xf32, #[[C]]> {
// CHECK-NOT: tile.convert_layout
// CHECK: arith.addf %[[MOVED]], %[[COLUMNS]] : tensor<32xf32, #[[C]]>
func.func @rows_and_columns(%p: !tile.ptr<f32> {tile.divisibility = 16 : i64}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i64}) attributes {tile.kernel} {
  %i = tile.iota : tensor<32xi32>
  %j = tile.iota : tensor<32xi32>
  %pitch = arith.constant dense<32> : tensor<32x32xi32>
  %r = tile.expand %i axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %r2 = tile.broadcast %r : tensor<32x1xi32> -> tensor<32x32xi32>
  %c = tile.expand %j axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %c2 = tile.broadcast %c : tensor<1x32xi32> -> tensor<32x32xi32>
  %rp = arith.muli %r2, %pitch : tensor<32x32xi32>
  %o = arith.addi %rp, %c2 : tensor<32x32xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<32x32x!tile.ptr<f32>>
  %q = tile.ptr_add %ps, %o : tensor<32x32x!tile.ptr<f32>>, tensor<32x32xi32>
  %x = tile.load %q : tensor<32x32x!tile.ptr<f32>>
  %s = tile.reduce %x axis 1 : (tensor<32x32xf32>) -> tensor<32xf32> {
  ^bb0(%a: f32, %b: f32):
    %m = arith.addf %a, %b : f32
    tile.yield %m : f32
  }
  %t = tile.reduce %x axis 0 : (tensor<32x32xf32>) -> tensor<32xf32> {
  ^bb0(%a: f32, %b: f32):
    %m = arith.addf %a, %b : f32
    tile.yield %m : f32
  }
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %yq = tile.ptr_add %ys, %i : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  %u = arith.addf %s, %t : tensor<32xf32>
  tile.store %yq, %u : tensor<32x!tile.ptr<f32>>
  return
}

// -----

// A result that is wanted along both axes of a plane is moved for one of them, not reduced again.
// CHECK-LABEL: @result_wanted_twice
// CHECK-COUNT-1: tile.reduce
// CHECK-NOT: tile.reduce
// CHECK-COUNT-1: tile.convert_layout
// CHECK-NOT: tile.convert_layout
// CHECK: return
func.func @result_wanted_twice(%p: !tile.ptr<f32> {tile.divisibility = 16 : i64}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i64}) attributes {tile.kernel} {
  %i = tile.iota : tensor<32xi32>
  %j = tile.iota : tensor<32xi32>
  %pitch = arith.constant dense<32> : tensor<32x32xi32>
  %r = tile.expand %i axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %r2 = tile.broadcast %r : tensor<32x1xi32> -> tensor<32x32xi32>
  %c = tile.expand %j axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %c2 = tile.broadcast %c : tensor<1x32xi32> -> tensor<32x32xi32>
  %rp = arith.muli %r2, %pitch : tensor<32x32xi32>
  %o = arith.addi %rp, %c2 : tensor<32x32xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<32x32x!tile.ptr<f32>>
  %q = tile.ptr_add %ps, %o : tensor<32x32x!tile.ptr<f32>>, tensor<32x32xi32>
  %x = tile.load %q : tensor<32x32x!tile.ptr<f32>>
  %s = tile.reduce %x axis 1 : (tensor<32x32xf32>) -> tensor<32xf32> {
  ^bb0(%a: f32, %b: f32):
    %m = arith.addf %a, %b : f32
    tile.yield %m : f32
  }
  %sc = tile.expand %s axis 1 : tensor<32xf32> -> tensor<32x1xf32>
  %sc2 = tile.broadcast %sc : tensor<32x1xf32> -> tensor<32x32xf32>
  %sr = tile.expand %s axis 0 : tensor<32xf32> -> tensor<1x32xf32>
  %sr2 = tile.broadcast %sr : tensor<1x32xf32> -> tensor<32x32xf32>
  %u = arith.addf %sc2, %sr2 : tensor<32x32xf32>
  tile.store %q, %u : tensor<32x32x!tile.ptr<f32>>
  return
}

// -----

// What nobody wants is not reduced.
// CHECK-LABEL: @unused_results_go
// CHECK-NOT: tile.reduce
// CHECK-NOT: tile.scan
// CHECK: return
func.func @unused_results_go(%p: !tile.ptr<f32> {tile.divisibility = 16 : i64}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i64}) attributes {tile.kernel} {
  %i = tile.iota : tensor<32xi32>
  %j = tile.iota : tensor<32xi32>
  %pitch = arith.constant dense<32> : tensor<32x32xi32>
  %r = tile.expand %i axis 1 : tensor<32xi32> -> tensor<32x1xi32>
  %r2 = tile.broadcast %r : tensor<32x1xi32> -> tensor<32x32xi32>
  %c = tile.expand %j axis 0 : tensor<32xi32> -> tensor<1x32xi32>
  %c2 = tile.broadcast %c : tensor<1x32xi32> -> tensor<32x32xi32>
  %rp = arith.muli %r2, %pitch : tensor<32x32xi32>
  %o = arith.addi %rp, %c2 : tensor<32x32xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<32x32x!tile.ptr<f32>>
  %q = tile.ptr_add %ps, %o : tensor<32x32x!tile.ptr<f32>>, tensor<32x32xi32>
  %x = tile.load %q : tensor<32x32x!tile.ptr<f32>>
  %s = tile.reduce %x axis 1 : (tensor<32x32xf32>) -> tensor<32xf32> {
  ^bb0(%a: f32, %b: f32):
    %m = arith.addf %a, %b : f32
    tile.yield %m : f32
  }
  %t = tile.scan %x axis 1 : (tensor<32x32xf32>) -> tensor<32x32xf32> {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}
