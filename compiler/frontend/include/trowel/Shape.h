// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles from nothing, and tiles of other shapes.
#pragma once

#include "trowel/Value.h"

namespace trowel {

/// 0, 1, 2, … count − 1.
///
///   Tile<int32> column = iota(128);
///   Tile<Ptr<float>> p = y + programId(0) * 128 + column;
template <class N>
  requires(detail::AnyNumber<N>)
Tile<int32> iota(N count, std::source_location at = std::source_location::current()) {
  static_assert(std::same_as<detail::KindOf<N>, detail::HostInteger>,
                "the extent of a tile must be an integer of the host, known while tracing: capture "
                "it in the lambda");
  return Tile<int32>(detail::iota(count, at));
}

/// A tile of equal elements. A host number must fit T; a Scalar must have the type T.
///
///   Tile<float> ones = full<float>({64, 128}, 1.0f);
///   Tile<int32> rows = full<int32>(64, count);
template <class T, class V>
  requires(detail::AnyNumber<V>)
Tile<T> full(const Shape &shape, const V &value,
             std::source_location at = std::source_location::current()) {
  constexpr detail::Typing typing = detail::typingOf<V>;
  static_assert(typing.form != detail::Form::Tile, "full repeats one number: give it a scalar");
  static_assert(typing.weak != detail::Weak::No || typing.type == elementType<T>,
                "full<T>(shape, scalar): the scalar must have the type T; convert it with "
                "cast<T>(scalar)");
  static_assert(typing.weak != detail::Weak::Fraction || isFloating(elementType<T>),
                "a fraction does not fit an integer tile: use full<float>, or convert it");
  return Tile<T>(detail::full(elementType<T>, shape, detail::operandOf(value, at), at));
}

/// A tile of zeros.
///
///   Tile<float> sum = zeros<float>({64, 128});
///   Tile<bool> none = zeros<bool>(256);
template <class T>
Tile<T> zeros(const Shape &shape, std::source_location at = std::source_location::current()) {
  detail::Operand zero;
  zero.isNumber = true;
  return Tile<T>(detail::full(elementType<T>, shape, zero, at));
}

/// Inserts an axis of extent 1 in front of the given axis of the operand; Axis{rank} appends one.
/// Axes of extent 1 broadcast, so this makes rows and columns.
///
///   Tile<int32> row = expand(iota(8), Axis{1});       // 8x1
///   Tile<int32> column = expand(iota(16), Axis{0});   // 1x16; row * 16 + column is 8x16
template <class T>
Tile<T> expand(const Tile<T> &tile, Axis axis,
               std::source_location at = std::source_location::current()) {
  return Tile<T>(detail::expand(detail::operandOf(tile, at).value, axis, at));
}
template <class T, detail::AnyHost N> auto expand(const Tile<T> &, N) {
  static_assert(detail::alwaysFalse<N>, "an axis is written Axis{1}, never as a number alone");
}

} // namespace trowel
