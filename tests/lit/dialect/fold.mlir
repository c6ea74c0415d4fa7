// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: trowel-opt %s -canonicalize | FileCheck %s

// Integer division folds by the language's rules, which are total.

// CHECK-LABEL: @division_by_zero_is_all_ones
// CHECK: %[[R:.*]] = arith.constant -1 : i32
// CHECK: return %[[R]]
func.func @division_by_zero_is_all_ones() -> i32 {
  %x = arith.constant 7 : i32
  %zero = arith.constant 0 : i32
  %0 = tile.div %x, %zero : i32
  return %0 : i32
}

// CHECK-LABEL: @remainder_by_zero_is_the_dividend
// CHECK: %[[R:.*]] = arith.constant -7 : i64
// CHECK: return %[[R]]
func.func @remainder_by_zero_is_the_dividend() -> i64 {
  %x = arith.constant -7 : i64
  %zero = arith.constant 0 : i64
  %0 = tile.rem %x, %zero : i64
  return %0 : i64
}

// CHECK-LABEL: @least_by_minus_one_wraps
// CHECK-DAG: %[[LEAST:.*]] = arith.constant -2147483648 : i32
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK: return %[[LEAST]], %[[ZERO]]
func.func @least_by_minus_one_wraps() -> (i32, i32) {
  %x = arith.constant -2147483648 : i32
  %y = arith.constant -1 : i32
  %0 = tile.div %x, %y : i32
  %1 = tile.rem %x, %y : i32
  return %0, %1 : i32, i32
}

// CHECK-LABEL: @product_is_cut_in_two
// CHECK-DAG: %[[SIGNED:.*]] = arith.constant -1 : i8
// CHECK-DAG: %[[UNSIGNED:.*]] = arith.constant 1 : i8
// CHECK: return %[[SIGNED]], %[[UNSIGNED]]
func.func @product_is_cut_in_two() -> (i8, i8) {
  %x = arith.constant -128 : i8
  %y = arith.constant 2 : i8
  %0 = tile.mul_high %x, %y : i8
  %1 = tile.mul_high_u %x, %y : i8
  return %0, %1 : i8, i8
}

// CHECK-LABEL: @division_truncates_toward_zero
// CHECK-DAG: %[[Q:.*]] = arith.constant dense<-3> : tensor<4xi32>
// CHECK-DAG: %[[R:.*]] = arith.constant dense<-1> : tensor<4xi32>
// CHECK: return %[[Q]], %[[R]]
func.func @division_truncates_toward_zero() -> (tensor<4xi32>, tensor<4xi32>) {
  %x = arith.constant dense<-7> : tensor<4xi32>
  %y = arith.constant dense<2> : tensor<4xi32>
  %0 = tile.div %x, %y : tensor<4xi32>
  %1 = tile.rem %x, %y : tensor<4xi32>
  return %0, %1 : tensor<4xi32>, tensor<4xi32>
}

// CHECK-LABEL: @division_by_one_is_nothing
// CHECK-SAME: %[[X:.*]]: tensor<4xi32>
// CHECK: return %[[X]]
func.func @division_by_one_is_nothing(%x: tensor<4xi32>) -> tensor<4xi32> {
  %y = arith.constant dense<1> : tensor<4xi32>
  %0 = tile.div %x, %y : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// CHECK-LABEL: @conversion_saturates
// CHECK-DAG: %[[MOST:.*]] = arith.constant 2147483647 : i32
// CHECK-DAG: %[[LEAST:.*]] = arith.constant -2147483648 : i32
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-DAG: %[[CUT:.*]] = arith.constant -1 : i32
// CHECK: return %[[MOST]], %[[LEAST]], %[[ZERO]], %[[CUT]]
func.func @conversion_saturates() -> (i32, i32, i32, i32) {
  %large = arith.constant 1.0e30 : f32
  %small = arith.constant 0xFF800000 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %fraction = arith.constant -1.9 : f32
  %0 = tile.fp_to_int %large : f32 -> i32
  %1 = tile.fp_to_int %small : f32 -> i32
  %2 = tile.fp_to_int %nan : f32 -> i32
  %3 = tile.fp_to_int %fraction : f32 -> i32
  return %0, %1, %2, %3 : i32, i32, i32, i32
}

// A transcendental of a constant stays: the host's libm must not decide its last bit.

// CHECK-LABEL: @functions_of_constants_stay
// CHECK: tile.exp
// CHECK: tile.tanh
func.func @functions_of_constants_stay() -> (f32, f32) {
  %x = arith.constant 1.5 : f32
  %0 = tile.exp %x : f32
  %1 = tile.tanh %x : f32
  return %0, %1 : f32, f32
}

// CHECK-LABEL: @constants_pass_through_shapes
// CHECK: %[[C:.*]] = arith.constant dense<2.000000e+00> : tensor<8x128xf32>
// CHECK-NEXT: return %[[C]]
func.func @constants_pass_through_shapes() -> tensor<8x128xf32> {
  %x = arith.constant 2.0 : f32
  %0 = tile.splat %x : f32 -> tensor<128xf32>
  %1 = tile.expand %0 axis 0 : tensor<128xf32> -> tensor<1x128xf32>
  %2 = tile.broadcast %1 : tensor<1x128xf32> -> tensor<8x128xf32>
  return %2 : tensor<8x128xf32>
}

// CHECK-LABEL: @broadcast_to_the_same_shape_is_nothing
// CHECK-SAME: %[[X:.*]]: tensor<8x128xf32>
// CHECK-NEXT: return %[[X]]
func.func @broadcast_to_the_same_shape_is_nothing(%x: tensor<8x128xf32>) -> tensor<8x128xf32> {
  %0 = tile.broadcast %x : tensor<8x128xf32> -> tensor<8x128xf32>
  return %0 : tensor<8x128xf32>
}

// CHECK-LABEL: @adding_no_elements_is_nothing
// CHECK-SAME: %[[P:.*]]: tensor<128x!tile.ptr<f32>>
// CHECK-NEXT: return %[[P]]
func.func @adding_no_elements_is_nothing(%p: tensor<128x!tile.ptr<f32>>) -> tensor<128x!tile.ptr<f32>> {
  %zero = arith.constant dense<0> : tensor<128xi32>
  %0 = tile.ptr_add %p, %zero : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  return %0 : tensor<128x!tile.ptr<f32>>
}

// CHECK-LABEL: @mask_that_is_always_true
// CHECK: tile.load %{{[a-z0-9]+}} : tensor<128x!tile.ptr<f32>>
// CHECK: tile.store %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : tensor<128x!tile.ptr<f32>>
func.func @mask_that_is_always_true(%p: tensor<128x!tile.ptr<f32>>, %f: tensor<128xf32>) {
  %m = arith.constant dense<true> : tensor<128xi1>
  %0 = tile.load %p mask %m fill %f : tensor<128x!tile.ptr<f32>>
  tile.store %p, %0 mask %m : tensor<128x!tile.ptr<f32>>
  return
}

// CHECK-LABEL: @mask_that_is_never_true
// CHECK-SAME: %{{.*}}: tensor<128x!tile.ptr<f32>>, %[[F:.*]]: tensor<128xf32>
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<128xf32>
// CHECK-NEXT: return %[[F]], %[[ZERO]]
func.func @mask_that_is_never_true(%p: tensor<128x!tile.ptr<f32>>, %f: tensor<128xf32>)
    -> (tensor<128xf32>, tensor<128xf32>) {
  %m = arith.constant dense<false> : tensor<128xi1>
  %0 = tile.load %p mask %m fill %f : tensor<128x!tile.ptr<f32>>
  %1 = tile.load %p mask %m : tensor<128x!tile.ptr<f32>>
  tile.store %p, %0 mask %m : tensor<128x!tile.ptr<f32>>
  return %0, %1 : tensor<128xf32>, tensor<128xf32>
}

// CHECK-LABEL: @unused_load_disappears
// CHECK-NEXT: return
func.func @unused_load_disappears(%p: !tile.ptr<f32>) {
  %0 = tile.load %p : !tile.ptr<f32>
  return
}

// The same bits, 200 and 100, read as unsigned: 200 / 100 = 2, 200 % 100 = 0; as signed −56 / 100 = 0.

// CHECK-LABEL: @division_reads_the_bits_by_its_name
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : i8
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i8
// CHECK: return %[[TWO]], %[[ZERO]], %[[ZERO]]
func.func @division_reads_the_bits_by_its_name() -> (i8, i8, i8) {
  %x = arith.constant -56 : i8
  %y = arith.constant 100 : i8
  %0 = tile.div_u %x, %y : i8
  %1 = tile.rem_u %x, %y : i8
  %2 = tile.div %x, %y : i8
  return %0, %1, %2 : i8, i8, i8
}

// CHECK-LABEL: @unsigned_division_by_zero
// CHECK-DAG: %[[ONES:.*]] = arith.constant -1 : i16
// CHECK-DAG: %[[X:.*]] = arith.constant 7 : i16
// CHECK: return %[[ONES]], %[[X]]
func.func @unsigned_division_by_zero() -> (i16, i16) {
  %x = arith.constant 7 : i16
  %zero = arith.constant 0 : i16
  %0 = tile.div_u %x, %zero : i16
  %1 = tile.rem_u %x, %zero : i16
  return %0, %1 : i16, i16
}

// CHECK-LABEL: @shifts_by_the_width_or_more
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK-DAG: %[[SIGN:.*]] = arith.constant -1 : i32
// CHECK: return %[[ZERO]], %[[SIGN]], %[[ZERO]], %[[SIGN]]
func.func @shifts_by_the_width_or_more() -> (i32, i32, i32, i32) {
  %x = arith.constant -8 : i32
  %width = arith.constant 32 : i32
  %negative = arith.constant -1 : i32
  %0 = tile.shl %x, %width : i32
  %1 = tile.shr %x, %width : i32
  %2 = tile.shr_u %x, %negative : i32
  %3 = tile.shr %x, %negative : i32
  return %0, %1, %2, %3 : i32, i32, i32, i32
}

// CHECK-LABEL: @shifts_of_constants
// CHECK-DAG: %[[L:.*]] = arith.constant dense<-32> : tensor<4xi8>
// CHECK-DAG: %[[R:.*]] = arith.constant dense<-2> : tensor<4xi8>
// CHECK-DAG: %[[U:.*]] = arith.constant dense<62> : tensor<4xi8>
// CHECK: return %[[L]], %[[R]], %[[U]]
func.func @shifts_of_constants() -> (tensor<4xi8>, tensor<4xi8>, tensor<4xi8>) {
  %x = arith.constant dense<-8> : tensor<4xi8>
  %two = arith.constant dense<2> : tensor<4xi8>
  %0 = tile.shl %x, %two : tensor<4xi8>
  %1 = tile.shr %x, %two : tensor<4xi8>
  %2 = tile.shr_u %x, %two : tensor<4xi8>
  return %0, %1, %2 : tensor<4xi8>, tensor<4xi8>, tensor<4xi8>
}

// CHECK-LABEL: @shift_by_nothing
// CHECK-SAME: %[[X:.*]]: tensor<4xi32>
// CHECK: return %[[X]]
func.func @shift_by_nothing(%x: tensor<4xi32>) -> tensor<4xi32> {
  %zero = arith.constant dense<0> : tensor<4xi32>
  %0 = tile.shr %x, %zero : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// CHECK-LABEL: @conversion_to_unsigned_saturates
// CHECK-DAG: %[[MOST:.*]] = arith.constant -1 : i8
// CHECK-DAG: %[[NONE:.*]] = arith.constant 0 : i8
// CHECK: return %[[MOST]], %[[NONE]], %[[NONE]]
func.func @conversion_to_unsigned_saturates() -> (i8, i8, i8) {
  %large = arith.constant 300.0 : f64
  %negative = arith.constant -1.0 : f64
  %nan = arith.constant 0x7FF8000000000000 : f64
  %0 = tile.fp_to_int_u %large : f64 -> i8
  %1 = tile.fp_to_int_u %negative : f64 -> i8
  %2 = tile.fp_to_int_u %nan : f64 -> i8
  return %0, %1, %2 : i8, i8, i8
}
