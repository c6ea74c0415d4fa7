// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise functions. Operands broadcast and promote like those of operators (Promotion.h); the
// functions of the host's <math.h> are untouched, for these take part only with a traced operand.
#pragma once

#include "trowel/Value.h"

namespace trowel {

namespace detail {
template <class X>
using MathResult = typename Shell<typingOf<X>.form, mathType(typingOf<X>.type)>::Result;
template <class A, class B> using CommonOf = CommonResult<KindOf<A>, KindOf<B>>;

template <class X> MathResult<X> applyMath(UnaryOp op, const X &x, std::source_location at) {
  return MathResult<X>(unary(op, mathType(typingOf<X>.type), operandOf(x, at), at));
}
template <class A, class B>
CommonOf<A, B> applyBinary(BinaryOp op, const A &a, const B &b, std::source_location at) {
  return CommonOf<A, B>(
      binary(op, commonType(typingOf<A>, typingOf<B>), operandOf(a, at), operandOf(b, at), at));
}

template <class A, class B>
concept TracedPair = AnyNumber<A> && AnyNumber<B> && (AnyTraced<A> || AnyTraced<B>);

constexpr Typing commonTyping(Typing a, Typing b) {
  return {largerForm(a, b), commonType(a, b),
          a.weak != Weak::No && b.weak != Weak::No ? (a.weak > b.weak ? a.weak : b.weak)
                                                   : Weak::No};
}
template <class A, class B, class C>
inline constexpr Typing typingOfThree =
    commonTyping(commonTyping(typingOf<A>, typingOf<B>), typingOf<C>);
} // namespace detail

/// The square root, correctly rounded; NaN for negative numbers. Integers are taken as float.
///
///   Tile<float> length = sqrt(a * a + b * b);
///   Tile<float> root = sqrt(cast<float>(column));
template <class X>
  requires(detail::TracedNumber<X>)
detail::MathResult<X> sqrt(const X &x, std::source_location at = std::source_location::current()) {
  return detail::applyMath(detail::UnaryOp::Sqrt, x, at);
}

/// The absolute value. The least number of a signed type has none and stays as it is.
///
///   Tile<float> distance = abs(a - b);
///   Tile<int32> size = abs(column);
template <class X>
  requires(detail::TracedNumber<X>)
auto abs(const X &x, std::source_location at = std::source_location::current()) {
  constexpr detail::Typing typing = detail::typingOf<X>;
  static_assert(typing.type != ElementType::Bool, "a bool has no absolute value");
  return typename detail::Shell<typing.form, typing.type>::Result(
      detail::unary(detail::UnaryOp::Abs, typing.type, detail::operandOf(x, at), at));
}

/// The smaller of two; NaN if either is NaN, and −0 is less than 0.
///
///   Tile<float> clipped = min(v, 6.0f);
///   Tile<int32> inner = min(column, last);
template <class A, class B>
  requires(detail::TracedPair<A, B>)
detail::CommonOf<A, B> min(const A &a, const B &b,
                           std::source_location at = std::source_location::current()) {
  return detail::applyBinary(detail::BinaryOp::Minimum, a, b, at);
}

/// The larger of two; NaN if either is NaN, and −0 is less than 0.
///
///   Tile<float> relu = max(v, 0.0f);
///   Tile<int32> inner = max(column, 0);
template <class A, class B>
  requires(detail::TracedPair<A, B>)
detail::CommonOf<A, B> max(const A &a, const B &b,
                           std::source_location at = std::source_location::current()) {
  return detail::applyBinary(detail::BinaryOp::Maximum, a, b, at);
}

/// The smaller of two, as C's fmin: a NaN is ignored where the other is a number.
///
///   Tile<float> known = fmin(a, b);
///   Tile<float> clipped = fmin(v, 6.0f);
template <class A, class B>
  requires(detail::TracedPair<A, B>)
detail::CommonOf<A, B> fmin(const A &a, const B &b,
                            std::source_location at = std::source_location::current()) {
  static_assert(isFloating(detail::commonType(detail::typingOf<A>, detail::typingOf<B>)),
                "fmin is for floating-point numbers: use min for integers and bools");
  return detail::applyBinary(detail::BinaryOp::MinimumNumber, a, b, at);
}

/// The larger of two, as C's fmax: a NaN is ignored where the other is a number.
///
///   Tile<float> known = fmax(a, b);
///   Tile<float> positive = fmax(v, 0.0f);
template <class A, class B>
  requires(detail::TracedPair<A, B>)
detail::CommonOf<A, B> fmax(const A &a, const B &b,
                            std::source_location at = std::source_location::current()) {
  static_assert(isFloating(detail::commonType(detail::typingOf<A>, detail::typingOf<B>)),
                "fmax is for floating-point numbers: use max for integers and bools");
  return detail::applyBinary(detail::BinaryOp::MaximumNumber, a, b, at);
}

/// The upper half of the product of integers, which has twice as many bits: of uint32, (a · b) >>
/// 32. Of signed integers the product is signed.
///
///   Tile<uint32> high = mulHigh(word, key), low = word * key;
///   Tile<uint32> third = mulHigh(word, 0xaaaaaaabu) >> 1;   // word / 3
template <class A, class B>
  requires(detail::TracedPair<A, B>)
auto mulHigh(const A &a, const B &b, std::source_location at = std::source_location::current()) {
  constexpr ElementType type = detail::arithmeticType(detail::typingOf<A>, detail::typingOf<B>);
  static_assert(isInteger(type), "mulHigh is for integers: the product of floats is rounded, not "
                                 "cut in two");
  return detail::ArithmeticResult<detail::KindOf<A>, detail::KindOf<B>>(
      detail::binary(detail::BinaryOp::MultiplyHigh, type, detail::operandOf(a, at),
                     detail::operandOf(b, at), at));
}

/// The quotient of integers, rounded up; by 0 it is all ones, as that of `/`.
///
///   Index blocks = cdiv(columns, 128);
///   Grid grid{cdiv(100000, 1024)};                        // of the host, too
template <class A, class B>
  requires(detail::TracedPair<A, B>)
auto cdiv(const A &a, const B &b, std::source_location at = std::source_location::current()) {
  constexpr ElementType type = detail::arithmeticType(detail::typingOf<A>, detail::typingOf<B>);
  static_assert(isInteger(type), "cdiv is for integers: convert with cast<int32>(x) first");
  return detail::ArithmeticResult<detail::KindOf<A>, detail::KindOf<B>>(
      detail::ceilDivide(type, detail::operandOf(a, at), detail::operandOf(b, at), at));
}
template <class A, class B>
  requires(std::integral<A> && std::integral<B>)
constexpr auto cdiv(A a, B b) {
  auto rest = a % b;
  return a / b + (rest != 0 && (rest < 0) == (b < 0));
}

/// a·b + c, rounded once.
///
///   Tile<float> line = fma(slope, v, 1.0f);
///   Tile<float> next = fma(a, b, sum);
template <class A, class B, class C>
  requires(detail::AnyNumber<A> && detail::AnyNumber<B> && detail::AnyNumber<C> &&
           (detail::AnyTraced<A> || detail::AnyTraced<B> || detail::AnyTraced<C>))
auto fma(const A &a, const B &b, const C &c,
         std::source_location at = std::source_location::current()) {
  constexpr detail::Typing typing = detail::typingOfThree<A, B, C>;
  static_assert(isFloating(typing.type),
                "fma is for floating-point numbers: write a * b + c for integers");
  return typename detail::Shell<typing.form, typing.type>::Result(
      detail::fma(typing.type, detail::operandOf(a, at), detail::operandOf(b, at),
                  detail::operandOf(c, at), at));
}

/// x, computed as it is written: each `+`, `-` and `*` of x whose result goes nowhere else rounds
/// on its own. Outside of exact, a·b + c is one fma, rounded once, where the product goes nowhere
/// else.
///
///   Tile<float> difference = exact(a * b - c * d);   // 0 where the products are equal
///   Tile<float> sum = exact(a * b) + c;              // this product alone
template <class X>
  requires(detail::TracedNumber<X>)
auto exact(const X &x, std::source_location at = std::source_location::current()) {
  constexpr detail::Typing typing = detail::typingOf<X>;
  static_assert(isFloating(typing.type),
                "exact is for floating-point numbers: integers are never rounded");
  return typename detail::Shell<typing.form, typing.type>::Result(
      detail::unary(detail::UnaryOp::Exact, typing.type, detail::operandOf(x, at), at));
}

/// `a` where the condition holds, `b` elsewhere. Both are computed.
///
///   Tile<float> relu = where(v > 0.0f, v, 0.0f);
///   Tile<float> sign = where(v < 0.0f, -1.0f, 1.0f);
template <class C, class A, class B>
  requires(detail::TracedNumber<C> && detail::AnyNumber<A> && detail::AnyNumber<B>)
auto where(const C &condition, const A &a, const B &b,
           std::source_location at = std::source_location::current()) {
  static_assert(detail::typingOf<C>.type == ElementType::Bool,
                "the condition of where is a bool or a tile of bools: compare first, as in v > 0");
  constexpr ElementType type = detail::commonType(detail::typingOf<A>, detail::typingOf<B>);
  constexpr detail::Form form = detail::largerForm(
      detail::typingOf<C>.form, detail::largerForm(detail::typingOf<A>, detail::typingOf<B>));
  return typename detail::Shell<form, type>::Result(
      detail::select(type, detail::operandOf(condition, at), detail::operandOf(a, at),
                     detail::operandOf(b, at), at));
}

/// Converts the elements. To a float type: rounds to nearest even, once. From float to integer:
/// truncates toward zero and saturates, and NaN gives 0. To a narrower integer: keeps the low bits.
/// To bool: whether the number is not 0.
///
///   Tile<bf16> h = cast<bf16>(v);
///   Tile<int32> whole = cast<int32>(v);
template <class T, class X>
  requires(detail::TracedNumber<X>)
auto cast(const X &x, std::source_location at = std::source_location::current()) {
  static_assert(detail::ElementOf<T>::known && !std::is_const_v<T>,
                "cast<T>(x): T must be bool, an integer (int8 to int64, uint8 to uint64), f16, "
                "bf16, float or double");
  constexpr detail::Form form = detail::typingOf<X>.form;
  return typename detail::Shell<form, elementType<T>>::Result(
      detail::convert(elementType<T>, detail::operandOf(x, at), at));
}

/// The same bits as another type of the same width; bools have no bits to speak of.
///
///   Tile<uint32> word = bitcast<uint32>(v);               // of a float
///   Tile<float> cleared = bitcast<float>(word & 0x7fffffffu);
template <class T, class X>
  requires(detail::TracedNumber<X>)
auto bitcast(const X &x, std::source_location at = std::source_location::current()) {
  static_assert(detail::ElementOf<T>::known && !std::is_const_v<T> && !std::same_as<T, bool>,
                "bitcast<T>(x): T must be an integer (int8 to int64, uint8 to uint64), f16, bf16, "
                "float or double");
  using From = typename detail::CppType<detail::typingOf<X>.type>::type;
  static_assert(!std::same_as<From, bool>, "bitcast of bools: convert with cast<T>(x)");
  static_assert(sizeof(T) == sizeof(From),
                "bitcast<T>(x) keeps the bits, so T must be as wide as the elements of x; "
                "cast<T>(x) converts numbers");
  constexpr detail::Form form = detail::typingOf<X>.form;
  return typename detail::Shell<form, elementType<T>>::Result(
      detail::bitcast(elementType<T>, detail::operandOf(x, at), at));
}

} // namespace trowel
