// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: trowel-dump %s --target=sm_80 > %t.ptx
// RUN: trowel-run %t.ptx --device sim --grid 2 --args "f32[2]:ones,i64=2" | FileCheck %s
// RUN: not trowel-run %t.ptx --device sim --grid 2 --args "f32[2]:ones,i64=1" > %t.out 2> %t.err
// RUN: FileCheck %s --check-prefix=PRINTS < %t.out
// RUN: FileCheck %s --check-prefix=FAILS < %t.err
// RUN: env TROWEL_PRINT_BYTES=many not trowel-run %t.ptx --device sim --args "f32[2]:ones,i64=2" 2>&1 | FileCheck %s --check-prefix=ROOM

// What a kernel prints is told from the PTX alone, by the manifest in it.

// CHECK: trowel-run-print.mlir:[[@LINE+20]]: kernel 'told' (0, 0, 0) [0]: x = 1 there
// CHECK-NEXT: {{.*}}kernel 'told' (0, 0, 0) [1]: x = 1 there
// CHECK-NEXT: {{.*}}kernel 'told' (1, 0, 0) [0]: x = 1 there
// CHECK-NEXT: {{.*}}kernel 'told' (1, 0, 0) [1]: x = 1 there
// CHECK-NOT: kernel

// PRINTS-COUNT-4: kernel 'told'
// FAILS: trowel-run: {{.*}}trowel-run-print.mlir:[[@LINE+15]]: kernel 'told': check failed in program (0, 0, 0) [1]: it is inside 1; and 1 more

// ROOM: TROWEL_PRINT_BYTES is 'many'; it must be a whole number from 1024 to 1073741824

func.func @told(%p: !tile.ptr<f32>, %n: i64) attributes {tile.kernel} {
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<2x!tile.ptr<f32>>
  %i = tile.iota : tensor<2xi32>
  %q = tile.ptr_add %ps, %i : tensor<2x!tile.ptr<f32>>, tensor<2xi32>
  %v = tile.load %q : tensor<2x!tile.ptr<f32>>
  %wide = arith.extsi %i : tensor<2xi32> to tensor<2xi64>
  %ns = tile.splat %n : i64 -> tensor<2xi64>
  %outside = arith.cmpi sge, %wide, %ns : tensor<2xi64>

  %0 = tile.record ["x = ", " there"] (%v : tensor<2xf32>)

  %1 = tile.record failure ["it is inside ", ""] (%wide : tensor<2xi64>) mask %outside : tensor<2xi1>
  tile.return_if %1
  return
}
