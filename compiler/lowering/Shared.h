// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program's shared memory, as tile-allocate-shared divided it.
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace trowel::compiler {

/// Bytes of shared memory that an entry may declare; more is given at the launch.
inline constexpr int64_t mostStaticSharedBytes = 48 * 1024;

/// Declares the shared memory of the kernel in the module, if it takes any.
void declareSharedMemory(mlir::ModuleOp module);
/// The address of the scratch of an op, plus `offset` bytes.
mlir::Value scratchAddress(mlir::OpBuilder &builder, mlir::Operation *op, int64_t offset = 0);
/// Waits until all threads of the program are here, and lets each see what the others wrote.
void synchronizeThreads(mlir::OpBuilder &builder, mlir::Location location);
/// The type in which an element is kept in shared memory: at least 32 bits, so that no two lanes
/// write parts of one word.
mlir::Type sharedType(mlir::Type element);
mlir::Value toShared(mlir::OpBuilder &builder, mlir::Location location, mlir::Value element);
mlir::Value fromShared(mlir::OpBuilder &builder, mlir::Location location, mlir::Value word,
                       mlir::Type element);

} // namespace trowel::compiler
