// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: trowel-opt %s -split-input-file -verify-diagnostics -tile-lower-to-nvvm | FileCheck %s

// 2^(r log2 e) · 2^j
// CHECK-LABEL: llvm.func @exp
func.func @exp(%p: !tile.ptr<f32>, %x: f32) attributes {tile.kernel} {
  // CHECK: llvm.intr.maximum
  // CHECK-COUNT-3: llvm.intr.fma
  // CHECK-COUNT-2: llvm.nvvm.ex2.approx.ftz.f32
  %y = tile.exp %x : f32
  tile.store %p, %y : !tile.ptr<f32>
  return
}

// -----

// A result of 8 bits needs no more than the hardware's approximation.
// CHECK-LABEL: llvm.func @tanh_of_bf16
func.func @tanh_of_bf16(%p: !tile.ptr<bf16>, %x: bf16) attributes {tile.kernel} {
  // CHECK: %[[WIDE:.*]] = llvm.fpext
  // CHECK: llvm.inline_asm "tanh.approx.f32 $0, $1;", "=r,r" %[[WIDE]]
  // CHECK: llvm.fptrunc
  %y = tile.tanh %x : bf16
  tile.store %p, %y : !tile.ptr<bf16>
  return
}

// -----

// What has no instructions of its own is a call, which compiler/ptx links.
// CHECK-DAG: llvm.func @_Z3sinf(f32) -> f32
// CHECK-DAG: llvm.func @_Z3sind(f64) -> f64
// CHECK-DAG: llvm.func @_Z3powff(f32, f32) -> f32
// CHECK-LABEL: llvm.func @functions_of_the_library
func.func @functions_of_the_library(%p: !tile.ptr<f32>, %q: !tile.ptr<f64>, %r: !tile.ptr<f16>,
    %x: f32, %d: f64, %h: f16) attributes {tile.kernel} {
  // CHECK: llvm.call @_Z3sinf(%{{.*}}) : (f32) -> f32
  %a = tile.sin %x : f32
  // CHECK: llvm.call @_Z3sind(%{{.*}}) : (f64) -> f64
  %b = tile.sin %d : f64
  // CHECK: %[[WIDE:.*]] = llvm.fpext %{{.*}} : f16 to f32
  // CHECK: %[[SIN:.*]] = llvm.call @_Z3sinf(%[[WIDE]]) : (f32) -> f32
  // CHECK: llvm.fptrunc %[[SIN]] : f32 to f16
  %c = tile.sin %h : f16
  // CHECK: llvm.call @_Z3powff(%{{.*}}, %{{.*}}) : (f32, f32) -> f32
  %e = tile.pow %x, %a : f32
  tile.store %p, %e : !tile.ptr<f32>
  tile.store %q, %b : !tile.ptr<f64>
  tile.store %r, %c : !tile.ptr<f16>
  return
}

// -----

// CHECK-LABEL: llvm.func @approximation
func.func @approximation(%p: !tile.ptr<f32>, %x: f32) attributes {tile.kernel} {
  // CHECK-NOT: llvm.call @
  // CHECK: llvm.nvvm.sin.approx.ftz.f
  %y = tile.sin approximate %x : f32
  tile.store %p, %y : !tile.ptr<f32>
  return
}

// -----

func.func @approximation_of_double(%p: !tile.ptr<f64>, %x: f64) attributes {tile.kernel} {
  // expected-error @+2 {{failed to legalize operation 'tile.exp'}}
  // expected-error @+1 {{'tile.exp' op of 'f64' has no approximation: leave out 'approximate', or use f32}}
  %y = tile.exp approximate %x : f64
  tile.store %p, %y : !tile.ptr<f64>
  return
}

// -----

func.func @approximation_that_there_is_not(%p: !tile.ptr<f32>, %x: f32) attributes {tile.kernel} {
  // expected-error @+2 {{failed to legalize operation 'tile.erf'}}
  // expected-error @+1 {{'tile.erf' op of 'f32' has no approximation: leave out 'approximate', or use f32}}
  %y = tile.erf approximate %x : f32
  tile.store %p, %y : !tile.ptr<f32>
  return
}
