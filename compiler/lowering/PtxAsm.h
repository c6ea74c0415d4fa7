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
/// Without a predicate it loads everywhere. `modifier` is one of tile.load's, or empty. Returns the
/// words, each an integer of `shape.bits` bits.
llvm::SmallVector<mlir::Value> maskedLoad(mlir::OpBuilder &builder, mlir::Location location,
                                          AccessShape shape, llvm::StringRef modifier,
                                          mlir::Value pointer, mlir::Value predicate,
                                          mlir::ValueRange fallback);

/// Stores words where `predicate` is true, everywhere without one.
void maskedStore(mlir::OpBuilder &builder, mlir::Location location, AccessShape shape,
                 llvm::StringRef modifier, mlir::Value pointer, mlir::Value predicate,
                 mlir::ValueRange words);

/// The same of `predicates.size()` equal parts, each with a predicate of its own: in one
/// instruction where `all` is true, part by part elsewhere. The whole has at least 4 bytes.
llvm::SmallVector<mlir::Value> splitLoad(mlir::OpBuilder &builder, mlir::Location location,
                                         AccessShape shape, llvm::StringRef modifier,
                                         mlir::Value pointer, mlir::Value all,
                                         mlir::ValueRange predicates, mlir::ValueRange fallback);
void splitStore(mlir::OpBuilder &builder, mlir::Location location, AccessShape shape,
                llvm::StringRef modifier, mlir::Value pointer, mlir::Value all,
                mlir::ValueRange predicates, mlir::ValueRange words);

/// Stores a word of 32 or 64 bits to shared memory where `predicate` is true.
void storeShared(mlir::OpBuilder &builder, mlir::Location location, mlir::Value pointer,
                 mlir::Value predicate, mlir::Value word);

/// The software device ends the launch unless an integer or pointer is a multiple of `divisor`, a
/// power of two, where `predicate` (everywhere without one) is true; unless a condition is true.
void checkMultiple(mlir::OpBuilder &builder, mlir::Location location, mlir::Value value,
                   int64_t divisor, mlir::Value predicate);
void checkTrue(mlir::OpBuilder &builder, mlir::Location location, mlir::Value condition);

/// A text that tile::checkPtx passed, in a scope of its own.
mlir::Value inlinePtx(mlir::OpBuilder &builder, mlir::Location location, mlir::Type result,
                      mlir::ValueRange operands, llvm::StringRef lines, bool isPure);

/// Appends a record of 32-bit words, an even number of them, to the launch's buffer where
/// `predicate` is true; one that does not fit is counted instead.
void writeRecord(mlir::OpBuilder &builder, mlir::Location location, mlir::Value buffer,
                 mlir::Value predicate, mlir::ValueRange words, bool isFailure);

/// The bits of 16 in another register, about which the optimiser knows nothing.
mlir::Value moveBits16(mlir::OpBuilder &builder, mlir::Location location, mlir::Value bits);

} // namespace trowel::compiler
