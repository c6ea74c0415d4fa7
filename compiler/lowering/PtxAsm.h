// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one place where inline PTX is formed.
#pragma once

#include "mlir/IR/Builders.h"

namespace trowel::compiler {

/// An access to global memory as the instruction sees it: `count` words of `bits` bits each, such
/// as 4 of 32 for ld.global.v4.b32.
struct AccessShape {
  int64_t bits;
  int64_t count;
  int64_t bytes() const { return bits / 8 * count; }
};

/// The shape that moves `bytes` (1, 2, 4, 8 or 16) of elements of `elementBytes` bytes.
AccessShape accessShape(int64_t bytes, int64_t elementBytes);

/// Loads where `predicate` is true and leaves `fallback` elsewhere; memory is not touched there.
/// Returns the words, each an integer of `shape.bits` bits.
llvm::SmallVector<mlir::Value> predicatedLoad(mlir::OpBuilder &builder, mlir::Location location,
                                              AccessShape shape, mlir::Value pointer,
                                              mlir::Value predicate, mlir::ValueRange fallback);

/// Stores words where `predicate` is true.
void predicatedStore(mlir::OpBuilder &builder, mlir::Location location, AccessShape shape,
                     mlir::Value pointer, mlir::Value predicate, mlir::ValueRange words);

/// The bits of 16 in another register, about which the optimiser knows nothing.
mlir::Value moveBits16(mlir::OpBuilder &builder, mlir::Location location, mlir::Value bits);

} // namespace trowel::compiler
