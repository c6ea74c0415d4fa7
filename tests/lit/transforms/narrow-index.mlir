// RUN: trowel-opt %s -tile-narrow-index | FileCheck %s
//
// What facts prove to fit 32 bits is computed in 32 bits; what they do not, is not.

// Rows of programs along y fit: 65534 · 4096 + 4095 is below 2^31.
// CHECK-LABEL: @sums_and_comparisons_of_small_numbers
// CHECK-DAG: %[[N:.*]] = arith.trunci %arg1 : i64 to i32
// CHECK-DAG: %[[ID:.*]] = arith.trunci %{{.*}} : i64 to i32
// CHECK: %[[START:.*]] = arith.muli %[[ID]], %{{.*}} overflow<nsw> : i32
// CHECK: %[[STARTS:.*]] = tile.splat %[[START]] : i32 -> tensor<4096xi32>
// CHECK: %[[I:.*]] = arith.addi %[[STARTS]], %{{.*}} overflow<nsw> : tensor<4096xi32>
// CHECK: tile.splat %[[N]] : i32 -> tensor<4096xi32>
// CHECK: arith.cmpi slt, %[[I]], %{{.*}} : tensor<4096xi32>
// CHECK: tile.ptr_add %{{.*}}, %[[I]] : tensor<4096x!tile.ptr<f32>>, tensor<4096xi32>
// CHECK-NOT: extsi
func.func @sums_and_comparisons_of_small_numbers(%p: !tile.ptr<f32>, %n: i64 {tile.fits32})
    attributes {tile.kernel} {
  %block = arith.constant 4096 : i64
  %id = tile.program_id 1 : i64
  %start = arith.muli %id, %block : i64
  %starts = tile.splat %start : i64 -> tensor<4096xi64>
  %lane = tile.iota : tensor<4096xi32>
  %wide = arith.extsi %lane : tensor<4096xi32> to tensor<4096xi64>
  %i = arith.addi %starts, %wide : tensor<4096xi64>
  %ns = tile.splat %n : i64 -> tensor<4096xi64>
  %mask = arith.cmpi slt, %i, %ns : tensor<4096xi64>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<4096x!tile.ptr<f32>>
  %q = tile.ptr_add %ps, %i : tensor<4096x!tile.ptr<f32>>, tensor<4096xi64>
  %v = tile.load %q mask %mask : tensor<4096x!tile.ptr<f32>>
  tile.store %q, %v mask %mask : tensor<4096x!tile.ptr<f32>>
  return
}

// A grid has up to 2^31 programs along x, and nothing is known of n.
// CHECK-LABEL: @what_may_not_fit_stays
// CHECK: arith.muli %{{.*}}, %{{.*}} : i64
// CHECK: arith.addi %{{.*}} : tensor<4xi64>
// CHECK: arith.cmpi slt, %{{.*}} : tensor<4xi64>
// CHECK: tile.ptr_add %{{.*}} : tensor<4x!tile.ptr<i1>>, tensor<4xi64>
func.func @what_may_not_fit_stays(%p: !tile.ptr<i1>, %n: i64, %m: i64 {tile.fits32}) attributes {tile.kernel} {
  %two = arith.constant 2 : i64
  %id = tile.program_id 0 : i64
  %start = arith.muli %id, %two : i64
  %starts = tile.splat %start : i64 -> tensor<4xi64>
  %lane = tile.iota : tensor<4xi32>
  %wide = arith.extsi %lane : tensor<4xi32> to tensor<4xi64>
  %i = arith.addi %starts, %wide : tensor<4xi64>
  %ns = tile.splat %n : i64 -> tensor<4xi64>
  %mask = arith.cmpi slt, %i, %ns : tensor<4xi64>
  %ps = tile.splat %p : !tile.ptr<i1> -> tensor<4x!tile.ptr<i1>>
  %q = tile.ptr_add %ps, %i : tensor<4x!tile.ptr<i1>>, tensor<4xi64>
  tile.store %q, %mask : tensor<4x!tile.ptr<i1>>
  return
}

// A product of numbers of 32 bits may need 64, and so may their sum.
// CHECK-LABEL: @operands_alone_do_not_decide
// CHECK: arith.muli %arg1, %arg2 : i64
// CHECK: arith.addi %arg1, %arg2 : i64
func.func @operands_alone_do_not_decide(%p: !tile.ptr<i64>, %a: i64 {tile.fits32}, %b: i64 {tile.fits32})
    attributes {tile.kernel} {
  %product = arith.muli %a, %b : i64
  %sum = arith.addi %a, %b : i64
  tile.store %p, %product : !tile.ptr<i64>
  tile.store %p, %sum : !tile.ptr<i64>
  return
}

// n has 64 bits anyway, and so has a tile of it.
// CHECK-LABEL: @addresses_take_what_has_64_bits
// CHECK-NOT: trunci
// CHECK: tile.ptr_add %arg0, %arg1 : !tile.ptr<f32>, i64
// CHECK: tile.ptr_add %{{.*}} : tensor<8x!tile.ptr<f32>>, tensor<8xi64>
// CHECK: return
func.func @addresses_take_what_has_64_bits(%p: !tile.ptr<f32>, %n: i64 {tile.fits32}) attributes {tile.kernel} {
  %q = tile.ptr_add %p, %n : !tile.ptr<f32>, i64
  %one = arith.constant 1.0 : f32
  tile.store %q, %one : !tile.ptr<f32>
  %i = tile.iota : tensor<8xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  %qs = tile.ptr_add %ps, %i : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  %ns = tile.splat %n : i64 -> tensor<8xi64>
  %rs = tile.ptr_add %qs, %ns : tensor<8x!tile.ptr<f32>>, tensor<8xi64>
  %ones = arith.constant dense<1.0> : tensor<8xf32>
  tile.store %rs, %ones : tensor<8x!tile.ptr<f32>>
  return
}

// CHECK-LABEL: @each_op_that_is_alike
// CHECK: arith.extsi %arg1 : i8 to i32
// CHECK: arith.subi %{{.*}} overflow<nsw> : i32
// CHECK: arith.andi %{{.*}} : i32
// CHECK: arith.ori %{{.*}} : i32
// CHECK: arith.xori %{{.*}} : i32
// CHECK: arith.minsi %{{.*}} : i32
// CHECK: arith.maxsi %{{.*}} : i32
// CHECK: tile.div %{{.*}} : i32
// CHECK: tile.rem %{{.*}} : i32
// CHECK: tile.shr %{{.*}} : i32
// CHECK: math.absi %{{.*}} : i32
// CHECK: arith.select %{{.*}} : i32
// CHECK: tile.shl %{{.*}} : i32
// CHECK: %[[LAST:.*]] = arith.extsi %{{.*}} : i32 to i64
// CHECK: tile.store %{{.*}}, %[[LAST]]
func.func @each_op_that_is_alike(%p: !tile.ptr<i64>, %a: i8, %c: i1) attributes {tile.kernel} {
  %seven = arith.constant 7 : i64
  %x = arith.extsi %a : i8 to i64
  %0 = arith.subi %x, %seven : i64
  %1 = arith.andi %0, %x : i64
  %2 = arith.ori %1, %x : i64
  %3 = arith.xori %2, %seven : i64
  %4 = arith.minsi %3, %x : i64
  %5 = arith.maxsi %4, %0 : i64
  %6 = tile.div %5, %seven : i64
  %7 = tile.rem %6, %seven : i64
  %8 = tile.shr %7, %seven : i64
  %9 = math.absi %8 : i64
  %10 = arith.select %c, %9, %x : i64
  %11 = tile.shl %10, %seven : i64
  tile.store %p, %11 : !tile.ptr<i64>
  return
}

// Read as unsigned, −1 of 32 bits is not −1 of 64.
// CHECK-LABEL: @unsigned_readings_need_numbers_that_are_not_negative
// CHECK: tile.div_u %{{.*}} : i64
// CHECK: tile.rem_u %{{.*}} : i64
// CHECK: tile.shr_u %{{.*}} : i64
// CHECK: arith.uitofp %{{.*}} : i64 to f32
// CHECK: tile.div_u %{{.*}} : i32
// CHECK: tile.rem_u %{{.*}} : i32
// CHECK: tile.shr_u %{{.*}} : i32
// CHECK: arith.uitofp %{{.*}} : i32 to f32
func.func @unsigned_readings_need_numbers_that_are_not_negative(%p: !tile.ptr<i64>, %r: !tile.ptr<f32>,
                                                                 %a: i8) attributes {tile.kernel} {
  %two = arith.constant 2 : i64
  %x = arith.extsi %a : i8 to i64
  %0 = tile.div_u %x, %two : i64
  %1 = tile.rem_u %x, %two : i64
  %2 = tile.shr_u %x, %two : i64
  %f = arith.uitofp %x : i64 to f32
  %y = arith.extui %a : i8 to i64
  %3 = tile.div_u %y, %two : i64
  %4 = tile.rem_u %3, %two : i64
  %5 = tile.shr_u %4, %two : i64
  %g = arith.uitofp %5 : i64 to f32
  tile.store %p, %0 : !tile.ptr<i64>
  tile.store %p, %1 : !tile.ptr<i64>
  tile.store %p, %2 : !tile.ptr<i64>
  tile.store %r, %f : !tile.ptr<f32>
  tile.store %r, %g : !tile.ptr<f32>
  return
}

// Numbers of the host meet lower bits alone.
// CHECK-LABEL: @a_mask_of_low_bits
// CHECK: %[[LOW:.*]] = arith.trunci %arg1 : i64 to i32
// CHECK: arith.andi %[[LOW]], %{{.*}} : i32
func.func @a_mask_of_low_bits(%p: !tile.ptr<f32>, %a: i64) attributes {tile.kernel} {
  %mask = arith.constant 1023 : i64
  %low = arith.andi %a, %mask : i64
  %q = tile.ptr_add %p, %low : !tile.ptr<f32>, i64
  %one = arith.constant 1.0 : f32
  tile.store %q, %one : !tile.ptr<f32>
  return
}

// k is a multiple of 1024 below 2^31, so k + 1023 is below it too. The variable keeps its 64 bits.
// CHECK-LABEL: @variables_of_loops
// CHECK: scf.for %[[K:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[S:.*]] = %{{.*}}) -> (i64)
// CHECK: %[[NARROW:.*]] = arith.trunci %[[K]] : i64 to i32
// CHECK: arith.addi %{{.*}} overflow<nsw> : tensor<1024xi32>
// CHECK: arith.addi %[[S]], %[[K]] : i64
func.func @variables_of_loops(%p: !tile.ptr<f32>, %r: !tile.ptr<i64>, %n: i64 {tile.fits32})
    attributes {tile.kernel} {
  %zero = arith.constant 0 : i64
  %step = arith.constant 1024 : i64
  %lane = tile.iota : tensor<1024xi32>
  %wide = arith.extsi %lane : tensor<1024xi32> to tensor<1024xi64>
  %ones = arith.constant dense<1.0> : tensor<1024xf32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<1024x!tile.ptr<f32>>
  %ns = tile.splat %n : i64 -> tensor<1024xi64>
  %sum = scf.for %k = %zero to %n step %step iter_args(%s = %zero) -> (i64) : i64 {
    %ks = tile.splat %k : i64 -> tensor<1024xi64>
    %i = arith.addi %ks, %wide : tensor<1024xi64>
    %mask = arith.cmpi slt, %i, %ns : tensor<1024xi64>
    %q = tile.ptr_add %ps, %i : tensor<1024x!tile.ptr<f32>>, tensor<1024xi64>
    tile.store %q, %ones mask %mask : tensor<1024x!tile.ptr<f32>>
    %next = arith.addi %s, %k : i64
    scf.yield %next : i64
  }
  tile.store %r, %sum : !tile.ptr<i64>
  return
}

// What the author promised narrows, but says nothing to LLVM: a sum that a broken promise lets wrap is no poison.
// CHECK-LABEL: @promised_bounds
func.func @promised_bounds(%n: i64, %m: i64, %p: !tile.ptr<i64>) {
  %a = tile.known %n multiple 1 from 0 to 1000 : i64
  %b = tile.known %m multiple 1 from 0 to 1000 : i64
  // CHECK: arith.muli %{{.*}}, %{{.*}} : i32
  %c = arith.muli %a, %b : i64
  // CHECK: tile.program_id
  %id = tile.program_id 1 : i64
  // What needs no promise is said: a program's id along this axis is below 65535.
  // CHECK: arith.addi %{{.*}}, %{{.*}} overflow<nsw> : i32
  %d = arith.addi %id, %id : i64
  // CHECK: arith.addi %{{.*}}, %{{.*}} : i32
  %e = arith.addi %c, %d : i64
  tile.store %p, %e : !tile.ptr<i64>
  return
}
