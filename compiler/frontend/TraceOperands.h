// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes operands alike: host numbers become constants, element types are converted, shapes
// broadcast.
#pragma once

#include "compiler/frontend/Trace.h"

namespace trowel::compiler {

/// The operands of one operation, on their way to a common element type and shape.
class Operands {
public:
  Operands(Trace &trace, const Site &site)
      : trace(trace), site(site), at(trace.location(site.at)), builder(trace.builder()) {}

  /// A traced value as it is; a host number as a constant of `type`, refused where it does not fit.
  mlir::Value value(const detail::Operand &operand, ElementType type);
  /// The same, converted to `type`.
  mlir::Value numeric(const detail::Operand &operand, ElementType type);
  /// Converts elements by the rules of `cast`.
  mlir::Value convert(mlir::Value value, ElementType from, ElementType to);
  /// The count of a shift of `type`s as one of these, where a count that they cannot hold shifts
  /// all bits out as well.
  mlir::Value shiftCount(const detail::Operand &operand, ElementType type);

  /// Broadcasts all to one shape, or says which shapes do not go together.
  void broadcast(llvm::MutableArrayRef<mlir::Value> values);
  /// Broadcasts `value` to the shape of `shape`, which stays as it is; `valueName` and `shapeName`
  /// are for the message.
  mlir::Value broadcastTo(mlir::Value value, mlir::Type shape, const char *valueName,
                          const char *shapeName);

  /// Refuses extents that no tile can have, at the operation's line.
  void checkExtents(llvm::ArrayRef<std::int64_t> extents);

  mlir::Value zeroLike(mlir::Value value);
  /// Integers with every bit set.
  mlir::Value allOnesLike(mlir::Value value);

  Trace &trace;
  const Site &site;
  mlir::Location at;
  mlir::OpBuilder &builder;

private:
  mlir::TypedAttr attributeOf(const detail::Number &number, ElementType type);
  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<std::int64_t> extents);
  mlir::Value constant(mlir::TypedAttr number);

  /// The constants of this operation alone. A Scalar of the same line may be one, too, and is a
  /// variable of the user's, which may be read again.
  llvm::SmallPtrSet<mlir::Operation *, 4> ownConstants;
};

/// Refuses an axis outside 0…axes − 1 (counting from the end when negative) and returns it from 0.
int checkedAxis(Trace &trace, const Site &site, Axis axis, int axes, mlir::Value of);

/// Appends the op that a binary operation of this type is; the operands have its type and one
/// shape.
mlir::Value makeBinary(detail::BinaryOp op, ElementType type, mlir::OpBuilder &builder,
                       mlir::Location at, mlir::Value lhs, mlir::Value rhs);

/// "i32", "float", "Ptr<float>" and the like, as a user would write the element type.
std::string spellElement(mlir::Type element);
/// "8x128"; "a scalar" for none.
std::string spellShape(llvm::ArrayRef<std::int64_t> extents);

} // namespace trowel::compiler
