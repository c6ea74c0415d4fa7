// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: trowel-opt %s | trowel-opt | FileCheck %s
// RUN: trowel-opt %s -mlir-print-op-generic | trowel-opt | FileCheck %s

// CHECK-LABEL: @pointers_to_every_element_type
// CHECK-SAME: !tile.ptr<i1>, {{.*}}: !tile.ptr<i32>, {{.*}}: !tile.ptr<i64>, {{.*}}: !tile.ptr<bf16>, {{.*}}: !tile.ptr<f32>
func.func @pointers_to_every_element_type(%a: !tile.ptr<i1>, %b: !tile.ptr<i32>, %c: !tile.ptr<i64>,
                                          %d: !tile.ptr<bf16>, %e: !tile.ptr<f32>) {
  return
}

// CHECK-LABEL: @scalar_access
func.func @scalar_access(%p: !tile.ptr<f32>, %i: i64, %m: i1, %f: f32) {
  // CHECK: tile.ptr_add %{{.*}}, %{{.*}} : !tile.ptr<f32>, i64
  %q = tile.ptr_add %p, %i : !tile.ptr<f32>, i64
  // CHECK: tile.load %{{.*}} : !tile.ptr<f32>
  %x = tile.load %q : !tile.ptr<f32>
  // CHECK: tile.load %{{.*}} mask %{{.*}} fill %{{.*}} : !tile.ptr<f32>
  %y = tile.load %q mask %m fill %f : !tile.ptr<f32>
  // CHECK: tile.store %{{.*}}, %{{.*}} : !tile.ptr<f32>
  tile.store %q, %x : !tile.ptr<f32>
  // CHECK: tile.store %{{.*}}, %{{.*}} mask %{{.*}} : !tile.ptr<f32>
  tile.store %q, %y mask %m : !tile.ptr<f32>
  return
}

// CHECK-LABEL: @tile_access
func.func @tile_access(%p: tensor<8x128x!tile.ptr<bf16>>, %i: tensor<8x128xi32>, %m: tensor<8x128xi1>,
                       %f: tensor<8x128xbf16>) -> tensor<8x128xbf16> {
  // CHECK: tile.ptr_add %{{.*}}, %{{.*}} : tensor<8x128x!tile.ptr<bf16>>, tensor<8x128xi32>
  %q = tile.ptr_add %p, %i : tensor<8x128x!tile.ptr<bf16>>, tensor<8x128xi32>
  // CHECK: tile.load %{{.*}} mask %{{.*}} : tensor<8x128x!tile.ptr<bf16>>
  %x = tile.load %q mask %m : tensor<8x128x!tile.ptr<bf16>>
  // CHECK: tile.load %{{.*}} mask %{{.*}} fill %{{.*}} : tensor<8x128x!tile.ptr<bf16>>
  %y = tile.load %q mask %m fill %f : tensor<8x128x!tile.ptr<bf16>>
  // CHECK: tile.store %{{.*}}, %{{.*}} mask %{{.*}} : tensor<8x128x!tile.ptr<bf16>>
  tile.store %q, %x mask %m : tensor<8x128x!tile.ptr<bf16>>
  return %y : tensor<8x128xbf16>
}

// CHECK-LABEL: @bools_in_memory
func.func @bools_in_memory(%p: tensor<128x!tile.ptr<i1>>, %q: tensor<128x!tile.ptr<i1>>) {
  // CHECK: tile.load %{{.*}} : tensor<128x!tile.ptr<i1>>
  %x = tile.load %p : tensor<128x!tile.ptr<i1>>
  // CHECK: tile.store %{{.*}}, %{{.*}} mask %{{.*}} : tensor<128x!tile.ptr<i1>>
  tile.store %q, %x mask %x : tensor<128x!tile.ptr<i1>>
  return
}

// CHECK-LABEL: @choices_of_coalescing
func.func @choices_of_coalescing(%p: tensor<128x!tile.ptr<f32>>) {
  // CHECK: tile.load %{{.*}} {layout = #layout, width = 4 : i32} : tensor<128x!tile.ptr<f32>>
  %x = tile.load %p {width = 4 : i32, layout = #tile.layout<blocked<registers = [4], lanes = [32], warps = [1],
    order = [0]>>} : tensor<128x!tile.ptr<f32>>
  // CHECK: tile.store %{{.*}}, %{{.*}} {width = 2 : i32} : tensor<128x!tile.ptr<f32>>
  tile.store %p, %x {width = 2 : i32} : tensor<128x!tile.ptr<f32>>
  return
}

#row = #tile.layout<blocked<registers = [4], lanes = [32], warps = [1], order = [0]>>

// CHECK-LABEL: @companions_take_the_layout_of_the_pointers
func.func @companions_take_the_layout_of_the_pointers(%p: tensor<128x!tile.ptr<f32>, #row>,
    %m: tensor<128xi1, #row>) -> tensor<128xf32, #row> {
  // CHECK: tile.load %{{.*}} mask %{{.*}} : tensor<128x!tile.ptr<f32>, #layout>
  %x = tile.load %p mask %m : tensor<128x!tile.ptr<f32>, #row>
  return %x : tensor<128xf32, #row>
}
