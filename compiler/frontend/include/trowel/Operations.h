// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The untyped operations of a trace. Each operator and function of the language is one call to one
// of these, so that user code instantiates next to nothing. The element type to compute in comes
// from the promotion table (Promotion.h); operands are converted to it, and broadcast, by the
// operation.
#pragma once

#include "trowel/Handle.h"

#include <initializer_list>

namespace trowel {

struct Access;

namespace detail {
// An unsigned number beyond int64 must not turn negative.
template <class N> constexpr std::int64_t clampedToInt64(N number) {
  if constexpr (std::is_unsigned_v<N> && sizeof(N) == 8)
    return number >> 63 ? 0x7fffffffffffffff : static_cast<std::int64_t>(number);
  else
    return number;
}
} // namespace detail

/// The extents of a tile; an integer alone is a shape of rank 1.
///
///   zeros<float>({64, 128});
///   full<int32>(256, 7);
class Shape {
public:
  static constexpr int maxRank = 8;

  template <class... N>
    requires(sizeof...(N) >= 1 && sizeof...(N) <= maxRank && (std::integral<N> && ...))
  constexpr Shape(N... extents)
      : values{detail::clampedToInt64(extents)...}, count(static_cast<int>(sizeof...(N))) {}

  constexpr int rank() const { return count; }
  constexpr std::int64_t operator[](int axis) const { return values[axis]; }

private:
  std::int64_t values[maxRank];
  int count;
};

namespace detail {

enum class BinaryOp : std::uint8_t {
  Add,
  Subtract,
  Multiply,
  Divide,
  Remainder,
  And,
  Or,
  Xor,
  ShiftLeft,
  ShiftRight, // copies the sign of a signed integer
  Minimum,
  Maximum, // a NaN on either side gives NaN
  MinimumNumber,
  MaximumNumber, // a NaN is ignored
  MultiplyHigh   // the upper half of the product
};
enum class Comparison : std::uint8_t { Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual };
enum class UnaryOp : std::uint8_t { Negate, Complement, Sqrt, Abs, Floor, Ceil, Round, Exact };
enum class MathFunction : std::uint8_t {
  Exp,
  Exp2,
  Log,
  Log2,
  Log1p,
  Expm1,
  Sin,
  Cos,
  Tan,
  Tanh,
  Erf,
  Rsqrt,
  Sigmoid
};
/// Full: the language's bounds. Fast: the hardware's approximation, whatever its bound is.
enum class Accuracy : std::uint8_t { Full, Fast };

// Each throws a trowel::Error at `at` for whatever is wrong with its operands.
TROWEL_API Value binary(BinaryOp op, ElementType type, Operand lhs, Operand rhs,
                        std::source_location at);
/// In the type in which both meet.
TROWEL_API Value compare(Comparison op, Operand lhs, Operand rhs, std::source_location at);
TROWEL_API Value unary(UnaryOp op, ElementType type, Operand operand, std::source_location at);
TROWEL_API Value math(MathFunction function, Accuracy accuracy, ElementType type, Operand operand,
                      std::source_location at);
TROWEL_API Value power(Accuracy accuracy, ElementType type, Operand base, Operand exponent,
                       std::source_location at);
TROWEL_API Value fma(ElementType type, Operand a, Operand b, Operand c, std::source_location at);
TROWEL_API Value select(ElementType type, Operand condition, Operand ifTrue, Operand ifFalse,
                        std::source_location at);
TROWEL_API Value convert(ElementType type, Operand operand, std::source_location at);
/// The quotient of integers, rounded up.
TROWEL_API Value ceilDivide(ElementType type, Operand lhs, Operand rhs, std::source_location at);
/// The same bits as another type of the same width.
TROWEL_API Value bitcast(ElementType type, Operand operand, std::source_location at);
/// Never fails: a bad operand gives a bad result, which its first use reports with a line.
TROWEL_API Value logicalNot(Value operand);
/// The same for `&&` and `||`, whose right side may be a host bool without a line.
TROWEL_API Value logicalWith(BinaryOp op, Value lhs, bool rhs);

TROWEL_API Value programId(int axis, std::source_location at);
TROWEL_API Value programCount(int axis, std::source_location at);

TROWEL_API Value iota(const Shape &shape, std::source_location at);
TROWEL_API Value full(ElementType type, const Shape &shape, Operand value, std::source_location at);
TROWEL_API Value scalar(ElementType type, Operand value, std::source_location at);
TROWEL_API Value expand(Value tile, Axis axis, std::source_location at);
TROWEL_API int rankOf(Value tile, std::source_location at);
TROWEL_API std::int64_t extentOf(Value tile, Axis axis, std::source_location at);

TROWEL_API Value offset(Operand pointer, Operand count, bool backwards, std::source_location at);
/// `type` is that of the elements behind the pointer; `mask` and `fill` are null where there is
/// none.
TROWEL_API Value load(ElementType type, Value pointer, const Operand *mask, const Operand *fill,
                      const Access &access, std::source_location at);
TROWEL_API void store(ElementType type, Value pointer, Operand value, const Operand *mask,
                      const Access &access, std::source_location at);

} // namespace detail
} // namespace trowel
