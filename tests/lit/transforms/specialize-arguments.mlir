// RUN: trowel-opt %s -split-input-file -verify-diagnostics "-tile-specialize-arguments=facts=1,6,2,8" | FileCheck %s
// RUN: trowel-opt %s -split-input-file -verify-diagnostics "-tile-specialize-arguments=facts=2,3,0,0" | FileCheck %s --check-prefix=EIGHT
// RUN: trowel-opt %s -split-input-file -verify-diagnostics "-tile-specialize-arguments=facts=4,1,0,0" | FileCheck %s --check-prefix=FOUR

// A base is known to be a multiple of 8 or of 4 bytes at least, and a number one of 8 or 4.
// EIGHT: func.func @kernel(%{{.*}}: !tile.ptr<f32> {tile.divisibility = 8 : i64}, %{{.*}}: i64 {tile.divisibility = 8 : i64}, %{{.*}}: i64, %{{.*}}: i64)
// FOUR: func.func @kernel(%{{.*}}: !tile.ptr<f32> {tile.divisibility = 4 : i64}, %{{.*}}: i64 {tile.divisibility = 4 : i64}, %{{.*}}: i64, %{{.*}}: i64)

// CHECK-LABEL: func.func @kernel(
// CHECK-SAME: !tile.ptr<f32> {tile.divisibility = 16 : i64}
// CHECK-SAME: i64 {tile.divisibility = 16 : i64, tile.value = 1 : i64}
// CHECK-SAME: i64 {tile.divisibility = 16 : i64}
// CHECK-SAME: i64 {tile.fits32}
func.func @kernel(%p: !tile.ptr<f32>, %stride: i64, %n: i64, %m: i64) attributes {tile.kernel} {
  // CHECK: %[[ONE:.*]] = arith.constant 1 : i64
  // CHECK: tile.ptr_add %{{.*}}, %[[ONE]]
  %q = tile.ptr_add %p, %stride : !tile.ptr<f32>, i64
  %v = tile.load %q : !tile.ptr<f32>
  tile.store %p, %v : !tile.ptr<f32>
  return
}

// -----

// What is no kernel is left alone, whatever its arguments.
// CHECK-LABEL: func.func @not_a_kernel(%{{.*}}: i64)
func.func @not_a_kernel(%n: i64) {
  return
}

// -----

// expected-error @+1 {{has 1 arguments, but facts of 4 were given}}
func.func @too_many_facts(%n: i64) attributes {tile.kernel} {
  return
}
