// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the trees of programs, typed as the language types them.
#pragma once

#include "tests/support/programs/Program.h"

#include <utility>

namespace trowel::programs {

inline constexpr ElementType allTypes[] = {
    ElementType::Bool,   ElementType::Int8,    ElementType::UInt8,    ElementType::Int16,
    ElementType::UInt16, ElementType::Int32,   ElementType::UInt32,   ElementType::Int64,
    ElementType::UInt64, ElementType::Float16, ElementType::BFloat16, ElementType::Float32,
    ElementType::Float64};

inline bool isSigned(ElementType type) { return isInteger(type) && !isUnsigned(type); }

inline Expr make(Op op, ElementType type, TileShape shape, std::vector<Expr> operands = {}) {
  Expr expr;
  expr.op = op;
  expr.type = type;
  expr.shape = shape;
  expr.operands = std::move(operands);
  return expr;
}

inline Expr number(std::int64_t value) {
  Expr expr;
  expr.number.integer = value;
  return expr;
}
inline Expr fraction(double value) {
  Expr expr = make(Op::Number, ElementType::Float32, {});
  expr.number.kind = HostNumber::Kind::Fraction;
  expr.number.fraction = value;
  return expr;
}
inline Expr size(SizeSymbol symbol) {
  Expr expr = make(Op::Size, ElementType::Int32, {});
  expr.size = symbol;
  return expr;
}
inline Expr variable(int which, ElementType type, TileShape shape) {
  Expr expr = make(Op::Variable, type, shape);
  expr.which = which;
  return expr;
}
inline Expr cast(ElementType type, Expr operand) {
  if (operand.type == type && !operand.isHost())
    return operand;
  TileShape shape = operand.shape;
  return make(Op::Cast, type, shape, {std::move(operand)});
}
inline Expr pair(Op op, ElementType type, Expr a, Expr b) {
  TileShape shape = unionOf(a.shape, b.shape);
  return make(op, type, shape, {std::move(a), std::move(b)});
}
inline Expr pair(Op op, Expr a, Expr b) {
  ElementType type = arithmeticType(a, b);
  return pair(op, type, std::move(a), std::move(b));
}
inline Expr compare(Op op, Expr a, Expr b) {
  return pair(op, ElementType::Bool, std::move(a), std::move(b));
}
inline Expr both(Expr a, Expr b) {
  return pair(Op::And, ElementType::Bool, std::move(a), std::move(b));
}

} // namespace trowel::programs
