// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: trowel-opt %s -tile-spread-assumptions -split-input-file | FileCheck %s

// CHECK-LABEL: @bounds_and_divisors
func.func @bounds_and_divisors(%n: i64, %p: !tile.ptr<i64>) {
  %zero = arith.constant 0 : i64
  %sixteen = arith.constant 16 : i64
  %limit = arith.constant 1024 : i64
  %rest = tile.rem %n, %sixteen : i64
  %divides = arith.cmpi eq, %rest, %zero : i64
  %below = arith.cmpi slt, %n, %limit : i64
  %both = arith.andi %divides, %below : i1
  // Before the assumption nothing is known.
  // CHECK: tile.store %{{.*}}, %[[N:arg[0-9]+|n]]
  tile.store %p, %n : !tile.ptr<i64>
  // CHECK: tile.assume
  // CHECK: %[[K:.*]] = tile.known %{{.*}} multiple 16 from -9223372036854775808 to 1023 : i64
  tile.assume %both
  // CHECK: tile.store %{{.*}}, %[[K]]
  tile.store %p, %n : !tile.ptr<i64>
  return
}

// -----

// The number behind an extension is known as well, within what both readings of it agree on.
// CHECK-LABEL: @extended
func.func @extended(%n: i32, %m: i32, %p: !tile.ptr<i32>) {
  %limit = arith.constant 1000 : i64
  %signed = arith.extsi %n : i32 to i64
  %unsigned = arith.extui %m : i32 to i64
  %a = arith.cmpi sge, %limit, %signed : i64
  %b = arith.cmpi sgt, %limit, %unsigned : i64
  %both = arith.andi %a, %b : i1
  // CHECK: tile.assume
  tile.assume %both
  // CHECK: %[[N:.*]] = tile.known %{{.*}} multiple 1 from -9223372036854775808 to 1000 : i32
  // CHECK: %[[M:.*]] = tile.known %{{.*}} multiple 1 from 0 to 999 : i32
  // CHECK: tile.store %{{.*}}, %[[N]]
  tile.store %p, %n : !tile.ptr<i32>
  // CHECK: tile.store %{{.*}}, %[[M]]
  tile.store %p, %m : !tile.ptr<i32>
  return
}

// -----

// Unsigned comparisons with a number that is not negative say that the other is not, either.
// CHECK-LABEL: @unsigned_bounds
func.func @unsigned_bounds(%n: i64, %m: i64, %p: !tile.ptr<i64>) {
  %limit = arith.constant 64 : i64
  %below = arith.cmpi ult, %n, %limit : i64
  // CHECK: tile.known %{{.*}} multiple 1 from 0 to 63 : i64
  tile.assume %below
  tile.store %p, %n : !tile.ptr<i64>
  // Between two numbers of which nothing is known it says nothing.
  %unknown = arith.cmpi ult, %m, %n : i64
  tile.store %p, %m : !tile.ptr<i64>
  return
}

// -----

// In a branch it is known there alone.
// CHECK-LABEL: @within_a_branch
func.func @within_a_branch(%n: i64, %c: i1, %p: !tile.ptr<i64>) {
  %mask = arith.constant 7 : i64
  %zero = arith.constant 0 : i64
  // CHECK: scf.if
  scf.if %c {
    %rest = arith.andi %n, %mask : i64
    %even = arith.cmpi eq, %rest, %zero : i64
    tile.assume %even
    // CHECK: %[[K:.*]] = tile.known %[[N:.*]] multiple 8
    // CHECK: tile.store %{{.*}}, %[[K]]
    tile.store %p, %n : !tile.ptr<i64>
  }
  // CHECK: }
  // CHECK: tile.store %{{.*}}, %[[N]] :
  tile.store %p, %n : !tile.ptr<i64>
  return
}

// -----

// A promise that contradicts itself, or says nothing that is understood, changes no value.
// CHECK-LABEL: @contradiction
// CHECK-NOT: tile.known
func.func @contradiction(%n: i64, %x: f32, %p: !tile.ptr<i64>) {
  %five = arith.constant 5 : i64
  %six = arith.constant 6 : i64
  %differs = arith.cmpi ne, %n, %five : i64
  tile.assume %differs
  %nan = arith.cmpf une, %x, %x : f32
  tile.assume %nan
  %never = arith.cmpi slt, %six, %five : i64
  tile.assume %never
  tile.store %p, %n : !tile.ptr<i64>
  return
}
