// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: trowel-opt %s -split-input-file -verify-diagnostics

func.func @axis_beyond_the_grid() {
  // expected-error @+1 {{'tile.program_id' op has axis 3, but a grid has the axes 0, 1 and 2}}
  %0 = tile.program_id 3 : i64
  return
}

// -----

func.func @negative_axis() {
  // expected-error @+1 {{'tile.program_count' op has axis -1, but a grid has the axes 0, 1 and 2}}
  %0 = tile.program_count -1 : i64
  return
}

// -----

func.func @ids_are_64_bits_wide() {
  // expected-error @+1 {{'tile.program_id' op result #0 must be 64-bit signless integer, but got 'i32'}}
  %0 = tile.program_id 0 : i32
  return
}

// -----

func.func @only_functions_are_kernels() {
  // expected-error @+1 {{has the attribute tile.kernel, which belongs to functions}}
  %0 = arith.constant {tile.kernel} 0 : i32
  return
}

// -----

// expected-error @+1 {{has 64 : i64 as tile.warps; it is a power of two from 1 to 32}}
func.func @more_warps_than_a_program_has() attributes {tile.kernel, tile.warps = 64 : i64} {
  return
}

// -----

// expected-error @+1 {{has "two" as tile.warps; it is a power of two from 1 to 32}}
func.func @warps_in_words() attributes {tile.kernel, tile.warps = "two"} {
  return
}
