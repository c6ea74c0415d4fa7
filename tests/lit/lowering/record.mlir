// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: trowel-opt %s -split-input-file -verify-diagnostics -tile-layout-pipeline -tile-lower-to-nvvm | FileCheck %s
// RUN: trowel-opt %s -split-input-file -tile-layout-pipeline | FileCheck %s --check-prefix=LAYOUT

// Neighbours lie in neighbouring lanes where nothing else wants the shape.
// LAYOUT: #[[LINE:.*]] = #tile.layout<blocked<registers = [1], lanes = [32], warps = [1], order = [0]>, extents = [64]>
// LAYOUT-LABEL: @prints_alone_choose_a_layout
// LAYOUT: tile.record ["", ""](%{{.*}} : tensor<64xi32, #[[LINE]]>) to
// CHECK-LABEL: llvm.func @prints_alone_choose_a_layout
// CHECK-SAME: !llvm.ptr<1>
// CHECK-COUNT-2: atom.global.add.u64
// CHECK-NOT: atom.global
// CHECK: llvm.return
func.func @prints_alone_choose_a_layout() attributes {tile.kernel} {
  %i = tile.iota : tensor<64xi32>
  %0 = tile.record ["", ""] (%i : tensor<64xi32>)
  return
}

// -----

// LAYOUT-DAG: #[[WIDE:.*]] = #tile.layout<blocked<registers = [4], lanes = [32], warps = [1], order = [0]>>
// LAYOUT-LABEL: @prints_take_the_layout_of_an_access
// LAYOUT: tile.load %{{.*}} {width = 4 : i32}
// LAYOUT: tile.record ["", ""](%{{.*}} : tensor<128xf32, #[[WIDE]]>) to
// CHECK-LABEL: llvm.func @prints_take_the_layout_of_an_access
func.func @prints_take_the_layout_of_an_access(%p: !tile.ptr<f32> {tile.divisibility = 16 : i64}) attributes {tile.kernel} {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>
  %i = tile.iota : tensor<128xi32>
  %q = tile.ptr_add %ps, %i : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  %v = tile.load %q : tensor<128x!tile.ptr<f32>>
  %0 = tile.record ["", ""] (%v : tensor<128xf32>)
  return
}

// -----

// Padding is masked, and of the threads that hold an element one tells it.
// LAYOUT-LABEL: @padding_tells_nothing
// LAYOUT: tile.record ["", ""](%{{.*}}) mask %{{.*}} to
// CHECK-LABEL: llvm.func @padding_tells_nothing
// CHECK: llvm.and %{{.*}}, %{{.*}} : i32
// CHECK: llvm.icmp "eq"
// CHECK-COUNT-1: atom.global.add.u64
// CHECK-NOT: atom.global
func.func @padding_tells_nothing() attributes {tile.kernel} {
  %i = tile.iota : tensor<5xi32>
  %0 = tile.record ["", ""] (%i : tensor<5xi32>)
  return
}

// -----

// A barrier tells all threads whether a check failed; a print has none.
// CHECK-LABEL: llvm.func @failures_end_the_program
// CHECK: red.global.add.u64 [$0+16]
// CHECK: llvm.nvvm.barrier.cta.red.or.aligned.all
// CHECK: llvm.cond_br
// CHECK: red.global.add.u64 [$0+8]
// CHECK-NOT: barrier
func.func @failures_end_the_program(%n: i32) attributes {tile.kernel} {
  %i = tile.iota : tensor<32xi32>
  %ns = tile.splat %n : i32 -> tensor<32xi32>
  %m = arith.cmpi sgt, %i, %ns : tensor<32xi32>
  %0 = tile.record failure ["it holds"] mask %m : tensor<32xi1>
  tile.return_if %0
  %1 = tile.record ["", ""] (%i : tensor<32xi32>) mask %m : tensor<32xi1>
  return
}

// -----

// The condition is the same in all threads: no barrier.
// CHECK-LABEL: llvm.func @failures_of_scalars_need_no_barrier
// CHECK-NOT: barrier
// CHECK: llvm.cond_br
func.func @failures_of_scalars_need_no_barrier(%c: i1) attributes {tile.kernel} {
  %0 = tile.record failure ["it holds"] mask %c : i1
  tile.return_if %0
  return
}

// -----

// CHECK-LABEL: llvm.func @records_of_a_program_are_counted_once
// CHECK-COUNT-1: llvm.alloca
// CHECK-NOT: llvm.alloca
func.func @records_of_a_program_are_counted_once() attributes {tile.kernel} {
  %0 = tile.record ["a"]
  %1 = tile.record ["b"]
  return
}
