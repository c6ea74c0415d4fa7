// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layers of neural networks over rows, written in the language itself.
//
//   Tile<float> v = cast<float>(load(x + row * columns + iota(columns)));
//   store(y + row * columns + iota(columns), layerNorm(v, weight, bias));
//
// Each takes rows that fit a tile: along an axis, or a whole tile of one axis. The extent of the
// axis is the length of a row; it may be any. They compute in float (f16 and bf16 are converted) or
// double, and return that. An error inside is reported at the caller's line.
#pragma once

#include "trowel/Library.h"
#include "trowel/Reduce.h"

namespace trowel {

namespace detail {
template <class T> Tile<SumOf<T>> forLayer(const Tile<T> &tile, std::source_location at) {
  static_assert(isFloating(elementType<T>),
                "a layer computes with floating-point numbers: convert with cast<float>(x) first");
  return Tile<SumOf<T>>(convert(elementType<SumOf<T>>, operandOf(tile, at), at));
}

template <class A, class B> auto minus(const A &a, const B &b, std::source_location at) {
  return applyBinary(BinaryOp::Subtract, a, b, at);
}
template <class A, class B> auto over(const A &a, const B &b, std::source_location at) {
  return applyBinary(BinaryOp::Divide, a, b, at);
}

/// A weight or bias as T; a number of the host fits any type.
template <class T, class W> auto asElement(const W &weight, std::source_location at) {
  if constexpr (AnyHost<W>)
    return weight;
  else
    return trowel::cast<T>(weight, at);
}

/// What is reduced of a whole tile, and what is reduced along an axis, with the axis back again, so
/// that it broadcasts.
struct WholeTile {
  template <class T> Scalar<T> sum(const Tile<T> &v, std::source_location at) const {
    return trowel::sum(v, at);
  }
  template <class T> Scalar<T> max(const Tile<T> &v, std::source_location at) const {
    return trowel::max(v, at);
  }
  template <class T> double count(const Tile<T> &v, std::source_location at) const {
    double elements = 1;
    for (int axis = 0; axis < v.rank(at); ++axis)
      elements *= static_cast<double>(v.extent(Axis{axis}, at));
    return elements;
  }
};
struct AlongAxis {
  Axis axis;

  template <class T> Tile<T> sum(const Tile<T> &v, std::source_location at) const {
    return back(trowel::sum(v, axis, at), v, at);
  }
  template <class T> Tile<T> max(const Tile<T> &v, std::source_location at) const {
    return back(trowel::max(v, axis, at), v, at);
  }
  template <class T> double count(const Tile<T> &v, std::source_location at) const {
    return static_cast<double>(v.extent(axis, at));
  }
  template <class T>
  Tile<T> back(const Tile<T> &reduced, const Tile<T> &of, std::source_location at) const {
    return trowel::expand(reduced, Axis{axis.index < 0 ? axis.index + of.rank(at) : axis.index},
                          at);
  }
};

template <class A, class B>
auto compared(Comparison comparison, const A &a, const B &b, std::source_location at) {
  using Result = typename Shell<largerForm(typingOf<A>, typingOf<B>), ElementType::Bool>::Result;
  return Result(compare(comparison, operandOf(a, at), operandOf(b, at), at));
}

/// e to the power of a distance to the largest element, which is at most 0. What was f16 or bf16 is
/// served by the hardware's approximation: the factor by which it is off grows with the distance
/// and the term shrinks faster, so in a sum it is off by less than 2^-24.
template <class From, class X> auto exponential(const X &distance, std::source_location at) {
  if constexpr (std::same_as<From, f16> || std::same_as<From, bf16>)
    return trowel::fast::exp(distance, at);
  else
    return trowel::exp(distance, at);
}

template <class From, class T, class Rows>
Tile<T> softmaxOf(const Tile<T> &v, const Rows &rows, std::source_location at) {
  auto e = exponential<From>(minus(v, rows.max(v, at), at), at);
  return times(e, over(1, rows.sum(e, at), at), at);
}

template <class From, class T, class Rows>
auto logSumExpOf(const Tile<T> &v, const Rows &rows, std::source_location at) {
  auto largest = rows.max(v, at);
  // Where all are −inf, or one is +inf, the largest is the result; differences would be NaN.
  auto isFinite = compared(Comparison::Less, trowel::abs(largest, at), __builtin_inf(), at);
  auto shift = trowel::where(isFinite, largest, 0, at);
  auto e = exponential<From>(minus(v, shift, at), at);
  return plus(trowel::log(rows.sum(e, at), at), shift, at);
}

template <class T, class W, class B, class Rows>
Tile<T> layerNormOf(const Tile<T> &v, const W &weight, const B &bias, double epsilon,
                    const Rows &rows, std::source_location at) {
  double count = rows.count(v, at);
  Tile<T> centered = minus(v, over(rows.sum(v, at), count, at), at);
  auto variance = over(rows.sum(times(centered, centered, at), at), count, at);
  auto scale = trowel::rsqrt(plus(variance, epsilon, at), at);
  return plus(times(times(centered, scale, at), asElement<T>(weight, at), at),
              asElement<T>(bias, at), at);
}

template <class T, class W, class Rows>
Tile<T> rmsNormOf(const Tile<T> &v, const W &weight, double epsilon, const Rows &rows,
                  std::source_location at) {
  auto square = over(rows.sum(times(v, v, at), at), rows.count(v, at), at);
  auto scale = trowel::rsqrt(plus(square, epsilon, at), at);
  return times(times(v, scale, at), asElement<T>(weight, at), at);
}

template <class From, class T, class Label, class Rows>
auto crossEntropyOf(const Tile<T> &v, const Tile<int32> &column, const Label &label,
                    const Rows &rows, std::source_location at) {
  auto isLabel = compared(Comparison::Equal, column, label, at);
  auto picked = rows.sum(Tile<T>(trowel::where(isLabel, v, 0, at)), at);
  return minus(logSumExpOf<From>(v, rows, at), picked, at);
}
} // namespace detail

/// exp(x) / sum(exp(x)), of a whole tile or along an axis, computed from the distance to the
/// largest element, so that nothing overflows. NaN where all elements are −inf, as in PyTorch.
///
///   Tile<float> p = softmax(v);
///   Tile<float> attention = softmax(scores, Axis{1});
template <class T>
auto softmax(const Tile<T> &x, std::source_location at = std::source_location::current()) {
  return detail::softmaxOf<T>(detail::forLayer(x, at), detail::WholeTile{}, at);
}
template <class T>
auto softmax(const Tile<T> &x, Axis axis,
             std::source_location at = std::source_location::current()) {
  return detail::softmaxOf<T>(detail::forLayer(x, at), detail::AlongAxis{axis}, at);
}

/// log(sum(exp(x))) of a whole tile, a Scalar, or along an axis, a tile in which the axis has the
/// extent 1. −inf where all elements are.
///
///   Scalar<float> total = logSumExp(v);
///   Tile<float> logProbability = scores - logSumExp(scores, Axis{1});
template <class T>
auto logSumExp(const Tile<T> &x, std::source_location at = std::source_location::current()) {
  return detail::logSumExpOf<T>(detail::forLayer(x, at), detail::WholeTile{}, at);
}
template <class T>
auto logSumExp(const Tile<T> &x, Axis axis,
               std::source_location at = std::source_location::current()) {
  return detail::logSumExpOf<T>(detail::forLayer(x, at), detail::AlongAxis{axis}, at);
}

/// (x − mean) / sqrt(variance + epsilon) · weight + bias, of a whole tile or along an axis; the
/// variance is that of all elements (divided by their number). Weight and bias broadcast to x.
///
///   Tile<float> n = layerNorm(v, load(weight + column), load(bias + column));
///   Tile<float> rows = layerNorm(tile, w, b, Axis{1}, 1e-6);
template <class T, class W, class B>
auto layerNorm(const Tile<T> &x, const W &weight, const B &bias, double epsilon = 1e-5,
               std::source_location at = std::source_location::current()) {
  return detail::layerNormOf(detail::forLayer(x, at), weight, bias, epsilon, detail::WholeTile{},
                             at);
}
template <class T, class W, class B>
auto layerNorm(const Tile<T> &x, const W &weight, const B &bias, Axis axis, double epsilon = 1e-5,
               std::source_location at = std::source_location::current()) {
  return detail::layerNormOf(detail::forLayer(x, at), weight, bias, epsilon,
                             detail::AlongAxis{axis}, at);
}

/// x / sqrt(mean(x²) + epsilon) · weight, of a whole tile or along an axis. The weight broadcasts
/// to x.
///
///   Tile<float> n = rmsNorm(v, load(weight + column));
///   Tile<float> rows = rmsNorm(tile, w, Axis{1}, 1e-6);
template <class T, class W>
auto rmsNorm(const Tile<T> &x, const W &weight, double epsilon = 1e-5,
             std::source_location at = std::source_location::current()) {
  return detail::rmsNormOf(detail::forLayer(x, at), weight, epsilon, detail::WholeTile{}, at);
}
template <class T, class W>
auto rmsNorm(const Tile<T> &x, const W &weight, Axis axis, double epsilon = 1e-5,
             std::source_location at = std::source_location::current()) {
  return detail::rmsNormOf(detail::forLayer(x, at), weight, epsilon, detail::AlongAxis{axis}, at);
}

/// logSumExp(x) − x[label]: the loss of a classifier's scores, of a whole tile with the position of
/// the label in row-major order, or along an axis with a label for each row, in the shape of
/// `logSumExp`. A label outside counts as one whose score is 0.
///
///   Scalar<float> loss = crossEntropy(logits, load(labels + programId(0)));
///   Tile<float> losses = crossEntropy(logits, expand(labels, Axis{1}), Axis{1});
template <class T, class Label>
auto crossEntropy(const Tile<T> &x, const Label &label,
                  std::source_location at = std::source_location::current()) {
  Tile<int32> column(detail::positions(x.read(), nullptr, "crossEntropy", at));
  return detail::crossEntropyOf<T>(detail::forLayer(x, at), column, label, detail::WholeTile{}, at);
}
template <class T, class Label>
auto crossEntropy(const Tile<T> &x, const Label &label, Axis axis,
                  std::source_location at = std::source_location::current()) {
  Tile<int32> column(detail::positions(x.read(), &axis, "crossEntropy", at));
  return detail::crossEntropyOf<T>(detail::forLayer(x, at), column, label, detail::AlongAxis{axis},
                                   at);
}

} // namespace trowel
