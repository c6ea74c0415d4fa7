// RUN: trowel-opt %s -tile-lower-to-nvvm | FileCheck %s

#line = #tile.layout<blocked<registers = [2], lanes = [32], warps = [4], order = [0]>>
#plane = #tile.layout<blocked<registers = [1, 2], lanes = [8, 4], warps = [2, 1], order = [1, 0]>>
#columns = #tile.layout<slice<axis = 0, extent = 16, blocked<registers = [1, 2], lanes = [8, 4], warps = [2, 1], order = [1, 0]>>>
#row = #tile.layout<bases<register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 0], [0, 0], [0, 0]], warp = [[0, 0]], block = []>, extents = [1, 8]>

// index = (thread << 1) | register
// CHECK-LABEL: llvm.func @iota_of_a_line
func.func @iota_of_a_line(%p: !tile.ptr<i32>) attributes {tile.kernel, tile.warps = 4 : i64} {
  // CHECK: %[[THREAD:.*]] = nvvm.read.ptx.sreg.tid.x range <i32, 0, 128>
  // CHECK: %[[BITS:.*]] = llvm.and %[[THREAD]], %{{.*}}
  // CHECK: %[[EVEN:.*]] = llvm.shl %[[BITS]], %{{.*}}
  // CHECK: %[[ODD:.*]] = llvm.or disjoint %[[EVEN]], %{{.*}}
  %i = tile.iota : tensor<256xi32, #line>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<256x!tile.ptr<i32>, #line>
  %q = tile.ptr_add %ps, %i : tensor<256x!tile.ptr<i32>, #line>, tensor<256xi32, #line>
  tile.store %q, %i {width = 2 : i32} : tensor<256x!tile.ptr<i32>, #line>
  return
}

// Expanding and broadcasting are no instructions: the two registers of the row are those of the plane.
// CHECK-LABEL: llvm.func @broadcast_is_free
func.func @broadcast_is_free(%p: !tile.ptr<i32>) attributes {tile.kernel, tile.warps = 2 : i64} {
  // CHECK: %[[FIRST:.*]] = llvm.shl
  // CHECK: %[[SECOND:.*]] = llvm.or disjoint %[[FIRST]]
  // CHECK: llvm.inline_asm {{.*}}%[[FIRST]]
  // CHECK: llvm.inline_asm {{.*}}%[[SECOND]]
  %i = tile.iota : tensor<8xi32, #columns>
  %e = tile.expand %i axis 0 : tensor<8xi32, #columns> -> tensor<1x8xi32, #row>
  %b = tile.broadcast %e : tensor<1x8xi32, #row> -> tensor<16x8xi32, #plane>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<16x8x!tile.ptr<i32>, #plane>
  %m = arith.constant dense<true> : tensor<16x8xi1, #plane>
  tile.store %ps, %b mask %m : tensor<16x8x!tile.ptr<i32>, #plane>
  return
}
