// RUN: trowel-opt %s -tile-order-memory | FileCheck %s

#line = #tile.layout<blocked<registers = [1], lanes = [32], warps = [2], order = [0]>>
#held = #tile.layout<blocked<registers = [1], lanes = [32], warps = [2], order = [0]>, extents = [8]>

// Every thread loads the scalar, one stores it.
// CHECK-LABEL: @scalar_is_read_before_it_is_overwritten
func.func @scalar_is_read_before_it_is_overwritten(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  // CHECK: tile.load
  // CHECK-NEXT: arith.addf
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.store
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.load
  %v = tile.load %p : !tile.ptr<f32>
  %w = arith.addf %v, %v : f32
  tile.store %p, %w : !tile.ptr<f32>
  %u = tile.load %p : !tile.ptr<f32>
  return
}

// In place, each thread meets its own elements again.
// CHECK-LABEL: @own_elements_need_no_barrier
func.func @own_elements_need_no_barrier(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  // CHECK-NOT: tile.barrier
  // CHECK: return
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #line>
  %i = tile.iota : tensor<64xi32, #line>
  %q = tile.ptr_add %ps, %i : tensor<64x!tile.ptr<f32>, #line>, tensor<64xi32, #line>
  %v = tile.load %q : tensor<64x!tile.ptr<f32>, #line>
  tile.store %q, %v : tensor<64x!tile.ptr<f32>, #line>
  %u = tile.load %q : tensor<64x!tile.ptr<f32>, #line>
  tile.store %q, %u : tensor<64x!tile.ptr<f32>, #line>
  return
}

// Lanes that share an address are different threads at one element.
// CHECK-LABEL: @shared_addresses_need_a_barrier
func.func @shared_addresses_need_a_barrier(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  // CHECK: tile.load
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.store
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.store
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #line>
  %v = tile.load %ps : tensor<64x!tile.ptr<f32>, #line>
  tile.store %ps, %v : tensor<64x!tile.ptr<f32>, #line>
  tile.store %ps, %v : tensor<64x!tile.ptr<f32>, #line>
  return
}

// Elements that several threads hold are stored by one of them.
// CHECK-LABEL: @replicas_need_a_barrier
func.func @replicas_need_a_barrier(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  // CHECK: tile.load
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.store
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>, #held>
  %v = tile.load %ps : tensor<8x!tile.ptr<f32>, #held>
  tile.store %ps, %v : tensor<8x!tile.ptr<f32>, #held>
  return
}

// CHECK-LABEL: @other_pointers_of_one_argument_need_a_barrier
func.func @other_pointers_of_one_argument_need_a_barrier(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %i: i64) attributes {tile.kernel} {
  // CHECK: tile.load
  // CHECK-NEXT: tile.store
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.store
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #line>
  %r = tile.ptr_add %p, %i : !tile.ptr<f32>, i64
  %rs = tile.splat %r : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #line>
  %qs = tile.splat %q : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #line>
  %v = tile.load %rs : tensor<64x!tile.ptr<f32>, #line>
  tile.store %qs, %v : tensor<64x!tile.ptr<f32>, #line>
  tile.store %ps, %v : tensor<64x!tile.ptr<f32>, #line>
  return
}

// The next trip of a loop loads what this one stored.
// CHECK-LABEL: @loop_meets_its_own_stores
func.func @loop_meets_its_own_stores(%p: !tile.ptr<i64>, %n: i64) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  // CHECK: scf.for
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.load
  // CHECK-NEXT: arith.addi
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.store
  scf.for %k = %c0 to %n step %c1 : i64 {
    %v = tile.load %p : !tile.ptr<i64>
    %w = arith.addi %v, %k : i64
    tile.store %p, %w : !tile.ptr<i64>
  }
  return
}

// What a branch may have stored is stored for what follows.
// CHECK-LABEL: @branch_leaves_its_stores
func.func @branch_leaves_its_stores(%p: !tile.ptr<i64>, %q: !tile.ptr<i64>, %c: i1, %x: i64) attributes {tile.kernel} {
  // CHECK: scf.if
  // CHECK-NEXT: tile.store
  // CHECK-NEXT: }
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.load
  scf.if %c {
    tile.store %p, %x : !tile.ptr<i64>
  }
  %v = tile.load %p : !tile.ptr<i64>
  tile.store %q, %v : !tile.ptr<i64>
  return
}

// The next trip's pointers are others: a thread loads what its neighbour stored in this one.
// CHECK-LABEL: @pointers_of_a_loop_move_on
func.func @pointers_of_a_loop_move_on(%p: !tile.ptr<f32>, %n: i64) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %i = tile.iota : tensor<64xi32, #line>
  // CHECK: scf.for
  // CHECK: tile.barrier
  // CHECK-NEXT: tile.load
  // CHECK-NEXT: tile.store
  // CHECK-NEXT: }
  scf.for %k = %c0 to %n step %c1 : i64 {
    %r = tile.ptr_add %p, %k : !tile.ptr<f32>, i64
    %rs = tile.splat %r : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #line>
    %q = tile.ptr_add %rs, %i : tensor<64x!tile.ptr<f32>, #line>, tensor<64xi32, #line>
    %v = tile.load %q : tensor<64x!tile.ptr<f32>, #line>
    tile.store %q, %v : tensor<64x!tile.ptr<f32>, #line>
  }
  return
}

// Pointers from before the loop stay where they are.
// CHECK-LABEL: @pointers_from_before_a_loop_stay
func.func @pointers_from_before_a_loop_stay(%p: !tile.ptr<f32>, %n: i64) attributes {tile.kernel} {
  // CHECK-NOT: tile.barrier
  // CHECK: return
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %i = tile.iota : tensor<64xi32, #line>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>, #line>
  %q = tile.ptr_add %ps, %i : tensor<64x!tile.ptr<f32>, #line>, tensor<64xi32, #line>
  scf.for %k = %c0 to %n step %c1 : i64 {
    %v = tile.load %q : tensor<64x!tile.ptr<f32>, #line>
    tile.store %q, %v : tensor<64x!tile.ptr<f32>, #line>
  }
  return
}

// Without layouts, threads are not known to meet their own elements.
// CHECK-LABEL: @tiles_without_layouts_need_a_barrier
func.func @tiles_without_layouts_need_a_barrier(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  // CHECK: tile.load
  // CHECK-NEXT: tile.barrier
  // CHECK-NEXT: tile.store
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %i = tile.iota : tensor<64xi32>
  %q = tile.ptr_add %ps, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %v = tile.load %q : tensor<64x!tile.ptr<f32>>
  tile.store %q, %v : tensor<64x!tile.ptr<f32>>
  return
}
