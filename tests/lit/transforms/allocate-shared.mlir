// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: trowel-opt %s -tile-allocate-shared | FileCheck %s

#line = #tile.layout<blocked<registers = [1], lanes = [32], warps = [8], order = [0]>>
#one = #tile.layout<blocked<registers = [8], lanes = [32], warps = [1], order = [0]>>
#plane = #tile.layout<blocked<registers = [1, 1], lanes = [1, 32], warps = [1, 8], order = [1, 0]>, extents = [128, 256]>

// Within a warp nothing goes through shared memory.
// CHECK: func.func @one_warp_needs_none(%{{.*}}) attributes {tile.kernel} {
// CHECK-NOT: tile.scratch
func.func @one_warp_needs_none(%x: tensor<256xi32, #one>) attributes {tile.kernel} {
  %s = tile.reduce %x axis 0 : (tensor<256xi32, #one>) -> i32 {
  ^bb0(%a: i32, %b: i32):
    %m = arith.addi %a, %b : i32
    tile.yield %m : i32
  }
  return
}

// A word for each of 8 warps; a second place for every other op.
// CHECK: func.func @places_alternate(%{{.*}}) attributes {tile.kernel, tile.shared_bytes = 96 : i64} {
// CHECK: tile.reduce %{{.*}} axis 0 {tile.scratch = 0 : i64}
// CHECK: tile.reduce %{{.*}} axis 0 {tile.scratch = 64 : i64}
// CHECK: tile.reduce %{{.*}} axis 0 {tile.scratch = 0 : i64}
// CHECK: tile.scan %{{.*}} axis 0 {tile.scratch = 64 : i64}
func.func @places_alternate(%x: tensor<256xi32, #line>, %w: tensor<256xi64, #line>) attributes {tile.kernel} {
  %s = tile.reduce %x axis 0 : (tensor<256xi32, #line>) -> i32 {
  ^bb0(%a: i32, %b: i32):
    %m = arith.addi %a, %b : i32
    tile.yield %m : i32
  }
  %t = tile.reduce %x axis 0 : (tensor<256xi32, #line>) -> i32 {
  ^bb0(%a: i32, %b: i32):
    %m = arith.addi %a, %b : i32
    tile.yield %m : i32
  }
  %u = tile.reduce %w axis 0 : (tensor<256xi64, #line>) -> i64 {
  ^bb0(%a: i64, %b: i64):
    %m = arith.addi %a, %b : i64
    tile.yield %m : i64
  }
  %v = tile.scan %x axis 0 : (tensor<256xi32, #line>) -> tensor<256xi32, #line> {
  ^bb0(%a: i32, %b: i32):
    %m = arith.addi %a, %b : i32
    tile.yield %m : i32
  }
  return
}

// Narrow elements and bools take a word; several operands lie one after another.
// CHECK: func.func @several_operands(%{{.*}}, %{{.*}}) attributes {tile.kernel, tile.shared_bytes = 96 : i64} {
func.func @several_operands(%x: tensor<256xi1, #line>, %y: tensor<256xf64, #line>) attributes {tile.kernel} {
  %r:2 = tile.reduce %x, %y axis 0 : (tensor<256xi1, #line>, tensor<256xf64, #line>) -> (i1, f64) {
  ^bb0(%a: i1, %b: f64, %c: i1, %d: f64):
    tile.yield %a, %b : i1, f64
  }
  return
}

// Large ones share one place.
// CHECK: func.func @large_ones_share(%{{.*}}, %{{.*}}) attributes {tile.kernel, tile.shared_bytes = 4096 : i64} {
// CHECK: tile.reduce %{{.*}} axis 1 {tile.scratch = 0 : i64}
// CHECK: tile.reduce %{{.*}} axis 1 {tile.scratch = 0 : i64}
func.func @large_ones_share(%x: tensor<128x256xi32, #plane>, %y: tensor<128x256xf32, #plane>) attributes {tile.kernel} {
  %s = tile.reduce %x axis 1 : (tensor<128x256xi32, #plane>) -> tensor<128xi32, #tile.layout<slice<axis = 1, extent = 256, blocked<registers = [1, 1], lanes = [1, 32], warps = [1, 8], order = [1, 0]>>, extents = [128]>> {
  ^bb0(%a: i32, %b: i32):
    tile.yield %a : i32
  }
  %t = tile.reduce %y axis 1 : (tensor<128x256xf32, #plane>) -> tensor<128xf32, #tile.layout<slice<axis = 1, extent = 256, blocked<registers = [1, 1], lanes = [1, 32], warps = [1, 8], order = [1, 0]>>, extents = [128]>> {
  ^bb0(%a: f32, %b: f32):
    tile.yield %a : f32
  }
  return
}

// In loops and branches, too.
// CHECK: func.func @everywhere(%{{.*}}) attributes {tile.kernel, tile.shared_bytes = 64 : i64} {
// CHECK: scf.if
// CHECK: tile.reduce %{{.*}} axis 0 {tile.scratch = 0 : i64}
// CHECK: else
// CHECK: tile.reduce %{{.*}} axis 0 {tile.scratch = 32 : i64}
func.func @everywhere(%x: tensor<256xi32, #line>, %c: i1) attributes {tile.kernel} {
  scf.if %c {
    %s = tile.reduce %x axis 0 : (tensor<256xi32, #line>) -> i32 {
    ^bb0(%a: i32, %b: i32):
      %m = arith.addi %a, %b : i32
      tile.yield %m : i32
    }
  } else {
    %t = tile.reduce %x axis 0 : (tensor<256xi32, #line>) -> i32 {
    ^bb0(%a: i32, %b: i32):
      %m = arith.addi %a, %b : i32
      tile.yield %m : i32
    }
  }
  return
}
