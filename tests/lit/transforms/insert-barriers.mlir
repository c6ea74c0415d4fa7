// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: trowel-opt %s -tile-allocate-shared -tile-insert-barriers | FileCheck %s

#line = #tile.layout<blocked<registers = [1], lanes = [32], warps = [8], order = [0]>>
#plane = #tile.layout<blocked<registers = [1, 1], lanes = [1, 32], warps = [1, 8], order = [1, 0]>, extents = [128, 256]>
#column = #tile.layout<slice<axis = 1, extent = 256, blocked<registers = [1, 1], lanes = [1, 32], warps = [1, 8], order = [1, 0]>>, extents = [128]>

// Two places in turn: the barrier inside the second op stands between the first and the third.
// CHECK-LABEL: @straight_line_needs_none
// CHECK-NOT: tile.barrier
func.func @straight_line_needs_none(%x: tensor<256xi32, #line>) attributes {tile.kernel} {
  %s = tile.reduce %x axis 0 : (tensor<256xi32, #line>) -> i32 {
  ^bb0(%a: i32, %b: i32):
    %m = arith.addi %a, %b : i32
    tile.yield %m : i32
  }
  %t = tile.reduce %x axis 0 : (tensor<256xi32, #line>) -> i32 {
  ^bb0(%a: i32, %b: i32):
    %m = arith.maxsi %a, %b : i32
    tile.yield %m : i32
  }
  %u = tile.reduce %x axis 0 : (tensor<256xi32, #line>) -> i32 {
  ^bb0(%a: i32, %b: i32):
    %m = arith.minsi %a, %b : i32
    tile.yield %m : i32
  }
  return
}

// Large ones share a place, which must have been read before it is written again.
// CHECK-LABEL: @one_place_needs_a_barrier
// CHECK-NOT: tile.barrier
// CHECK: tile.reduce
// CHECK: tile.barrier
// CHECK-NEXT: tile.reduce
// CHECK-NOT: tile.barrier
// CHECK: return
func.func @one_place_needs_a_barrier(%x: tensor<128x256xi32, #plane>) attributes {tile.kernel} {
  %s = tile.reduce %x axis 1 : (tensor<128x256xi32, #plane>) -> tensor<128xi32, #column> {
  ^bb0(%a: i32, %b: i32):
    tile.yield %a : i32
  }
  %t = tile.reduce %x axis 1 : (tensor<128x256xi32, #plane>) -> tensor<128xi32, #column> {
  ^bb0(%a: i32, %b: i32):
    tile.yield %b : i32
  }
  return
}

// Each trip writes what the one before read.
// CHECK-LABEL: @loop_with_one
// CHECK: scf.for
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.reduce
// CHECK-NOT: tile.barrier
// CHECK: return
func.func @loop_with_one(%x: tensor<256xi32, #line>, %n: i64) attributes {tile.kernel} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  scf.for %i = %zero to %n step %one : i64 {
    %s = tile.reduce %x axis 0 : (tensor<256xi32, #line>) -> i32 {
    ^bb0(%a: i32, %b: i32):
      %m = arith.addi %a, %b : i32
      tile.yield %m : i32
    }
  }
  return
}

// With two in turn a trip needs none.
// CHECK-LABEL: @loop_with_two
// CHECK-NOT: tile.barrier
// CHECK: return
func.func @loop_with_two(%x: tensor<256xi32, #line>, %n: i64) attributes {tile.kernel} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  scf.for %i = %zero to %n step %one : i64 {
    %s = tile.reduce %x axis 0 : (tensor<256xi32, #line>) -> i32 {
    ^bb0(%a: i32, %b: i32):
      %m = arith.addi %a, %b : i32
      tile.yield %m : i32
    }
    %t = tile.reduce %x axis 0 : (tensor<256xi32, #line>) -> i32 {
    ^bb0(%a: i32, %b: i32):
      %m = arith.maxsi %a, %b : i32
      tile.yield %m : i32
    }
  }
  return
}

// With three the first follows the third, in the same place.
// CHECK-LABEL: @loop_with_three
// CHECK: scf.for
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.reduce
// CHECK-NOT: tile.barrier
// CHECK: return
func.func @loop_with_three(%x: tensor<256xi32, #line>, %n: i64) attributes {tile.kernel} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  scf.for %i = %zero to %n step %one : i64 {
    %s = tile.reduce %x axis 0 : (tensor<256xi32, #line>) -> i32 {
    ^bb0(%a: i32, %b: i32):
      %m = arith.addi %a, %b : i32
      tile.yield %m : i32
    }
    %t = tile.reduce %x axis 0 : (tensor<256xi32, #line>) -> i32 {
    ^bb0(%a: i32, %b: i32):
      %m = arith.maxsi %a, %b : i32
      tile.yield %m : i32
    }
    %u = tile.reduce %x axis 0 : (tensor<256xi32, #line>) -> i32 {
    ^bb0(%a: i32, %b: i32):
      %m = arith.minsi %a, %b : i32
      tile.yield %m : i32
    }
  }
  return
}

// A barrier for global memory serves, too.
// CHECK-LABEL: @loop_with_a_barrier
// CHECK: scf.for
// CHECK-NEXT: tile.reduce
// CHECK: tile.barrier
// CHECK-NOT: tile.barrier
// CHECK: return
func.func @loop_with_a_barrier(%x: tensor<256xi32, #line>, %n: i64) attributes {tile.kernel} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  scf.for %i = %zero to %n step %one : i64 {
    %s = tile.reduce %x axis 0 : (tensor<256xi32, #line>) -> i32 {
    ^bb0(%a: i32, %b: i32):
      %m = arith.addi %a, %b : i32
      tile.yield %m : i32
    }
    tile.barrier
  }
  return
}

// The places are 0 in front of the branch, 32 in it, 0 behind it. If the branch is left out nothing stands
// between the two at 0.
// CHECK-LABEL: @branch_may_be_left_out
// CHECK-NOT: tile.barrier
// CHECK: scf.if
// CHECK-NOT: tile.barrier
// CHECK: tile.yield
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.reduce
func.func @branch_may_be_left_out(%x: tensor<256xi32, #line>, %c: i1) attributes {tile.kernel} {
  %s = tile.reduce %x axis 0 : (tensor<256xi32, #line>) -> i32 {
  ^bb0(%a: i32, %b: i32):
    %m = arith.addi %a, %b : i32
    tile.yield %m : i32
  }
  scf.if %c {
    %t = tile.reduce %x axis 0 : (tensor<256xi32, #line>) -> i32 {
    ^bb0(%a: i32, %b: i32):
      %m = arith.maxsi %a, %b : i32
      tile.yield %m : i32
    }
  }
  %u = tile.reduce %x axis 0 : (tensor<256xi32, #line>) -> i32 {
  ^bb0(%a: i32, %b: i32):
    %m = arith.minsi %a, %b : i32
    tile.yield %m : i32
  }
  return
}

// The condition of a loop is computed before each trip and once more.
// CHECK-LABEL: @condition_of_a_loop
// CHECK: scf.while
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.reduce
// CHECK-NOT: tile.barrier
// CHECK: } do {
// CHECK-NOT: tile.barrier
// CHECK: return
func.func @condition_of_a_loop(%x: tensor<256xi32, #line>) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  scf.while : () -> () {
    %s = tile.reduce %x axis 0 : (tensor<256xi32, #line>) -> i32 {
    ^bb0(%a: i32, %b: i32):
      %m = arith.addi %a, %b : i32
      tile.yield %m : i32
    }
    %more = arith.cmpi sgt, %s, %zero : i32
    scf.condition(%more)
  } do {
    scf.yield
  }
  return
}
