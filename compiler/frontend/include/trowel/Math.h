// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of floating-point numbers.
//
// Their bounds are in ulp, the distance to the correctly rounded result in units in the last place.
// Where a function says nothing else, double is within 2 ulp, and f16 and bf16 within 1 ulp of
// their type; NaN stays NaN, and integers are taken as float. Special values are those of C.
//
// fast:: has the hardware's approximations. Each says its bound; results and arguments below the
// least normal float (1.2e-38) may count as 0. They take float, f16 and bf16.
#pragma once

#include "trowel/Elementwise.h"

namespace trowel {

namespace detail {
template <class X>
MathResult<X> applyFunction(MathFunction function, Accuracy accuracy, const X &x,
                            std::source_location at) {
  constexpr ElementType type = mathType(typingOf<X>.type);
  return MathResult<X>(math(function, accuracy, type, operandOf(x, at), at));
}
template <class X>
MathResult<X> applyFast(MathFunction function, const X &x, std::source_location at) {
  static_assert(
      mathType(typingOf<X>.type) != ElementType::Float64,
      "the hardware approximates no function of double: leave out fast::, or convert with "
      "cast<float>(x)");
  return applyFunction(function, Accuracy::Fast, x, at);
}

template <class A, class B>
using PowerResult = typename Shell<largerForm(typingOf<A>, typingOf<B>),
                                   mathType(commonType(typingOf<A>, typingOf<B>))>::Result;
template <class A, class B>
PowerResult<A, B> applyPower(Accuracy accuracy, const A &a, const B &b, std::source_location at) {
  constexpr ElementType type = mathType(commonType(typingOf<A>, typingOf<B>));
  return PowerResult<A, B>(power(accuracy, type, operandOf(a, at), operandOf(b, at), at));
}
} // namespace detail

/// e to the power of x. float: at most 2 ulp; results below the least normal number may be 0.
///
///   Tile<float> e = exp(v - largest);
///   Tile<bf16> h = exp(half);
template <class X>
  requires(detail::TracedNumber<X>)
detail::MathResult<X> exp(const X &x, std::source_location at = std::source_location::current()) {
  return detail::applyFunction(detail::MathFunction::Exp, detail::Accuracy::Full, x, at);
}

/// 2 to the power of x. float: at most 2 ulp; results of bf16 below the least normal number may be
/// 0.
///
///   Tile<float> p = exp2(v);
///   Tile<float> scale = exp2(cast<float>(column));
template <class X>
  requires(detail::TracedNumber<X>)
detail::MathResult<X> exp2(const X &x, std::source_location at = std::source_location::current()) {
  return detail::applyFunction(detail::MathFunction::Exp2, detail::Accuracy::Full, x, at);
}

/// The natural logarithm; −inf for 0, NaN below. float: at most 2 ulp.
///
///   Tile<float> l = log(v);
///   Tile<float> entropy = -v * log(max(v, 1e-30f));
template <class X>
  requires(detail::TracedNumber<X>)
detail::MathResult<X> log(const X &x, std::source_location at = std::source_location::current()) {
  return detail::applyFunction(detail::MathFunction::Log, detail::Accuracy::Full, x, at);
}

/// The logarithm to base 2; −inf for 0, NaN below. float: at most 2 ulp.
///
///   Tile<float> bits = log2(v);
///   Tile<float> octave = log2(a / b);
template <class X>
  requires(detail::TracedNumber<X>)
detail::MathResult<X> log2(const X &x, std::source_location at = std::source_location::current()) {
  return detail::applyFunction(detail::MathFunction::Log2, detail::Accuracy::Full, x, at);
}

/// log(1 + x), exact near 0; −inf for −1, NaN below. float: at most 4 ulp.
///
///   Tile<float> softplus = log1p(exp(v));
///   Tile<float> l = log1p(a);
template <class X>
  requires(detail::TracedNumber<X>)
detail::MathResult<X> log1p(const X &x, std::source_location at = std::source_location::current()) {
  return detail::applyFunction(detail::MathFunction::Log1p, detail::Accuracy::Full, x, at);
}

/// exp(x) − 1, exact near 0. float: at most 4 ulp.
///
///   Tile<float> elu = where(v > 0.0f, v, expm1(v));
///   Tile<float> growth = expm1(a);
template <class X>
  requires(detail::TracedNumber<X>)
detail::MathResult<X> expm1(const X &x, std::source_location at = std::source_location::current()) {
  return detail::applyFunction(detail::MathFunction::Expm1, detail::Accuracy::Full, x, at);
}

/// The sine of an angle in radians, of any size. float: at most 4 ulp.
///
///   Tile<float> s = sin(v);
///   Tile<float> wave = a * sin(b * v);
template <class X>
  requires(detail::TracedNumber<X>)
detail::MathResult<X> sin(const X &x, std::source_location at = std::source_location::current()) {
  return detail::applyFunction(detail::MathFunction::Sin, detail::Accuracy::Full, x, at);
}

/// The cosine of an angle in radians, of any size. float: at most 4 ulp.
///
///   Tile<float> c = cos(v);
///   Tile<float> rotated = a * cos(v) - b * sin(v);
template <class X>
  requires(detail::TracedNumber<X>)
detail::MathResult<X> cos(const X &x, std::source_location at = std::source_location::current()) {
  return detail::applyFunction(detail::MathFunction::Cos, detail::Accuracy::Full, x, at);
}

/// The tangent of an angle in radians, of any size. float: at most 4 ulp.
///
///   Tile<float> t = tan(v);
///   Tile<float> slope = tan(a);
template <class X>
  requires(detail::TracedNumber<X>)
detail::MathResult<X> tan(const X &x, std::source_location at = std::source_location::current()) {
  return detail::applyFunction(detail::MathFunction::Tan, detail::Accuracy::Full, x, at);
}

/// The hyperbolic tangent. float: at most 2 ulp.
///
///   Tile<float> t = tanh(0.79788456f * v);
///   Tile<float> gate = 0.5f * (1.0f + t);
template <class X>
  requires(detail::TracedNumber<X>)
detail::MathResult<X> tanh(const X &x, std::source_location at = std::source_location::current()) {
  return detail::applyFunction(detail::MathFunction::Tanh, detail::Accuracy::Full, x, at);
}

/// The error function, 2/√π ∫₀ˣ exp(−t²) dt. float: at most 4 ulp.
///
///   Tile<float> e = erf(v);
///   Tile<float> normal = 0.5f * (1.0f + erf(v * 0.70710678f));
template <class X>
  requires(detail::TracedNumber<X>)
detail::MathResult<X> erf(const X &x, std::source_location at = std::source_location::current()) {
  return detail::applyFunction(detail::MathFunction::Erf, detail::Accuracy::Full, x, at);
}

/// 1 / sqrt(x); inf for 0, NaN below. float: at most 4 ulp.
///
///   Tile<float> r = rsqrt(v + 1e-5f);
///   Tile<float> unit = a * rsqrt(a * a + b * b);
template <class X>
  requires(detail::TracedNumber<X>)
detail::MathResult<X> rsqrt(const X &x, std::source_location at = std::source_location::current()) {
  return detail::applyFunction(detail::MathFunction::Rsqrt, detail::Accuracy::Full, x, at);
}

/// 1 / (1 + exp(−x)). float: at most 2 ulp; results below the least normal number may be 0.
///
///   Tile<float> g = sigmoid(v);
///   Tile<float> gated = a * sigmoid(b);
template <class X>
  requires(detail::TracedNumber<X>)
detail::MathResult<X> sigmoid(const X &x,
                              std::source_location at = std::source_location::current()) {
  return detail::applyFunction(detail::MathFunction::Sigmoid, detail::Accuracy::Full, x, at);
}

/// x to the power of y, as C's pow. float: at most 4 ulp.
///
///   Tile<float> p = pow(v, 2.5f);
///   Tile<float> q = pow(a, b);
template <class A, class B>
  requires(detail::TracedPair<A, B>)
detail::PowerResult<A, B> pow(const A &x, const B &y,
                              std::source_location at = std::source_location::current()) {
  return detail::applyPower(detail::Accuracy::Full, x, y, at);
}

/// The largest integer that is not greater. Exact.
///
///   Tile<float> whole = floor(v);
///   Tile<float> part = v - floor(v);
template <class X>
  requires(detail::TracedNumber<X>)
detail::MathResult<X> floor(const X &x, std::source_location at = std::source_location::current()) {
  return detail::applyMath(detail::UnaryOp::Floor, x, at);
}

/// The smallest integer that is not less. Exact.
///
///   Tile<float> whole = ceil(v);
///   Tile<int32> count = cast<int32>(ceil(v));
template <class X>
  requires(detail::TracedNumber<X>)
detail::MathResult<X> ceil(const X &x, std::source_location at = std::source_location::current()) {
  return detail::applyMath(detail::UnaryOp::Ceil, x, at);
}

/// The nearest integer, halves away from zero, as C's round. Exact.
///
///   Tile<float> whole = round(v);
///   Tile<int8> q = cast<int8>(round(v / scale));
template <class X>
  requires(detail::TracedNumber<X>)
detail::MathResult<X> round(const X &x, std::source_location at = std::source_location::current()) {
  return detail::applyMath(detail::UnaryOp::Round, x, at);
}

/// x between two bounds; NaN where any of the three is NaN.
///
///   Tile<float> c = clamp(v, 0.0f, 6.0f);
///   Tile<int32> inner = clamp(column, 0, 127);
template <class X, class Low, class High>
  requires(detail::TracedPair<X, Low> && detail::AnyNumber<High>)
auto clamp(const X &x, const Low &low, const High &high,
           std::source_location at = std::source_location::current()) {
  return min(max(x, low, at), high, at);
}

namespace fast {

/// e to the power of x: 2 + |1.16 x| ulp.
///
///   Tile<float> e = fast::exp(v);
///   Tile<float> decay = fast::exp(-a);
template <class X>
  requires(detail::TracedNumber<X>)
detail::MathResult<X> exp(const X &x, std::source_location at = std::source_location::current()) {
  return detail::applyFast(detail::MathFunction::Exp, x, at);
}

/// 2 to the power of x: at most 2 ulp.
///
///   Tile<float> p = fast::exp2(v);
///   Tile<float> q = a * fast::exp2(b);
template <class X>
  requires(detail::TracedNumber<X>)
detail::MathResult<X> exp2(const X &x, std::source_location at = std::source_location::current()) {
  return detail::applyFast(detail::MathFunction::Exp2, x, at);
}

/// The natural logarithm: an absolute error of 2^−22 between 0.5 and 2, else 3 ulp.
///
///   Tile<float> l = fast::log(v);
///   Tile<float> m = fast::log(a) - fast::log(b);
template <class X>
  requires(detail::TracedNumber<X>)
detail::MathResult<X> log(const X &x, std::source_location at = std::source_location::current()) {
  return detail::applyFast(detail::MathFunction::Log, x, at);
}

/// The logarithm to base 2: an absolute error of 2^−22 between 0.5 and 2, else 2 ulp.
///
///   Tile<float> l = fast::log2(v);
///   Tile<float> m = fast::log2(a / b);
template <class X>
  requires(detail::TracedNumber<X>)
detail::MathResult<X> log2(const X &x, std::source_location at = std::source_location::current()) {
  return detail::applyFast(detail::MathFunction::Log2, x, at);
}

/// The sine: an absolute error of 2^−20.5 between −π and π, and larger outside.
///
///   Tile<float> s = fast::sin(v);
///   Tile<float> w = a * fast::sin(v);
template <class X>
  requires(detail::TracedNumber<X>)
detail::MathResult<X> sin(const X &x, std::source_location at = std::source_location::current()) {
  return detail::applyFast(detail::MathFunction::Sin, x, at);
}

/// The cosine: an absolute error of 2^−20.9 between −π and π, and larger outside.
///
///   Tile<float> c = fast::cos(v);
///   Tile<float> w = a * fast::cos(v);
template <class X>
  requires(detail::TracedNumber<X>)
detail::MathResult<X> cos(const X &x, std::source_location at = std::source_location::current()) {
  return detail::applyFast(detail::MathFunction::Cos, x, at);
}

/// The tangent, as the quotient of fast::sin and fast::cos: an absolute error of 2^−19 (1 + tan² x)
/// between −π and π where |tan x| is at most 1000, and larger elsewhere.
///
///   Tile<float> t = fast::tan(v);
///   Tile<float> w = a * fast::tan(v);
template <class X>
  requires(detail::TracedNumber<X>)
detail::MathResult<X> tan(const X &x, std::source_location at = std::source_location::current()) {
  return detail::applyFast(detail::MathFunction::Tan, x, at);
}

/// The hyperbolic tangent: a relative error of 2^−11.
///
///   Tile<float> t = fast::tanh(v);
///   Tile<float> g = 0.5f + 0.5f * fast::tanh(a);
template <class X>
  requires(detail::TracedNumber<X>)
detail::MathResult<X> tanh(const X &x, std::source_location at = std::source_location::current()) {
  return detail::applyFast(detail::MathFunction::Tanh, x, at);
}

/// 1 / sqrt(x): at most 2 ulp.
///
///   Tile<float> r = fast::rsqrt(v);
///   Tile<float> n = a * fast::rsqrt(b);
template <class X>
  requires(detail::TracedNumber<X>)
detail::MathResult<X> rsqrt(const X &x, std::source_location at = std::source_location::current()) {
  return detail::applyFast(detail::MathFunction::Rsqrt, x, at);
}

/// 1 / (1 + exp(−x)): 4 + |1.16 x| ulp.
///
///   Tile<float> g = fast::sigmoid(v);
///   Tile<float> swish = v * fast::sigmoid(v);
template <class X>
  requires(detail::TracedNumber<X>)
detail::MathResult<X> sigmoid(const X &x,
                              std::source_location at = std::source_location::current()) {
  return detail::applyFast(detail::MathFunction::Sigmoid, x, at);
}

/// x to the power of y for x > 0, as 2^(y · log2 x): 2 + 4 |y| (1 + |log2 x|) ulp.
///
///   Tile<float> p = fast::pow(v, 2.5f);
///   Tile<float> q = fast::pow(a, b);
template <class A, class B>
  requires(detail::TracedPair<A, B>)
detail::PowerResult<A, B> pow(const A &x, const B &y,
                              std::source_location at = std::source_location::current()) {
  static_assert(
      detail::mathType(detail::commonType(detail::typingOf<A>, detail::typingOf<B>)) !=
          ElementType::Float64,
      "the hardware approximates no function of double: leave out fast::, or convert with "
      "cast<float>(x)");
  return detail::applyPower(detail::Accuracy::Fast, x, y, at);
}

} // namespace fast

} // namespace trowel
