// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: trowel-opt %s -split-input-file -verify-diagnostics -tile-number-records | FileCheck %s

// CHECK-LABEL: func.func @records_are_numbered_in_loops_and_branches
// CHECK-SAME: (%{{.*}}: i64, %[[BUFFER:.*]]: !tile.ptr<i64> {tile.records})
func.func @records_are_numbered_in_loops_and_branches(%n: i64) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  // CHECK: tile.record ["first"] to %[[BUFFER]] : !tile.ptr<i64> {number = 0 : i32}
  %0 = tile.record ["first"]
  scf.for %i = %c0 to %n step %c1 : i64 {
    %odd = arith.cmpi eq, %i, %c1 : i64
    scf.if %odd {
      // CHECK: tile.record ["second ", ""](%{{.*}} : i64) to %[[BUFFER]] : !tile.ptr<i64> {number = 1 : i32}
      %1 = tile.record ["second ", ""] (%i : i64)
    }
    // CHECK: tile.record failure ["third"] mask %{{.*}} : i1 to %[[BUFFER]] : !tile.ptr<i64> {number = 2 : i32}
    %2 = tile.record failure ["third"] mask %odd : i1
  }
  return
}

// -----

// CHECK-LABEL: func.func @kernel_without_records_stays_as_it_is
// CHECK-SAME: (%{{[^,]*}}: i64) attributes
func.func @kernel_without_records_stays_as_it_is(%n: i64) attributes {tile.kernel} {
  return
}

// -----

func.func @records_are_numbered_once(%b: !tile.ptr<i64>) attributes {tile.kernel} {
  // expected-error @+1 {{has a buffer already: records are numbered once}}
  %0 = tile.record ["x"] to %b : !tile.ptr<i64>
  return
}
