// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: trowel-opt %s -tile-lower-to-nvvm | FileCheck %s

#line = #tile.layout<blocked<registers = [2], lanes = [32], warps = [1], order = [0]>>
#words = #tile.layout<blocked<registers = [4], lanes = [32], warps = [1], order = [0]>>

// What is left of a promise is a comment for the software device; LLVM is told nothing.
// CHECK-LABEL: llvm.func @promises
// CHECK-NOT: llvm.intr.assume
func.func @promises(%p: !tile.ptr<i64>, %n: i64, %c: i1) attributes {tile.kernel, tile.warps = 1 : i64} {
  // CHECK: llvm.inline_asm has_side_effects "//@sim promise.multiple.b64 $0, 16;", "l" %{{.*}} : (!llvm.ptr<1>)
  %q = tile.multiple_of %p, 48 : !tile.ptr<i64>
  // CHECK: llvm.inline_asm has_side_effects "//@sim promise.true $0;", "b" %
  tile.assume %c
  %k = tile.known %n multiple 8 from 0 to 7 : i64
  // Nothing follows from an odd number, so nothing is checked.
  // CHECK-NOT: promise
  %o = tile.multiple_of %k, 3 : i64
  tile.store %q, %o : !tile.ptr<i64>
  // CHECK: llvm.return
  return
}

// CHECK-LABEL: llvm.func @promises_of_elements
func.func @promises_of_elements(%p: !tile.ptr<i8>, %m: i1) attributes {tile.kernel, tile.warps = 1 : i64} {
  %ps = tile.splat %p : !tile.ptr<i8> -> tensor<64x!tile.ptr<i8>, #line>
  %ms = tile.splat %m : i1 -> tensor<64xi1, #line>
  %v = tile.load %ps : tensor<64x!tile.ptr<i8>, #line>
  // CHECK-COUNT-2: "//@sim @$1 promise.multiple.b32 $0, 4;", "r,b"
  // CHECK-NOT: promise
  %w = tile.multiple_of %v, 4 mask %ms : tensor<64xi1, #line> : tensor<64xi8, #line>
  tile.store %ps, %w : tensor<64x!tile.ptr<i8>, #line>
  return
}

// Each register of a tile once; halves as 16 bits; pure texts may vanish.
// CHECK-LABEL: llvm.func @inline_ptx
func.func @inline_ptx(%p: !tile.ptr<bf16>, %b: i1, %x: f64) attributes {tile.kernel, tile.warps = 1 : i64} {
  %ps = tile.splat %p : !tile.ptr<bf16> -> tensor<64x!tile.ptr<bf16>, #line>
  %v = tile.load %ps : tensor<64x!tile.ptr<bf16>, #line>
  // CHECK-COUNT-2: llvm.inline_asm "{\0Aabs.bf16 $0, $1;\0A\09}", "=&h,h" %{{.*}} : (i16) -> i16
  %w = tile.inline_ptx "abs.bf16 $0, $1;" pure (%v) : (tensor<64xbf16, #line>) -> tensor<64xbf16, #line>
  tile.store %ps, %w : tensor<64x!tile.ptr<bf16>, #line>
  // CHECK: llvm.inline_asm has_side_effects "{\0Aselp.f64 $0, $2, $2, $1;\0A\09}", "=&d,b,d" %{{.*}} : (i1, f64) -> f64
  %s = tile.inline_ptx "selp.f64 $0, $2, $2, $1;" (%b, %x) : (i1, f64) -> f64
  return
}

// CHECK-LABEL: llvm.func @cache_hints
func.func @cache_hints(%p: !tile.ptr<f32>, %m: i1) attributes {tile.kernel, tile.warps = 1 : i64} {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>, #words>
  %ms = tile.splat %m : i1 -> tensor<128xi1, #words>
  // CHECK: "ld.global.cs.v4.b32 {$0,$1,$2,$3}, [$4];", "=r,=r,=r,=r,l"
  %v = tile.load %ps {modifier = "cs", width = 4 : i32} : tensor<128x!tile.ptr<f32>, #words>
  // CHECK: "st.global.wt.v4.b32 [$0], {$1,$2,$3,$4};", "l,r,r,r,r,~{memory}"
  tile.store %ps, %v {modifier = "wt", width = 4 : i32} : tensor<128x!tile.ptr<f32>, #words>
  // CHECK: "@$1 st.global.L1::no_allocate.v4.b32 [$0], {$2,$3,$4,$5};"
  tile.store %ps, %v mask %ms {modifier = "L1::no_allocate", width = 4 : i32} : tensor<128x!tile.ptr<f32>, #words>
  return
}

// A vector that its mask may cut moves as a whole or in parts.
// CHECK-LABEL: llvm.func @split
func.func @split(%p: !tile.ptr<f32>, %h: !tile.ptr<i8>, %n: i32) attributes {tile.kernel, tile.warps = 1 : i64} {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>, #words>
  %i = tile.iota : tensor<128xi32, #words>
  %ns = tile.splat %n : i32 -> tensor<128xi32, #words>
  %m = arith.cmpi slt, %i, %ns : tensor<128xi32, #words>
  // CHECK: "{\0A\09.reg .b32 part;\0A\09@!$5 bra PARTS;\0A\09ld.global.v4.b32 {$0,$1,$2,$3}, [$4];\0A\09bra DONE;\0APARTS:
  // CHECK-SAME: @$6 ld.global.v2.b32 {$0,$1}, [$4+0];\0A\09@$7 ld.global.v2.b32 {$2,$3}, [$4+8];\0ADONE:\0A\09}", "=&r,=&r,=&r,=&r,l,b,b,b,0,1,2,3"
  %v = tile.load %ps mask %m {width = 4 : i32, mask_run = 2 : i32} : tensor<128x!tile.ptr<f32>, #words>
  // With a promise there is one way, if all are let through.
  // CHECK: llvm.and
  // CHECK: "@$1 st.global.v4.b32 [$0], {$2,$3,$4,$5};"
  tile.store %ps, %v mask %m {width = 4 : i32, mask_run = 2 : i32, mask_promised} : tensor<128x!tile.ptr<f32>, #words>
  // Parts of a word are put into it, and taken out of it.
  %hs = tile.splat %h : !tile.ptr<i8> -> tensor<128x!tile.ptr<i8>, #words>
  // CHECK: @$3 ld.global.b8 part, [$1+0];\0A\09@$3 bfi.b32 $0, part, $0, 0, 8;\0A\09@$4 ld.global.b8 part, [$1+1];\0A\09@$4 bfi.b32 $0, part, $0, 8, 8;
  // CHECK: @$3 st.global.b8 [$0+0], $2;\0A\09shr.b32 part, $2, 8;\0A\09@$4 st.global.b8 [$0+1], part;
  %w = tile.load %hs mask %m {width = 4 : i32, mask_run = 1 : i32} : tensor<128x!tile.ptr<i8>, #words>
  tile.store %hs, %w mask %m {width = 4 : i32, mask_run = 1 : i32} : tensor<128x!tile.ptr<i8>, #words>
  return
}
