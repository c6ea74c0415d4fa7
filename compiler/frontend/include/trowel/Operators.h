// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operators of traced values, as hidden friends of base classes.
//
// A class inherits one BinaryOperators<L, R> for each partner that it has, so every pair of types
// has its own non-template functions, found only through the operands' classes. Their parameters
// are Located, which is how an operator learns its C++ line; a template could not deduce through
// that conversion. Bodies are instantiated only where an operator is used, so a static_assert there
// is a sentence for the user and costs nothing otherwise.
//
// An operation takes the line of its right operand. Where an expression spans lines, GCC gives both
// operands the line up to which it has read (in a template, the line of the left one), clang gives
// each its own; on the right they mostly agree.
#pragma once

#include "trowel/Operations.h"
#include "trowel/Promotion.h"

namespace trowel::detail {

template <BinaryOp op, class L, class R>
Value applyArithmetic(const Located<L> &lhs, const Located<R> &rhs) {
  constexpr ElementType type = arithmeticType(TypingOf<L>::value, TypingOf<R>::value);
  static_assert(op != BinaryOp::Remainder || !isFloating(type),
                "'%' is for integers, as in C++; convert with cast<int32>(x) first");
  return binary(op, type, lhs.operand, rhs.operand, rhs.at);
}

template <BinaryOp op, class L, class R>
Value applyBits(const Located<L> &lhs, const Located<R> &rhs) {
  constexpr ElementType type = commonType(TypingOf<L>::value, TypingOf<R>::value);
  static_assert(!isFloating(type), "'&', '|' and '^' are for bools and integers");
  return binary(op, type, lhs.operand, rhs.operand, rhs.at);
}

template <class L, class R>
Value applyComparison(Comparison op, const Located<L> &lhs, const Located<R> &rhs) {
  return compare(op, commonType(TypingOf<L>::value, TypingOf<R>::value), lhs.operand, rhs.operand,
                 rhs.at);
}

template <class Self, class Result, class R> void checkCompound() {
  static_assert(std::same_as<Self, Result>,
                "a compound assignment may not change its variable's type (int32 += float would "
                "need a float variable): convert the right side with cast<T>(x), or assign to a "
                "variable of the wider type");
}

#define TROWEL_ARITHMETIC(symbol, op)                                                              \
  friend ArithmeticResult<L, R> operator symbol(Located<L> lhs, Located<R> rhs) {                  \
    return ArithmeticResult<L, R>(applyArithmetic<BinaryOp::op>(lhs, rhs));                        \
  }
#define TROWEL_BITS(symbol, op)                                                                    \
  friend CommonResult<L, R> operator symbol(Located<L> lhs, Located<R> rhs) {                      \
    return CommonResult<L, R>(applyBits<BinaryOp::op>(lhs, rhs));                                  \
  }
#define TROWEL_COMPARISON(symbol, op)                                                              \
  friend BoolResult<L, R> operator symbol(Located<L> lhs, Located<R> rhs) {                        \
    return BoolResult<L, R>(applyComparison(Comparison::op, lhs, rhs));                            \
  }

/// Operators between L on the left and R on the right; one of them is the class that inherits this.
template <class L, class R> struct BinaryOperators {
  TROWEL_ARITHMETIC(+, Add)
  TROWEL_ARITHMETIC(-, Subtract)
  TROWEL_ARITHMETIC(*, Multiply)
  TROWEL_ARITHMETIC(/, Divide)
  TROWEL_ARITHMETIC(%, Remainder)
  TROWEL_BITS(&, And)
  TROWEL_BITS(|, Or)
  TROWEL_BITS(^, Xor)
  TROWEL_COMPARISON(==, Equal)
  TROWEL_COMPARISON(!=, NotEqual)
  TROWEL_COMPARISON(<, Less)
  TROWEL_COMPARISON(<=, LessEqual)
  TROWEL_COMPARISON(>, Greater)
  TROWEL_COMPARISON(>=, GreaterEqual)
};
#undef TROWEL_ARITHMETIC
#undef TROWEL_BITS
#undef TROWEL_COMPARISON

#define TROWEL_COMPOUND(symbol, trait, apply, op)                                                  \
  friend Self &operator symbol(Self &lhs, Located<R> rhs) {                                        \
    checkCompound<Self, trait<Self, R>, R>();                                                      \
    lhs = trait<Self, R>(apply<BinaryOp::op>(Located<Self>(lhs, rhs.at), rhs));                    \
    return lhs;                                                                                    \
  }

/// `x += y` is `x = x + y`, where that keeps the type.
template <class Self, class R> struct CompoundOperators {
  TROWEL_COMPOUND(+=, ArithmeticResult, applyArithmetic, Add)
  TROWEL_COMPOUND(-=, ArithmeticResult, applyArithmetic, Subtract)
  TROWEL_COMPOUND(*=, ArithmeticResult, applyArithmetic, Multiply)
  TROWEL_COMPOUND(/=, ArithmeticResult, applyArithmetic, Divide)
  TROWEL_COMPOUND(%=, ArithmeticResult, applyArithmetic, Remainder)
  TROWEL_COMPOUND(&=, CommonResult, applyBits, And)
  TROWEL_COMPOUND(|=, CommonResult, applyBits, Or)
  TROWEL_COMPOUND(^=, CommonResult, applyBits, Xor)
};
#undef TROWEL_COMPOUND

/// `&&` and `||` compute both sides, as `&` and `|` do: nothing in a trace is skipped. The left
/// side is taken exactly, because C++ would otherwise weigh the built-in operator, reached through
/// the conversion to bool that exists only to be refused, as equal.
template <class Self, class R> struct LogicalOperators {
  friend BoolResult<Self, R> operator&&(const Self &lhs, Located<R> rhs) {
    return BoolResult<Self, R>(
        binary(BinaryOp::And, ElementType::Bool, operandOf(lhs, rhs.at), rhs.operand, rhs.at));
  }
  friend BoolResult<Self, R> operator||(const Self &lhs, Located<R> rhs) {
    return BoolResult<Self, R>(
        binary(BinaryOp::Or, ElementType::Bool, operandOf(lhs, rhs.at), rhs.operand, rhs.at));
  }
};

/// The logical operators that a Self of bools has besides.
template <class Self>
struct BoolOperators : LogicalOperators<Self, Tile<bool>>, LogicalOperators<Self, Scalar<bool>> {
  friend Negated<Self> operator!(const Self &operand) {
    return Negated<Self>(logicalNot(operand.read()));
  }
  friend Self operator&&(const Self &lhs, bool rhs) {
    return Self(logicalWith(BinaryOp::And, lhs.read(), rhs));
  }
  friend Self operator||(const Self &lhs, bool rhs) {
    return Self(logicalWith(BinaryOp::Or, lhs.read(), rhs));
  }
};

template <class Self> struct NegateOperator {
  friend typename Shell<TypingOf<Self>::value.form, afterBool(TypingOf<Self>::value.type)>::Result
  operator-(Located<Self> operand) {
    constexpr Typing typing = TypingOf<Self>::value;
    constexpr ElementType type = afterBool(typing.type);
    return typename Shell<typing.form, type>::Result(
        unary(UnaryOp::Negate, type, operand.operand, operand.at));
  }
};

/// A value known only on the device has no truth value and no number on the host.
struct NoHostValue {
  template <class B>
    requires(std::same_as<B, bool>)
  explicit operator B() const {
    static_assert(alwaysFalse<B>,
                  "this value exists only on the device, so C++'s if, ?:, while and for cannot "
                  "test it: use if_(condition, ...) for control flow, or where(condition, a, b) "
                  "to choose between values");
    return false;
  }
  template <class N>
    requires(std::is_arithmetic_v<N> && !std::same_as<N, bool>)
  explicit operator N() const {
    static_assert(alwaysFalse<N>,
                  "this value exists only on the device and cannot be read as a number of the "
                  "host: convert with cast<T>(x), or capture a host value in the lambda");
    return N();
  }
};

template <class Self, class... Partners>
struct OperatorsWith : BinaryOperators<Self, Partners>..., CompoundOperators<Self, Partners>... {};
template <class Self>
struct OperatorsAfterHost : BinaryOperators<HostBool, Self>,
                            BinaryOperators<HostInteger, Self>,
                            BinaryOperators<HostFraction, Self> {};

/// All operators of a number: with every number type, and with host numbers on either side.
template <class Self>
struct NumberOperators
    : OperatorsWith<Self, Tile<bool>, Tile<int32>, Tile<int64>, Tile<bf16>, Tile<float>,
                    Scalar<bool>, Scalar<int32>, Scalar<int64>, Scalar<bf16>, Scalar<float>, Index,
                    HostBool, HostInteger, HostFraction>,
      OperatorsAfterHost<Self>,
      NegateOperator<Self>,
      NoHostValue {};

/// Pointer arithmetic with one kind of count, in elements.
template <class Self, class Count, class Result> struct PointerOperatorsWith {
  friend Result operator+(Located<Self> pointer, Located<Count> count) {
    return Result(offset(pointer.operand, count.operand, false, count.at));
  }
  friend Result operator+(Located<Count> count, Located<Self> pointer) {
    return Result(offset(pointer.operand, count.operand, false, pointer.at));
  }
  friend Result operator-(Located<Self> pointer, Located<Count> count) {
    return Result(offset(pointer.operand, count.operand, true, count.at));
  }
  friend Self &operator+=(Self &pointer, Located<Count> count) {
    static_assert(std::same_as<Self, Result>, "a pointer plus a tile is a tile of pointers: assign "
                                              "it to a Tile<Ptr<T>>");
    pointer = Result(offset(operandOf(pointer, count.at), count.operand, false, count.at));
    return pointer;
  }
  friend Self &operator-=(Self &pointer, Located<Count> count) {
    static_assert(std::same_as<Self, Result>,
                  "a pointer minus a tile is a tile of pointers: assign "
                  "it to a Tile<Ptr<T>>");
    pointer = Result(offset(operandOf(pointer, count.at), count.operand, true, count.at));
    return pointer;
  }
};
template <class Self, class TileOfPointers>
struct PointerOperators : PointerOperatorsWith<Self, Scalar<int32>, Self>,
                          PointerOperatorsWith<Self, Scalar<int64>, Self>,
                          PointerOperatorsWith<Self, Index, Self>,
                          PointerOperatorsWith<Self, HostInteger, Self>,
                          PointerOperatorsWith<Self, Tile<int32>, TileOfPointers>,
                          PointerOperatorsWith<Self, Tile<int64>, TileOfPointers>,
                          NoHostValue {};

} // namespace trowel::detail
