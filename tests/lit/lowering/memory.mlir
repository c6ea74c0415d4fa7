// RUN: trowel-opt %s -tile-lower-to-nvvm | FileCheck %s

#line = #tile.layout<blocked<registers = [4], lanes = [32], warps = [1], order = [0]>>
#narrow = #tile.layout<blocked<registers = [1], lanes = [32], warps = [1], order = [0]>, extents = [8]>
#rows = #tile.layout<slice<axis = 1, extent = 4, blocked<registers = [1, 4], lanes = [32, 1], warps = [1, 1], order = [1, 0]>>>

// Four registers in a row move as one access of 16 bytes.
// CHECK-LABEL: llvm.func @unmasked_access_is_a_vector
func.func @unmasked_access_is_a_vector(%p: !tile.ptr<f32>) attributes {tile.kernel, tile.warps = 1 : i64} {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>, #line>
  %i = tile.iota : tensor<128xi32, #line>
  %q = tile.ptr_add %ps, %i : tensor<128x!tile.ptr<f32>, #line>, tensor<128xi32, #line>
  // CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
  // CHECK-NOT: llvm.load
  // CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
  %v = tile.load %q {width = 4 : i32} : tensor<128x!tile.ptr<f32>, #line>
  tile.store %q, %v {width = 4 : i32} : tensor<128x!tile.ptr<f32>, #line>
  return
}

// CHECK-LABEL: llvm.func @masked_access_is_predicated
func.func @masked_access_is_predicated(%p: !tile.ptr<f32>, %m: i1) attributes {tile.kernel, tile.warps = 1 : i64} {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>, #line>
  %ms = tile.splat %m : i1 -> tensor<128xi1, #line>
  %i = tile.iota : tensor<128xi32, #line>
  %q = tile.ptr_add %ps, %i : tensor<128x!tile.ptr<f32>, #line>, tensor<128xi32, #line>
  // CHECK: llvm.inline_asm has_side_effects "@$5 ld.global.v4.b32 {$0,$1,$2,$3}, [$4];", "=r,=r,=r,=r,l,b,0,1,2,3"
  // CHECK: llvm.inline_asm has_side_effects "@$1 st.global.v4.b32 [$0], {$2,$3,$4,$5};", "l,b,r,r,r,r,~{memory}"
  %v = tile.load %q mask %ms {width = 4 : i32} : tensor<128x!tile.ptr<f32>, #line>
  tile.store %q, %v mask %ms {width = 4 : i32} : tensor<128x!tile.ptr<f32>, #line>
  return
}

// A tile of 8 elements is held four times; lanes 0 to 7 store it.
// CHECK-LABEL: llvm.func @owner_stores
func.func @owner_stores(%p: !tile.ptr<f32>, %x: f32) attributes {tile.kernel, tile.warps = 1 : i64} {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>, #narrow>
  %xs = tile.splat %x : f32 -> tensor<8xf32, #narrow>
  // CHECK: %[[REPLICAS:.*]] = llvm.mlir.constant(24 : i32)
  // CHECK: %[[BITS:.*]] = llvm.and %{{.*}}, %[[REPLICAS]]
  // CHECK: %[[OWNER:.*]] = llvm.icmp "eq" %[[BITS]]
  // CHECK: llvm.inline_asm {{.*}} "@$1 st.global.b32 [$0], $2;", "l,b,r,~{memory}" %{{.*}}, %[[OWNER]], %{{.*}}
  tile.store %ps, %xs : tensor<8x!tile.ptr<f32>, #narrow>
  return
}

// Registers that repeat one element load it once.
// CHECK-LABEL: llvm.func @repeated_register_loads_once
func.func @repeated_register_loads_once(%p: !tile.ptr<f32>) attributes {tile.kernel, tile.warps = 1 : i64} {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>, #rows>
  %i = tile.iota : tensor<32xi32, #rows>
  %q = tile.ptr_add %ps, %i : tensor<32x!tile.ptr<f32>, #rows>, tensor<32xi32, #rows>
  // CHECK-COUNT-1: llvm.load
  // CHECK-NOT: llvm.load
  // CHECK-COUNT-1: llvm.store
  // CHECK-NOT: llvm.store
  %v = tile.load %q : tensor<32x!tile.ptr<f32>, #rows>
  tile.store %q, %v : tensor<32x!tile.ptr<f32>, #rows>
  return
}

// A bool is a byte of 0 or 1.
// CHECK-LABEL: llvm.func @bool_is_a_byte
func.func @bool_is_a_byte(%p: !tile.ptr<i1>) attributes {tile.kernel, tile.warps = 1 : i64} {
  // CHECK: %[[BYTE:.*]] = llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr<1> -> i8
  // CHECK: llvm.icmp "ne" %[[BYTE]]
  %v = tile.load %p : !tile.ptr<i1>
  // CHECK: llvm.zext %{{.*}} : i1 to i8
  // CHECK: st.global.b8
  tile.store %p, %v : !tile.ptr<i1>
  return
}

// Thread 0 stores a scalar.
// CHECK-LABEL: llvm.func @scalar_is_stored_once
func.func @scalar_is_stored_once(%p: !tile.ptr<f32>, %x: f32) attributes {tile.kernel, tile.warps = 4 : i64} {
  // CHECK: %[[THREAD:.*]] = nvvm.read.ptx.sreg.tid.x range <i32, 0, 128>
  // CHECK: %[[FIRST:.*]] = llvm.icmp "eq" %[[THREAD]]
  // CHECK: llvm.inline_asm {{.*}} "@$1 st.global.b32 [$0], $2;", "l,b,r,~{memory}" %{{.*}}, %[[FIRST]], %{{.*}}
  tile.store %p, %x : !tile.ptr<f32>
  return
}

#bytes = #tile.layout<blocked<registers = [16], lanes = [32], warps = [1], order = [0]>>

// Sixteen bytes a thread, as four words.
// CHECK-LABEL: llvm.func @bytes_move_as_words
func.func @bytes_move_as_words(%p: !tile.ptr<i8>) attributes {tile.kernel, tile.warps = 1 : i64} {
  %ps = tile.splat %p : !tile.ptr<i8> -> tensor<512x!tile.ptr<i8>, #bytes>
  %i = tile.iota : tensor<512xi32, #bytes>
  %q = tile.ptr_add %ps, %i : tensor<512x!tile.ptr<i8>, #bytes>, tensor<512xi32, #bytes>
  // CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
  // CHECK-NOT: llvm.load
  // CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
  %v = tile.load %q {width = 16 : i32} : tensor<512x!tile.ptr<i8>, #bytes>
  tile.store %q, %v {width = 16 : i32} : tensor<512x!tile.ptr<i8>, #bytes>
  return
}
