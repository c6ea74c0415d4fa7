// RUN: trowel-opt %s -tile-combine | FileCheck %s

// CHECK-LABEL: @product_without_other_use_fuses
func.func @product_without_other_use_fuses(%p: !tile.ptr<f32>, %a: f32, %b: f32, %c: f32) {
  // CHECK-NOT: mulf
  // CHECK: math.fma %{{.*}}, %{{.*}}, %{{.*}} : f32
  %m = arith.mulf %a, %b : f32
  %s = arith.addf %m, %c : f32
  tile.store %p, %s : !tile.ptr<f32>
  return
}

// CHECK-LABEL: @product_with_another_use_does_not_fuse
func.func @product_with_another_use_does_not_fuse(%p: !tile.ptr<f32>, %a: f32, %b: f32, %c: f32) {
  // CHECK: %[[M:.*]] = arith.mulf
  // CHECK: arith.addf %[[M]]
  %m = arith.mulf %a, %b : f32
  %s = arith.addf %m, %c : f32
  tile.store %p, %m : !tile.ptr<f32>
  tile.store %p, %s : !tile.ptr<f32>
  return
}

// In each trip the product is used again.
// CHECK-LABEL: @product_from_outside_a_loop_does_not_fuse
func.func @product_from_outside_a_loop_does_not_fuse(%p: !tile.ptr<f32>, %a: f32, %b: f32, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  // CHECK: %[[M:.*]] = arith.mulf
  // CHECK: scf.for
  // CHECK: arith.addf %{{.*}}, %[[M]]
  %m = arith.mulf %a, %b : f32
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%s = %a) -> (f32) : i64 {
    %t = arith.addf %s, %m : f32
    scf.yield %t : f32
  }
  tile.store %p, %r : !tile.ptr<f32>
  return
}

// CHECK-LABEL: @product_and_sum_in_a_loop_fuse
func.func @product_and_sum_in_a_loop_fuse(%p: !tile.ptr<f32>, %a: f32, %b: f32, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  // CHECK: scf.for
  // CHECK: math.fma %{{.*}}, %{{.*}}, %{{.*}} : f32
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%s = %a) -> (f32) : i64 {
    %m = arith.mulf %s, %b : f32
    %t = arith.addf %m, %a : f32
    scf.yield %t : f32
  }
  tile.store %p, %r : !tile.ptr<f32>
  return
}

// A branch is no part of the product's block, though it is taken at most once.
// CHECK-LABEL: @product_from_outside_a_branch_does_not_fuse
func.func @product_from_outside_a_branch_does_not_fuse(%p: !tile.ptr<f32>, %a: f32, %b: f32, %c: i1) {
  // CHECK: %[[M:.*]] = arith.mulf
  // CHECK: scf.if
  // CHECK: arith.addf %[[M]]
  %m = arith.mulf %a, %b : f32
  scf.if %c {
    %t = arith.addf %m, %a : f32
    tile.store %p, %t : !tile.ptr<f32>
  }
  return
}

// Of two products the left one fuses; the right one rounds on its own.
// CHECK-LABEL: @left_product_fuses
// CHECK-SAME: %[[P:.*]]: !tile.ptr<f32>, %[[A:.*]]: f32, %[[B:.*]]: f32
func.func @left_product_fuses(%p: !tile.ptr<f32>, %a: f32, %b: f32) {
  // CHECK: %[[R:.*]] = arith.mulf %[[B]], %[[B]]
  // CHECK: math.fma %[[A]], %[[A]], %[[R]]
  %l = arith.mulf %a, %a : f32
  %r = arith.mulf %b, %b : f32
  %s = arith.addf %l, %r : f32
  tile.store %p, %s : !tile.ptr<f32>
  return
}

// CHECK-LABEL: @differences_fuse_with_a_negated_operand
// CHECK-SAME: %[[P:.*]]: !tile.ptr<f32>, %[[A:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: f32
func.func @differences_fuse_with_a_negated_operand(%p: !tile.ptr<f32>, %a: f32, %b: f32, %c: f32) {
  // CHECK: %[[NC:.*]] = arith.negf %[[C]]
  // CHECK: math.fma %[[A]], %[[B]], %[[NC]]
  // CHECK: %[[NA:.*]] = arith.negf %[[A]]
  // CHECK: math.fma %[[NA]], %[[C]], %[[B]]
  %m = arith.mulf %a, %b : f32
  %s = arith.subf %m, %c : f32
  tile.store %p, %s : !tile.ptr<f32>
  %n = arith.mulf %a, %c : f32
  %t = arith.subf %b, %n : f32
  tile.store %p, %t : !tile.ptr<f32>
  return
}

// The product of two splats fuses as the author wrote it, before it would become a scalar.
// CHECK-LABEL: @product_of_splats_fuses
func.func @product_of_splats_fuses(%p: !tile.ptr<f32>, %a: f32) {
  // CHECK-NOT: mulf
  // CHECK: math.fma {{.*}} : tensor<32xf32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %i = tile.iota : tensor<32xi32>
  %q = tile.ptr_add %ps, %i : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  %v = tile.load %q : tensor<32x!tile.ptr<f32>>
  %as = tile.splat %a : f32 -> tensor<32xf32>
  %m = arith.mulf %as, %as : tensor<32xf32>
  %s = arith.addf %m, %v : tensor<32xf32>
  tile.store %q, %s : tensor<32x!tile.ptr<f32>>
  return
}

// CHECK-LABEL: @splats_are_computed_as_scalars
func.func @splats_are_computed_as_scalars(%p: !tile.ptr<i32>, %a: i32, %b: i32) {
  // CHECK: %[[S:.*]] = arith.addi %{{.*}}, %{{.*}} : i32
  // CHECK: tile.splat %[[S]] : i32 -> tensor<32xi32>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<32x!tile.ptr<i32>>
  %i = tile.iota : tensor<32xi32>
  %q = tile.ptr_add %ps, %i : tensor<32x!tile.ptr<i32>>, tensor<32xi32>
  %as = tile.splat %a : i32 -> tensor<32xi32>
  %bs = tile.splat %b : i32 -> tensor<32xi32>
  %s = arith.addi %as, %bs : tensor<32xi32>
  tile.store %q, %s : tensor<32x!tile.ptr<i32>>
  return
}

// A wide offset that all elements share moves into the scalar pointer; what is left is narrow.
// CHECK-LABEL: @shared_offset_moves_into_pointer
// CHECK-SAME: %[[P:.*]]: !tile.ptr<f32>, %[[N:.*]]: i64
func.func @shared_offset_moves_into_pointer(%p: !tile.ptr<f32>, %n: i64) {
  // CHECK: %[[BASE:.*]] = tile.ptr_add %[[P]], %[[N]]
  // CHECK: %[[TILE:.*]] = tile.splat %[[BASE]]
  // CHECK: tile.ptr_add %[[TILE]], %{{.*}} : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %i = tile.iota : tensor<32xi32>
  %wide = arith.extsi %i : tensor<32xi32> to tensor<32xi64>
  %ns = tile.splat %n : i64 -> tensor<32xi64>
  %o = arith.addi %ns, %wide : tensor<32xi64>
  %q = tile.ptr_add %ps, %o : tensor<32x!tile.ptr<f32>>, tensor<32xi64>
  %v = tile.load %q : tensor<32x!tile.ptr<f32>>
  tile.store %q, %v : tensor<32x!tile.ptr<f32>>
  return
}

// A sum of 32 bits may wrap where the address would not, so it stays together.
// CHECK-LABEL: @narrow_sum_stays
func.func @narrow_sum_stays(%p: !tile.ptr<f32>, %n: i32) {
  // CHECK: arith.addi {{.*}} : tensor<32xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %i = tile.iota : tensor<32xi32>
  %ns = tile.splat %n : i32 -> tensor<32xi32>
  %o = arith.addi %ns, %i : tensor<32xi32>
  %q = tile.ptr_add %ps, %o : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  %v = tile.load %q : tensor<32x!tile.ptr<f32>>
  tile.store %q, %v : tensor<32x!tile.ptr<f32>>
  return
}

// A product of constants fuses as any other does.
// CHECK-LABEL: @product_of_constants_fuses
func.func @product_of_constants_fuses(%p: !tile.ptr<f32>, %c: f32) {
  // CHECK: math.fma
  %a = arith.constant 1.1 : f32
  %b = arith.constant 1.3 : f32
  %m = arith.mulf %a, %b : f32
  %s = arith.addf %m, %c : f32
  tile.store %p, %s : !tile.ptr<f32>
  return
}

// Two conversions round twice.
// CHECK-LABEL: @conversions_stay_two
func.func @conversions_stay_two(%p: !tile.ptr<bf16>, %i: i32) {
  // CHECK: arith.sitofp %{{.*}} : i32 to f32
  // CHECK: arith.truncf %{{.*}} : f32 to bf16
  %f = arith.sitofp %i : i32 to f32
  %h = arith.truncf %f : f32 to bf16
  tile.store %p, %h : !tile.ptr<bf16>
  return
}

// Neither a product nor a sum of an exact expression fuses, however deep; and none with it.
// CHECK-LABEL: @exact_expression_does_not_fuse
func.func @exact_expression_does_not_fuse(%p: !tile.ptr<f32>, %a: f32, %b: f32, %c: f32) {
  // CHECK-NOT: math.fma
  // CHECK-NOT: tile.exact
  // CHECK-NOT: rounds_alone
  %m = arith.mulf %a, %b : f32
  %n = arith.mulf %b, %c : f32
  %s = arith.addf %m, %n : f32
  %r = math.sqrt %s : f32
  %t = arith.mulf %r, %c : f32
  %u = arith.subf %a, %t : f32
  %e = tile.exact %u : f32
  tile.store %p, %e : !tile.ptr<f32>
  return
}

// CHECK-LABEL: @exact_product_rounds_and_the_other_fuses
// CHECK-SAME: %[[P:.*]]: !tile.ptr<f32>, %[[A:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: f32
func.func @exact_product_rounds_and_the_other_fuses(%p: !tile.ptr<f32>, %a: f32, %b: f32, %c: f32) {
  // CHECK: %[[M:.*]] = arith.mulf %[[A]], %[[B]]
  // CHECK: math.fma %[[B]], %[[C]], %[[M]]
  %m = arith.mulf %a, %b : f32
  %e = tile.exact %m : f32
  %n = arith.mulf %b, %c : f32
  %s = arith.addf %e, %n : f32
  tile.store %p, %s : !tile.ptr<f32>
  return
}

// A sum that goes elsewhere, too, is no part of the exact expression.
// CHECK-LABEL: @sum_with_another_use_fuses_beside_an_exact_one
func.func @sum_with_another_use_fuses_beside_an_exact_one(%p: !tile.ptr<f32>, %a: f32, %b: f32, %c: f32) {
  // CHECK-DAG: %[[S:.*]] = math.fma
  // CHECK-DAG: %[[N:.*]] = arith.mulf
  // CHECK: arith.addf %[[S]], %[[N]]
  %m = arith.mulf %a, %b : f32
  %s = arith.addf %m, %c : f32
  %n = arith.mulf %b, %c : f32
  %t = arith.addf %s, %n : f32
  %e = tile.exact %t : f32
  tile.store %p, %s : !tile.ptr<f32>
  tile.store %p, %e : !tile.ptr<f32>
  return
}
