// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: trowel-opt %s | trowel-opt | FileCheck %s
// RUN: trowel-opt %s -mlir-print-op-generic | trowel-opt | FileCheck %s

// CHECK-LABEL: @ids_and_counts_of_all_axes
// CHECK-SAME: attributes {tile.kernel}
func.func @ids_and_counts_of_all_axes() -> (i64, i64, i64, i64) attributes {tile.kernel} {
  // CHECK: tile.program_id 0 : i64
  %x = tile.program_id 0 : i64
  // CHECK: tile.program_id 1 : i64
  %y = tile.program_id 1 : i64
  // CHECK: tile.program_id 2 : i64
  %z = tile.program_id 2 : i64
  // CHECK: tile.program_count 2 : i64
  %n = tile.program_count 2 : i64
  return %x, %y, %z, %n : i64, i64, i64, i64
}

// CHECK-LABEL: @keeps_what_the_arguments_carry
// CHECK-SAME: %{{.*}}: !tile.ptr<f32> {tile.divisibility = 16 : i64, tile.name = "x"}
func.func @keeps_what_the_arguments_carry(
    %x: !tile.ptr<f32> {tile.name = "x", tile.divisibility = 16 : i64}) attributes {tile.kernel} {
  return
}
