// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `tile` dialect: its types, attributes, interfaces and ops.
#pragma once

#include "dialect/AxisFacts.h"
#include "dialect/layout/LinearLayout.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialect/TileInterfaces.h.inc"

#include "dialect/TileDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialect/TileTypes.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialect/TileAttrs.h.inc"

namespace trowel::tile {
/// The facts of the result rest on the author's word alone.
template <class Op> class IsHint : public mlir::OpTrait::TraitBase<Op, IsHint> {};
/// The op's region says how two elements become one, and has no effect.
template <class Op>
class CombinesElements : public mlir::OpTrait::TraitBase<Op, CombinesElements> {};
} // namespace trowel::tile

#define GET_OP_CLASSES
#include "dialect/TileOps.h.inc"

namespace trowel::tile {

/// Attaches the models by which `arith` and `math` ops answer the dialect's interfaces.
void registerBuiltinModels(mlir::DialectRegistry &registry);

/// The element type of a tile, or the type itself where it is a scalar.
mlir::Type elementTypeOf(mlir::Type type);
/// A type of the same shape (and layout) with other elements.
mlir::Type withElementType(mlir::Type shape, mlir::Type element);
/// The layout of a tile type; null for scalars and for tiles before tile-assign-layouts.
LayoutAttr layoutOf(mlir::Type type);
/// The tile type with another layout; a scalar type is returned as it is.
mlir::Type withLayout(mlir::Type type, LayoutAttr layout);
/// For an op that takes tiles, all of one shape, and makes none, such as a store: the type of the
/// first. Null for every other op.
mlir::Type consumedTile(mlir::Operation *op);
/// Extents of a tile, empty for a scalar.
llvm::ArrayRef<int64_t> extentsOf(mlir::Type type);
/// The extents that layouts map: each rounded up to a power of two. Elements beyond the extents
/// that the user wrote are padding.
llvm::SmallVector<int64_t> paddedExtents(llvm::ArrayRef<int64_t> extents);
/// True if some element of a tile of these extents is padding.
bool hasPadding(llvm::ArrayRef<int64_t> extents);
/// The registers of a tile with a layout that hold an element, rather than padding alone, in some
/// thread: what is materialised of the tile, in order.
llvm::SmallVector<int> liveRegisters(mlir::RankedTensorType tile);
/// Text of extents for messages, such as "8x128"; "scalar" for none.
std::string describeExtents(llvm::ArrayRef<int64_t> extents);
/// The most programs that a grid has along an axis: 2^31 − 1 along x, 65535 along y and z.
int64_t mostProgramsAlong(int32_t axis);
/// Bytes that an element takes in memory: a bool is one byte, a pointer eight.
int64_t memoryBytes(mlir::Type element);

} // namespace trowel::tile
