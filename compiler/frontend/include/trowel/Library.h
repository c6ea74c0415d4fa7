// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that are written in the language itself: what you could have written, with its lines.
//
// An error inside is reported at the caller's line, so each step hands `at` on.
//
// f16 and bf16 are computed in float and rounded once. Bounds are stated as in Math.h.
#pragma once

#include "trowel/Math.h"

namespace trowel {

namespace detail {
template <class A, class B> auto times(const A &a, const B &b, std::source_location at) {
  return applyBinary(BinaryOp::Multiply, a, b, at);
}
template <class A, class B> auto plus(const A &a, const B &b, std::source_location at) {
  return applyBinary(BinaryOp::Add, a, b, at);
}

/// f of the elements as floats, rounded back once; f of them as they are where they are no
/// narrower.
template <class X, class F> auto computedInFloat(const X &x, std::source_location at, F f) {
  constexpr ElementType type = typingOf<X>.type;
  if constexpr (type == ElementType::Float16 || type == ElementType::BFloat16)
    return cast<typename CppType<type>::type>(f(cast<float>(x, at)), at);
  else
    return f(cast<typename CppType<mathType(type)>::type>(x, at));
}
} // namespace detail

/// x · sigmoid(x), also called swish. float and double: at most 4 ulp; results of float and bf16
/// below 1.1e-36 may be 0.
///
///   Tile<float> s = silu(v);
///   Tile<bf16> h = silu(half);
template <class X>
  requires(detail::TracedNumber<X>)
auto silu(const X &x, std::source_location at = std::source_location::current()) {
  return detail::computedInFloat(
      x, at, [at](const auto &v) { return detail::times(v, sigmoid(v, at), at); });
}

/// x · Φ(x) with the normal distribution Φ(x) = (1 + erf(x / √2)) / 2. float: an absolute error of
/// |x| · 2^−22, double of |x| · 2^−51.
///
///   Tile<float> g = gelu(v);
///   Tile<bf16> h = gelu(half);
template <class X>
  requires(detail::TracedNumber<X>)
auto gelu(const X &x, std::source_location at = std::source_location::current()) {
  return detail::computedInFloat(x, at, [at](const auto &v) {
    auto tail = erf(detail::times(v, 0.70710678118654752, at), at);
    return detail::times(detail::times(v, 0.5, at), detail::plus(tail, 1.0, at), at);
  });
}

/// gelu(x) in the approximation x · sigmoid(√(8/π) (x + 0.044715 x³)), which is its "tanh" form as
/// GPT-2 has it, since (1 + tanh z) / 2 = sigmoid(2 z). float: an absolute error of |x| · 2^−22,
/// double of |x| · 2^−51.
///
///   Tile<float> g = geluTanh(v);
///   Tile<bf16> h = geluTanh(half);
template <class X>
  requires(detail::TracedNumber<X>)
auto geluTanh(const X &x, std::source_location at = std::source_location::current()) {
  return detail::computedInFloat(x, at, [at](const auto &v) {
    // √(8/π) and √(8/π) · 0.044715
    auto slope = detail::plus(detail::times(detail::times(v, v, at), 0.071354816272600, at),
                              1.595769121605731, at);
    return detail::times(v, sigmoid(detail::times(v, slope, at), at), at);
  });
}

} // namespace trowel
