// RUN: trowel-dump %s --stage=ptx | FileCheck %s

// What is loaded is used only in the branch, and a masked store of the same elements comes before the branch.
// The back end may move a load towards its use, but not across the store.
// CHECK: ld.global
// CHECK: st.global
// CHECK: bra
// CHECK-NOT: ld.global
func.func @load_stays_before_the_store(%p: !tile.ptr<f32> {tile.divisibility = 16 : i64}, %y: !tile.ptr<f32> {tile.divisibility = 16 : i64}, %n: i64, %m: i64) attributes {tile.kernel} {
  %i = tile.iota : tensor<128xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>
  %q = tile.ptr_add %ps, %i : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  %ys = tile.splat %y : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>
  %r = tile.ptr_add %ys, %i : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  %v = tile.load %q : tensor<128x!tile.ptr<f32>>
  %e = arith.extsi %i : tensor<128xi32> to tensor<128xi64>
  %nn = tile.splat %n : i64 -> tensor<128xi64>
  %mask = arith.cmpi slt, %e, %nn : tensor<128xi64>
  %z = arith.constant dense<7.0> : tensor<128xf32>
  tile.store %q, %z mask %mask : tensor<128x!tile.ptr<f32>>
  %c1 = arith.constant 1 : i64
  %c = arith.cmpi sgt, %m, %c1 : i64
  scf.if %c {
    %w = arith.addf %v, %v : tensor<128xf32>
    tile.store %r, %w : tensor<128x!tile.ptr<f32>>
    tile.store %q, %w : tensor<128x!tile.ptr<f32>>
  }
  return
}
