// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: trowel-opt %s | trowel-opt | FileCheck %s
// RUN: trowel-opt %s -mlir-print-op-generic | trowel-opt | FileCheck %s
// RUN: trowel-opt %s -cse | FileCheck %s --check-prefix=CSE

#a = #tile.layout<blocked<registers = [1], lanes = [32], warps = [2], order = [0]>>
#b = #tile.layout<blocked<registers = [2], lanes = [32], warps = [1], order = [0]>>

// CHECK-LABEL: @along_an_axis
func.func @along_an_axis(%x: tensor<8x128xf32>) -> tensor<8xf32> {
  // CHECK: %[[S:.*]] = tile.reduce %{{.*}} axis 1 : (tensor<8x128xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32):
  // CHECK-NEXT: %[[C:.*]] = arith.addf %[[A]], %[[B]] : f32
  // CHECK-NEXT: tile.yield %[[C]] : f32
  %s = tile.reduce %x axis 1 : (tensor<8x128xf32>) -> tensor<8xf32> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  // CHECK: return %[[S]]
  return %s : tensor<8xf32>
}

// CHECK-LABEL: @several_tiles_to_numbers
func.func @several_tiles_to_numbers(%x: tensor<128xf16>, %i: tensor<128xi32>) -> (f16, i32) {
  // CHECK: %[[R:.*]]:2 = tile.reduce %{{.*}}, %{{.*}} axis 0 {hint = 1 : i64} : (tensor<128xf16>, tensor<128xi32>) -> (f16, i32) {
  // CHECK-NEXT: ^bb0(%{{.*}}: f16, %{{.*}}: i32, %{{.*}}: f16, %{{.*}}: i32):
  // CHECK: tile.yield %{{.*}}, %{{.*}} : f16, i32
  %r:2 = tile.reduce %x, %i axis 0 {hint = 1} : (tensor<128xf16>, tensor<128xi32>) -> (f16, i32) {
  ^bb0(%a: f16, %m: i32, %b: f16, %n: i32):
    %less = arith.cmpf olt, %a, %b : f16
    %v = arith.select %less, %b, %a : f16
    %p = arith.select %less, %n, %m : i32
    tile.yield %v, %p : f16, i32
  }
  return %r#0, %r#1 : f16, i32
}

// CHECK-LABEL: @running
func.func @running(%x: tensor<4x100xi1>) {
  // CHECK: tile.scan %{{.*}} axis 0 : (tensor<4x100xi1>) -> tensor<4x100xi1> {
  %s = tile.scan %x axis 0 : (tensor<4x100xi1>) -> tensor<4x100xi1> {
  ^bb0(%a: i1, %b: i1):
    %c = arith.xori %a, %b : i1
    tile.yield %c : i1
  }
  // CHECK: tile.scan %{{.*}} axis 1 reverse : (tensor<4x100xi1>) -> tensor<4x100xi1> {
  %t = tile.scan %x axis 1 reverse : (tensor<4x100xi1>) -> tensor<4x100xi1> {
  ^bb0(%a: i1, %b: i1):
    tile.yield %a : i1
  }
  return
}

// CHECK-LABEL: @conversion
func.func @conversion(%x: tensor<64xf32, #a>) -> tensor<64xf32, #b> {
  // CHECK: tile.convert_layout %{{.*}} : tensor<64xf32, #{{.*}}> -> tensor<64xf32, #{{.*}}>
  %y = tile.convert_layout %x : tensor<64xf32, #a> -> tensor<64xf32, #b>
  return %y : tensor<64xf32, #b>
}

// Equal reductions are one; the direction of a scan tells two apart.
// CSE-LABEL: @equal_ones
func.func @equal_ones(%x: tensor<64xi32>) -> (i32, i32, tensor<64xi32>, tensor<64xi32>) {
  // CSE-COUNT-1: tile.reduce
  // CSE-NOT: tile.reduce
  // CSE-COUNT-2: tile.scan
  %r = tile.reduce %x axis 0 : (tensor<64xi32>) -> i32 {
  ^bb0(%a: i32, %b: i32):
    %c = arith.addi %a, %b : i32
    tile.yield %c : i32
  }
  %s = tile.reduce %x axis 0 : (tensor<64xi32>) -> i32 {
  ^bb0(%a: i32, %b: i32):
    %c = arith.addi %a, %b : i32
    tile.yield %c : i32
  }
  %f = tile.scan %x axis 0 : (tensor<64xi32>) -> tensor<64xi32> {
  ^bb0(%a: i32, %b: i32):
    %c = arith.addi %a, %b : i32
    tile.yield %c : i32
  }
  %g = tile.scan %x axis 0 reverse : (tensor<64xi32>) -> tensor<64xi32> {
  ^bb0(%a: i32, %b: i32):
    %c = arith.addi %a, %b : i32
    tile.yield %c : i32
  }
  return %r, %s, %f, %g : i32, i32, tensor<64xi32>, tensor<64xi32>
}
