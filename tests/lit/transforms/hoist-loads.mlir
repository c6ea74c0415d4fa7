// RUN: trowel-opt %s -tile-hoist-loads | FileCheck %s

#row = #tile.layout<blocked<registers = [4], lanes = [32], warps = [4], order = [0]>>
#wide = #tile.layout<blocked<registers = [32], lanes = [32], warps = [4], order = [0]>>
#warp = #tile.layout<blocked<registers = [4], lanes = [32], warps = [1], order = [0]>>

// The weights do not wait for the sum, nor does their address.
// CHECK-LABEL: @loads_before_threads_meet
// CHECK: tile.load
// CHECK: tile.ptr_add
// CHECK-NEXT: tile.load
// CHECK: tile.reduce
// CHECK: tile.store
func.func @loads_before_threads_meet(%x: tensor<512x!tile.ptr<f32>, #row>, %w: tensor<512x!tile.ptr<f32>, #row>, %i: tensor<512xi32, #row>) {
  %v = tile.load %x : tensor<512x!tile.ptr<f32>, #row>
  %s = tile.reduce %v axis 0 : (tensor<512xf32, #row>) -> f32 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  %p = tile.ptr_add %w, %i : tensor<512x!tile.ptr<f32>, #row>, tensor<512xi32, #row>
  %l = tile.load %p : tensor<512x!tile.ptr<f32>, #row>
  %t = tile.splat %s : f32 -> tensor<512xf32, #row>
  %y = arith.mulf %l, %t : tensor<512xf32, #row>
  tile.store %x, %y : tensor<512x!tile.ptr<f32>, #row>
  return
}

// What is loaded where the sum says cannot be loaded before it.
// CHECK-LABEL: @not_what_needs_the_result
// CHECK: tile.reduce
// CHECK: tile.load
func.func @not_what_needs_the_result(%x: tensor<512xi32, #row>, %w: !tile.ptr<f32>, %y: !tile.ptr<f32>) {
  %s = tile.reduce %x axis 0 : (tensor<512xi32, #row>) -> i32 {
  ^bb0(%a: i32, %b: i32):
    %c = arith.maxsi %a, %b : i32
    tile.yield %c : i32
  }
  %p = tile.ptr_add %w, %s : !tile.ptr<f32>, i32
  %l = tile.load %p : !tile.ptr<f32>
  tile.store %y, %l : !tile.ptr<f32>
  return
}

// CHECK-LABEL: @not_past_a_store
// CHECK: tile.store
// CHECK: tile.load
func.func @not_past_a_store(%x: tensor<512xf32, #row>, %y: !tile.ptr<f32>) {
  %s = tile.reduce %x axis 0 : (tensor<512xf32, #row>) -> f32 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  tile.store %y, %s : !tile.ptr<f32>
  %l = tile.load %y : !tile.ptr<f32>
  tile.store %y, %l : !tile.ptr<f32>
  return
}

// 32 elements a thread would take 32 registers while they wait.
// CHECK-LABEL: @not_more_than_waits_cheaply
// CHECK: tile.reduce
// CHECK: tile.load
func.func @not_more_than_waits_cheaply(%x: tensor<4096xf32, #wide>, %w: tensor<4096x!tile.ptr<f32>, #wide>) {
  %s = tile.reduce %x axis 0 : (tensor<4096xf32, #wide>) -> f32 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  %l = tile.load %w : tensor<4096x!tile.ptr<f32>, #wide>
  %t = tile.splat %s : f32 -> tensor<4096xf32, #wide>
  %y = arith.mulf %l, %t : tensor<4096xf32, #wide>
  tile.store %w, %y : tensor<4096x!tile.ptr<f32>, #wide>
  return
}

// In one warp threads do not meet at a barrier, so loads stay where they are.
// CHECK-LABEL: @not_within_a_warp
// CHECK: tile.reduce
// CHECK: tile.load
func.func @not_within_a_warp(%x: tensor<128xf32, #warp>, %w: !tile.ptr<f32>, %y: !tile.ptr<f32>) {
  %s = tile.reduce %x axis 0 : (tensor<128xf32, #warp>) -> f32 {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tile.yield %c : f32
  }
  %l = tile.load %w : !tile.ptr<f32>
  %t = arith.mulf %l, %s : f32
  tile.store %y, %t : !tile.ptr<f32>
  return
}
