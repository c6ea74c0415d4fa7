// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operators of traced values, as hidden friends of base classes.
//
// An operator learns its C++ line from a Located parameter, into which the operand converts, and a
// template cannot deduce through a conversion. With every pair of types spelled out, 26 traced
// types would make some 700 functions each, and the compiler would weigh them all at every `+`. So:
//
// Arithmetic is declared in the class of its *right* operand, which is Located; the left one, if it
// is traced, is deduced. Comparisons give a bool whatever the other side's elements are, so one for
// each form of the other side is enough, and that side's element type is looked at when the kernel
// is traced. (They cannot be deduced: with one Located side, `==` is ambiguous with its reversed
// form in C++20.) Numbers of the host are of three kinds, which are spelled out.
//
// Bodies are instantiated only where an operator is used, so a static_assert there is a sentence
// for the user and costs nothing otherwise.
//
// An operation takes the line of its right operand. Where an expression spans lines, GCC gives both
// operands the line up to which it has read (in a template, the line of the left one), clang gives
// each its own; on the right they mostly agree.
#pragma once

#include "trowel/Operations.h"
#include "trowel/Promotion.h"

namespace trowel::detail {

template <BinaryOp op, class L, class R>
Value applyArithmetic(const Operand &lhs, const Operand &rhs, std::source_location at) {
  constexpr ElementType type = arithmeticType(TypingOf<L>::value, TypingOf<R>::value);
  static_assert(op != BinaryOp::Remainder || !isFloating(type),
                "'%' is for integers, as in C++; convert with cast<int32>(x) first");
  return binary(op, type, lhs, rhs, at);
}

template <BinaryOp op, class L, class R>
Value applyBits(const Operand &lhs, const Operand &rhs, std::source_location at) {
  constexpr ElementType type = commonType(TypingOf<L>::value, TypingOf<R>::value);
  static_assert(!isFloating(type), "'&', '|' and '^' are for bools and integers");
  return binary(op, type, lhs, rhs, at);
}

template <BinaryOp op, class L, class R>
Value applyShift(const Operand &lhs, const Operand &rhs, std::source_location at) {
  constexpr ElementType type = shiftType(TypingOf<L>::value, TypingOf<R>::value);
  static_assert(!isFloating(type) && !isFloating(TypingOf<R>::value.type),
                "'<<' and '>>' are for integers, as in C++; convert with cast<int32>(x) first");
  return binary(op, type, lhs, rhs, at);
}

template <class Self, class Result> void checkCompound() {
  // A Scalar<int64> and an Index make an Index, which a Scalar<int64> takes.
  static_assert(std::is_convertible_v<Result, Self>,
                "a compound assignment may not change its variable's type (int32 += float would "
                "need a float variable): convert the right side with cast<T>(x), or assign to a "
                "variable of the wider type");
}

// With each operator: the types of its results, and what makes it.
#define TROWEL_BINARY_OPERATORS(X)                                                                 \
  X(+, ArithmeticResult, applyArithmetic, Add)                                                     \
  X(-, ArithmeticResult, applyArithmetic, Subtract)                                                \
  X(*, ArithmeticResult, applyArithmetic, Multiply)                                                \
  X(/, ArithmeticResult, applyArithmetic, Divide)                                                  \
  X(%, ArithmeticResult, applyArithmetic, Remainder)                                               \
  X(&, CommonResult, applyBits, And)                                                               \
  X(|, CommonResult, applyBits, Or)                                                                \
  X(^, CommonResult, applyBits, Xor)                                                               \
  X(<<, ShiftResult, applyShift, ShiftLeft)                                                        \
  X(>>, ShiftResult, applyShift, ShiftRight)

/// Operators with a traced left operand, and assignments to one. `x += y` is `x = x + y`, where
/// that keeps the type.
template <class Self> struct OperatorsAfterTraced {
#define TROWEL_OPERATOR(symbol, ResultOf, apply, op)                                               \
  template <class L>                                                                               \
    requires(TracedNumber<L>)                                                                      \
  friend ResultOf<KindOf<L>, Self> operator symbol(const L &lhs, Located<Self> rhs) {              \
    return ResultOf<KindOf<L>, Self>(                                                              \
        apply<BinaryOp::op, KindOf<L>, Self>(operandOf(lhs, rhs.at), rhs.operand, rhs.at));        \
  }                                                                                                \
  template <class L>                                                                               \
    requires(TracedNumber<L> && !std::is_const_v<L>)                                               \
  friend KindOf<L> &operator symbol## = (L & lhs, Located<Self> rhs) {                             \
    using Result = ResultOf<KindOf<L>, Self>;                                                      \
    checkCompound<KindOf<L>, Result>();                                                            \
    KindOf<L> &variable = lhs; /* what ! gave is one, too */                                       \
    variable =                                                                                     \
        Result(apply<BinaryOp::op, KindOf<L>, Self>(operandOf(lhs, rhs.at), rhs.operand, rhs.at)); \
    return variable;                                                                               \
  }
  TROWEL_BINARY_OPERATORS(TROWEL_OPERATOR)
#undef TROWEL_OPERATOR
};

/// Operators with a number of the host on either side.
template <class Self, class Host> struct OperatorsWithHost {
#define TROWEL_OPERATOR(symbol, ResultOf, apply, op)                                               \
  friend ResultOf<Self, Host> operator symbol(Located<Self> lhs, Located<Host> rhs) {              \
    return ResultOf<Self, Host>(                                                                   \
        apply<BinaryOp::op, Self, Host>(lhs.operand, rhs.operand, rhs.at));                        \
  }                                                                                                \
  friend ResultOf<Host, Self> operator symbol(Located<Host> lhs, Located<Self> rhs) {              \
    return ResultOf<Host, Self>(                                                                   \
        apply<BinaryOp::op, Host, Self>(lhs.operand, rhs.operand, rhs.at));                        \
  }                                                                                                \
  friend Self &operator symbol## = (Self & lhs, Located<Host> rhs) {                               \
    using Result = ResultOf<Self, Host>;                                                           \
    checkCompound<Self, Result>();                                                                 \
    lhs = Result(apply<BinaryOp::op, Self, Host>(operandOf(lhs, rhs.at), rhs.operand, rhs.at));    \
    return lhs;                                                                                    \
  }
  TROWEL_BINARY_OPERATORS(TROWEL_OPERATOR)
#undef TROWEL_OPERATOR
};
#undef TROWEL_BINARY_OPERATORS

/// Comparisons with one form of the other side.
template <class L, class R, class Result> struct ComparisonsBetween {
#define TROWEL_COMPARISON(symbol, op)                                                              \
  friend Result operator symbol(Located<L> lhs, Located<R> rhs) {                                  \
    return Result(compare(Comparison::op, lhs.operand, rhs.operand, rhs.at));                      \
  }
  TROWEL_COMPARISON(==, Equal)
  TROWEL_COMPARISON(!=, NotEqual)
  TROWEL_COMPARISON(<, Less)
  TROWEL_COMPARISON(<=, LessEqual)
  TROWEL_COMPARISON(>, Greater)
  TROWEL_COMPARISON(>=, GreaterEqual)
#undef TROWEL_COMPARISON
};
template <class Self>
using BoolOf = typename Shell<TypingOf<Self>::value.form, ElementType::Bool>::Result;
template <class Self>
struct Comparisons : ComparisonsBetween<Self, AnyTileKind, Tile<bool>>,
                     ComparisonsBetween<Self, AnyScalarKind, BoolOf<Self>>,
                     ComparisonsBetween<Self, AnyHostKind, BoolOf<Self>>,
                     ComparisonsBetween<AnyHostKind, Self, BoolOf<Self>> {};

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

template <class Self> struct UnaryOperators {
  friend typename Shell<TypingOf<Self>::value.form, afterBool(TypingOf<Self>::value.type)>::Result
  operator-(Located<Self> operand) {
    constexpr Typing typing = TypingOf<Self>::value;
    constexpr ElementType type = afterBool(typing.type);
    return typename Shell<typing.form, type>::Result(
        unary(UnaryOp::Negate, type, operand.operand, operand.at));
  }
  friend Self operator~(Located<Self> operand) {
    constexpr ElementType type = TypingOf<Self>::value.type;
    static_assert(type != ElementType::Bool, "'~' is for integers; the negation of a bool is !x");
    static_assert(!isFloating(type), "'~' is for integers; convert with cast<int32>(x) first");
    return Self(unary(UnaryOp::Complement, type, operand.operand, operand.at));
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

template <class Pointer, class Count> void checkOffset() {
  static_assert(
      isInteger(TypingOf<Count>::value.type),
      "a pointer is moved by integers, which count elements: convert with cast<int64>(x)");
}
template <class Pointer, class Count> void checkCompoundOffset() {
  static_assert(std::same_as<Pointer, OffsetResult<Pointer, Count>>,
                "a pointer plus or minus a tile is a tile of pointers: assign it to a "
                "Tile<Ptr<T>>");
}

/// Counts of elements that a pointer is moved by.
template <class Self> struct OffsetOperators {
#define TROWEL_OFFSET(symbol, backwards)                                                           \
  template <class P>                                                                               \
    requires(AnyPointer<P>)                                                                        \
  friend OffsetResult<P, Self> operator symbol(const P &pointer, Located<Self> count) {            \
    checkOffset<P, Self>();                                                                        \
    return OffsetResult<P, Self>(                                                                  \
        offset(operandOf(pointer, count.at), count.operand, backwards, count.at));                 \
  }                                                                                                \
  template <class P>                                                                               \
    requires(AnyPointer<P> && !std::is_const_v<P>)                                                 \
  friend P &operator symbol## = (P & pointer, Located<Self> count) {                               \
    checkOffset<P, Self>();                                                                        \
    checkCompoundOffset<P, Self>();                                                                \
    pointer = OffsetResult<P, Self>(                                                               \
        offset(operandOf(pointer, count.at), count.operand, backwards, count.at));                 \
    return pointer;                                                                                \
  }
  TROWEL_OFFSET(+, false)
  TROWEL_OFFSET(-, true)
#undef TROWEL_OFFSET
};

/// All operators of a number: with every number type, and with host numbers on either side.
template <class Self>
struct NumberOperators : OperatorsAfterTraced<Self>,
                         OperatorsWithHost<Self, HostBool>,
                         OperatorsWithHost<Self, HostInteger>,
                         OperatorsWithHost<Self, HostFraction>,
                         Comparisons<Self>,
                         UnaryOperators<Self>,
                         OffsetOperators<Self>,
                         NoHostValue {};

/// Memory of the device is read and written by operations of the trace, not by references. The
/// result types are deduced so that a compiler reads the sentence before it looks at the use.
struct NoReference {
  template <class N> auto operator[](const N &) const {
    static_assert(alwaysFalse<N>, "a Ptr<T> points into the device's memory: read with "
                                  "load(x + i), write with store(x + i, value)");
  }
  template <class N = int> auto operator*() const {
    static_assert(alwaysFalse<N>, "a Ptr<T> points into the device's memory: read with "
                                  "load(x), write with store(x, value)");
  }
};

/// Pointer arithmetic in elements.
template <class Self> struct PointerOperators : NoHostValue, NoReference {
  template <class C>
    requires(TracedNumber<C>)
  friend OffsetResult<Self, KindOf<C>> operator+(const C &count, Located<Self> pointer) {
    checkOffset<Self, KindOf<C>>();
    return OffsetResult<Self, KindOf<C>>(
        offset(pointer.operand, operandOf(count, pointer.at), false, pointer.at));
  }
  friend Self operator+(Located<HostInteger> count, Located<Self> pointer) {
    return Self(offset(pointer.operand, count.operand, false, pointer.at));
  }
  friend Self operator+(Located<Self> pointer, Located<HostInteger> count) {
    return Self(offset(pointer.operand, count.operand, false, count.at));
  }
  friend Self operator-(Located<Self> pointer, Located<HostInteger> count) {
    return Self(offset(pointer.operand, count.operand, true, count.at));
  }
  friend Self &operator+=(Self &pointer, Located<HostInteger> count) {
    pointer = Self(offset(operandOf(pointer, count.at), count.operand, false, count.at));
    return pointer;
  }
  friend Self &operator-=(Self &pointer, Located<HostInteger> count) {
    pointer = Self(offset(operandOf(pointer, count.at), count.operand, true, count.at));
    return pointer;
  }
};

} // namespace trowel::detail
