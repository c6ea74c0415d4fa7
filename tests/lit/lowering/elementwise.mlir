// RUN: trowel-opt %s -split-input-file -verify-diagnostics -tile-lower-to-nvvm | FileCheck %s

// No division that LLVM would call undefined is left: 0 and -1 divide as 1 and are selected afterwards.
// CHECK-LABEL: llvm.func @division_is_total
// CHECK-SAME: %[[X:[a-z0-9]+]]: i32, %[[Y:[a-z0-9]+]]: i32
func.func @division_is_total(%p: !tile.ptr<i32>, %x: i32, %y: i32) attributes {tile.kernel} {
  // CHECK: %[[ZERO:.*]] = llvm.icmp "eq" %[[Y]]
  // CHECK: %[[MINUS:.*]] = llvm.icmp "eq" %[[Y]]
  // CHECK: %[[UNSAFE:.*]] = llvm.or %[[ZERO]], %[[MINUS]]
  // CHECK: %[[SAFE:.*]] = llvm.select %[[UNSAFE]]
  // CHECK: llvm.sdiv %[[X]], %[[SAFE]]
  %q = tile.div %x, %y : i32
  // CHECK: llvm.srem %[[X]], %{{.*}}
  %r = tile.rem %x, %y : i32
  tile.store %p, %q : !tile.ptr<i32>
  tile.store %p, %r : !tile.ptr<i32>
  return
}

// -----

// Rounding to odd on the way to bf16: toward zero, and the last bit remembers what was lost.
// CHECK-LABEL: llvm.func @integer_rounds_to_bf16_once
func.func @integer_rounds_to_bf16_once(%p: !tile.ptr<bf16>, %x: i64) attributes {tile.kernel} {
  // CHECK: llvm.nvvm.ll2f.rz
  // CHECK: llvm.nvvm.f2ll.rz
  // CHECK: llvm.or
  // CHECK: llvm.fptrunc %{{.*}} : f32 to bf16
  %y = arith.sitofp %x : i64 to bf16
  tile.store %p, %y : !tile.ptr<bf16>
  return
}

// -----

// CHECK-LABEL: llvm.func @unsigned_division_is_total
// CHECK-SAME: %[[X:[a-z0-9]+]]: i32, %[[Y:[a-z0-9]+]]: i32
func.func @unsigned_division_is_total(%p: !tile.ptr<i32>, %x: i32, %y: i32) attributes {tile.kernel} {
  // CHECK: %[[ZERO:.*]] = llvm.icmp "eq" %[[Y]]
  // CHECK: %[[SAFE:.*]] = llvm.select %[[ZERO]]
  // CHECK: llvm.udiv %[[X]], %[[SAFE]]
  %q = tile.div_u %x, %y : i32
  tile.store %p, %q : !tile.ptr<i32>
  return
}

// -----

// LLVM's shifts are poison from the width on, so the count is kept below it.
// CHECK-LABEL: llvm.func @shifts_are_total
// CHECK-SAME: %[[X:[a-z0-9]+]]: i8, %[[N:[a-z0-9]+]]: i8
func.func @shifts_are_total(%p: !tile.ptr<i8>, %x: i8, %n: i8) attributes {tile.kernel} {
  // CHECK: %[[WITHIN:.*]] = llvm.icmp "ult" %[[N]]
  // CHECK: %[[MASKED:.*]] = llvm.and %[[N]]
  // CHECK: %[[SHIFTED:.*]] = llvm.shl %[[X]], %[[MASKED]]
  // CHECK: llvm.select %[[WITHIN]], %[[SHIFTED]]
  %l = tile.shl %x, %n : i8
  // CHECK: %[[MOST:.*]] = llvm.mlir.constant(7 : i8)
  // CHECK: %[[PLACES:.*]] = llvm.intr.umin(%[[N]], %[[MOST]])
  // CHECK: llvm.ashr %[[X]], %[[PLACES]]
  %r = tile.shr %x, %n : i8
  tile.store %p, %l : !tile.ptr<i8>
  tile.store %p, %r : !tile.ptr<i8>
  return
}

// -----

// Bytes are clamped as i32, whose conversion saturates in hardware.
// CHECK-LABEL: llvm.func @fraction_to_byte
func.func @fraction_to_byte(%p: !tile.ptr<i8>, %x: f64) attributes {tile.kernel} {
  // CHECK: llvm.nvvm.d2i.rz
  // CHECK: llvm.intr.smax
  // CHECK: llvm.intr.smin
  // CHECK: llvm.trunc %{{.*}} : i32 to i8
  %y = tile.fp_to_int_u %x : f64 -> i8
  tile.store %p, %y : !tile.ptr<i8>
  return
}

// -----

// CHECK-LABEL: llvm.func @unsigned_integer_rounds_to_bf16_once
func.func @unsigned_integer_rounds_to_bf16_once(%p: !tile.ptr<bf16>, %x: i64) attributes {tile.kernel} {
  // CHECK: llvm.nvvm.ull2f.rz
  // CHECK: llvm.nvvm.f2ull.rz
  %y = arith.uitofp %x : i64 to bf16
  tile.store %p, %y : !tile.ptr<bf16>
  return
}

// -----

// CHECK-LABEL: llvm.func @product_of_twice_the_width
func.func @product_of_twice_the_width(%p: !tile.ptr<i32>, %x: i32) attributes {tile.kernel} {
  // CHECK: llvm.zext %{{.*}} : i32 to i64
  // CHECK: llvm.mul %{{.*}} : i64
  // CHECK: llvm.lshr
  %u = tile.mul_high_u %x, %x : i32
  // CHECK: llvm.sext %{{.*}} : i32 to i64
  %s = tile.mul_high %x, %x : i32
  tile.store %p, %u : !tile.ptr<i32>
  tile.store %p, %s : !tile.ptr<i32>
  return
}
