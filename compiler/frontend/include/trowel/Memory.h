// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores.
//
//   Tile<float> v = load(x + column, column < columns, -INFINITY);
//   store(y + column, v, column < columns);
#pragma once

#include "trowel/Value.h"

namespace trowel {

/// Which caches an access goes through. `global`: the L2 cache alone, past each multiprocessor's
/// own L1; `streaming`: likely used once, first to leave both; `writeThrough`: a store that passes
/// the L2 cache on to memory.
enum class Cache : std::uint8_t { all, global, streaming, writeThrough };

/// How long what is accessed should stay in the L1 cache: the first to leave, the last, where it
/// was in the order of leaving, or never in it.
enum class Evict : std::uint8_t { normal, unchanged, first, last, noAllocate };

/// Advice for the caches, which changes no result. Either of the two may be given for one access.
///
///   Tile<float> v = load(x + column, inside, Access{.cache = Cache::streaming});
///   store(y + column, v, inside, Access{.evict = Evict::first});
struct Access {
  Cache cache = Cache::all;
  Evict evict = Evict::normal;
};

namespace detail {

template <class P>
using LoadResult = typename Shell<typingOf<P>.form == Form::PointerTile ? Form::Tile : Form::Scalar,
                                  typingOf<P>.type>::Result;

template <class P> inline constexpr bool pointsToConst = false;
template <class T> inline constexpr bool pointsToConst<Ptr<const T>> = true;
template <class T> inline constexpr bool pointsToConst<Tile<Ptr<const T>>> = true;

template <class P, class X> constexpr bool fitsForm() {
  return typingOf<P>.form == Form::PointerTile || typingOf<X>.form != Form::Tile;
}

/// A traced value must have the pointee's type; a host number takes it, unless it is a fraction.
template <class P, class X> constexpr bool fitsPointee() {
  if (typingOf<X>.weak == Weak::No)
    return typingOf<X>.type == typingOf<P>.type;
  return typingOf<X>.weak != Weak::Fraction || isFloating(typingOf<P>.type);
}

template <class P, class M> void checkMask() {
  static_assert(typingOf<M>.type == ElementType::Bool,
                "a mask is a bool or a tile of bools: compare first, as in column < columns");
  static_assert(fitsForm<P, M>(), "a mask that is a tile needs a tile of pointers: add an iota to "
                                  "the pointer");
}

} // namespace detail

/// Reads the elements at a pointer or a tile of pointers. Where `mask` is false, memory is not
/// touched and the result is `fill`, or 0 without a fill. A mask and a fill broadcast to the shape
/// of the pointers. `access` is advice for the caches.
///
///   Scalar<float> s = load(scales + programId(0));
///   Tile<float> v = load(x + column, column < columns, -INFINITY);
template <class P>
  requires(detail::AnyPointer<P>)
detail::LoadResult<P> load(const P &pointer, const Access &access = {},
                           std::source_location at = std::source_location::current()) {
  return detail::LoadResult<P>(
      detail::load(detail::typingOf<P>.type, pointer.read(), nullptr, nullptr, access, at));
}
template <class P, class M>
  requires(detail::AnyPointer<P> && detail::AnyNumber<M>)
detail::LoadResult<P> load(const P &pointer, const M &mask, const Access &access = {},
                           std::source_location at = std::source_location::current()) {
  detail::checkMask<P, M>();
  detail::Operand maskOperand = detail::operandOf(mask, at);
  return detail::LoadResult<P>(
      detail::load(detail::typingOf<P>.type, pointer.read(), &maskOperand, nullptr, access, at));
}
template <class P, class M, class F>
  requires(detail::AnyPointer<P> && detail::AnyNumber<M> && detail::AnyNumber<F>)
detail::LoadResult<P> load(const P &pointer, const M &mask, const F &fill,
                           const Access &access = {},
                           std::source_location at = std::source_location::current()) {
  detail::checkMask<P, M>();
  static_assert(detail::fitsPointee<P, F>(), "the fill of a load must have the pointer's element "
                                             "type: convert it with cast<T>(fill)");
  static_assert(detail::fitsForm<P, F>(),
                "a fill that is a tile needs a tile of pointers: add an iota to the pointer");
  detail::Operand maskOperand = detail::operandOf(mask, at);
  detail::Operand fillOperand = detail::operandOf(fill, at);
  return detail::LoadResult<P>(detail::load(detail::typingOf<P>.type, pointer.read(), &maskOperand,
                                            &fillOperand, access, at));
}

namespace detail {
template <class P, class V> void checkStore() {
  static_assert(!pointsToConst<P>,
                "a Ptr<const T> is only loaded from: make the parameter a Ptr<T> "
                "to store through it");
  static_assert(fitsPointee<P, V>(), "a stored value must have the pointer's element type: convert "
                                     "it with cast<T>(value)");
  static_assert(fitsForm<P, V>(), "a tile of values needs a tile of pointers: add an iota to the "
                                  "pointer");
}
} // namespace detail

/// Writes elements at a pointer or a tile of pointers; where `mask` is false, memory is not
/// touched. The value and the mask broadcast to the shape of the pointers. `access` is advice for
/// the caches.
///
///   store(y + programId(0), s);
///   store(y + column, v, column < columns);
template <class P, class V>
  requires(detail::AnyPointer<P> && detail::AnyNumber<V>)
void store(const P &pointer, const V &value, const Access &access = {},
           std::source_location at = std::source_location::current()) {
  detail::checkStore<P, V>();
  detail::store(detail::typingOf<P>.type, pointer.read(), detail::operandOf(value, at), nullptr,
                access, at);
}
template <class P, class V, class M>
  requires(detail::AnyPointer<P> && detail::AnyNumber<V> && detail::AnyNumber<M>)
void store(const P &pointer, const V &value, const M &mask, const Access &access = {},
           std::source_location at = std::source_location::current()) {
  detail::checkStore<P, V>();
  detail::checkMask<P, M>();
  detail::Operand maskOperand = detail::operandOf(mask, at);
  detail::store(detail::typingOf<P>.type, pointer.read(), detail::operandOf(value, at),
                &maskOperand, access, at);
}

} // namespace trowel
