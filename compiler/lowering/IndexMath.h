// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the algebra of layouts to instructions: which element a thread's register holds, and whether
// the thread owns it.
#pragma once

#include "dialect/layout/LinearLayout.h"

#include "mlir/IR/Builders.h"

namespace trowel::compiler {

/// Bits of a thread's index that are its lane; those above are its warp.
inline constexpr int laneBits = 5;

/// An i32.
mlir::Value constant(mlir::OpBuilder &builder, mlir::Location location, int32_t value);

/// The index of this thread in its CTA, as an i32 that LLVM knows to be less than 32 · warps.
mlir::Value threadIndex(mlir::OpBuilder &builder, mlir::Location location, int64_t warps);

/// The coordinates of a layout's elements in this thread, as i32.
class ElementIndices {
public:
  ElementIndices(mlir::OpBuilder &builder, mlir::Location location,
                 const layout::LinearLayout &layout);

  /// The coordinate along `axis` of the element in register `reg`.
  mlir::Value at(int reg, int axis);

private:
  mlir::OpBuilder &builder;
  mlir::Location location;
  const layout::LinearLayout &layout;
  /// The part that lane and warp contribute, and the bits in which it may be other than 0.
  llvm::SmallVector<mlir::Value> ofThread;
  llvm::SmallVector<uint32_t> bitsOfThread;
};

/// True in the one thread that stores a layout's elements, where several threads hold each; null
/// where every thread stores what it holds.
mlir::Value ownsElements(mlir::OpBuilder &builder, mlir::Location location,
                         const layout::LinearLayout &layout);

} // namespace trowel::compiler
