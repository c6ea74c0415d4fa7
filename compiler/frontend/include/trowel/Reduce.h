// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions and scans: the elements along an axis combined into one, or each with all before it.
//
//   Scalar<float> total = sum(v);                      // of all elements
//   Tile<float> largest = max(scores, Axis{1});        // of each row
//   Tile<int32> place = cumsum(flags, Axis{0});        // running sums
//
// An axis is always Axis{1}, never a number alone: max(x, 0) is elementwise. A reduction along an
// axis gives a tile without that axis; without an axis it gives one Scalar.
//
// The order in which elements meet is fixed by the compiled kernel and the same in every run, so
// float sums are reproducible. Elements beyond the extent that a tile was made with do not exist:
// they take no part. What a load masked out does, with the value of its fill.
#pragma once

#include "trowel/Elementwise.h"
#include "trowel/Shape.h"

#include <tuple>

namespace trowel {

/// Which way a scan goes along its axis.
enum class Direction : std::uint8_t { forward, reverse };

namespace detail {

enum class Combination : std::uint8_t { Sum, Product, Max, Min, Xor };

/// A combining function for the time of a call: from `2 count` elements, those that come earlier
/// first, to `count`.
struct CombineCallback {
  void *object;
  void (*call)(void *object, const Value *elements, Value *results);
};

/// `axis` is null for all axes. `type` is that of the elements, as which a sum is computed.
TROWEL_API Value reduce(Combination combination, ElementType type, Operand tile, const Axis *axis,
                        std::source_location at);
TROWEL_API Value scan(Combination combination, ElementType type, Operand tile, Axis axis,
                      Direction direction, std::source_location at);
TROWEL_API void reduceWith(const CombineCallback &combine, const Value *tiles, Value *results,
                           int count, const Axis *axis, const char *name, std::source_location at);
TROWEL_API void scanWith(const CombineCallback &combine, const Value *tiles, Value *results,
                         int count, Axis axis, Direction direction, std::source_location at);
/// The position of each element of a tile along an axis, or in row-major order where it is null.
TROWEL_API Value positions(Value tile, const Axis *axis, const char *name, std::source_location at);

/// What sums and products of T are computed in, and have.
template <class T>
using SumOf = std::conditional_t<
    std::same_as<T, bool> || std::same_as<T, int8> || std::same_as<T, int16>, int32,
    std::conditional_t<
        std::same_as<T, uint8> || std::same_as<T, uint16>, uint32,
        std::conditional_t<std::same_as<T, f16> || std::same_as<T, bf16>, float, T>>>;

/// The untyped values of a tuple of tiles, and tuples of elements from untyped values.
template <class... T> struct Elements {
  using Scalars = std::tuple<Scalar<T>...>;
  static constexpr int count = sizeof...(T);

  template <std::size_t... i> static Scalars from(const Value *values, std::index_sequence<i...>) {
    return Scalars(Scalar<T>(values[i])...);
  }
  static Scalars from(const Value *values) {
    return from(values, std::make_index_sequence<sizeof...(T)>());
  }
  template <std::size_t... i>
  static std::tuple<Tile<T>...> tiles(const Value *values, std::index_sequence<i...>) {
    return std::tuple<Tile<T>...>(Tile<T>(values[i])...);
  }
  static std::tuple<Tile<T>...> tiles(const Value *values) {
    return tiles(values, std::make_index_sequence<sizeof...(T)>());
  }
  static void readAll(const std::tuple<Tile<T>...> &tiles, Value *values) {
    std::apply(
        [&](const auto &...tile) {
          int i = 0;
          ((values[i++] = tile.read()), ...);
        },
        tiles);
  }
  template <class Tuple> static void into(const Tuple &tuple, Value *values) {
    std::apply(
        [&](const auto &...element) {
          int i = 0;
          ((values[i++] = Scalar<T>(element).read()), ...);
        },
        tuple);
  }
  template <class F> static void call(void *object, const Value *elements, Value *results) {
    into((*static_cast<F *>(object))(from(elements), from(elements + count)), results);
  }
};

/// The tile of results, or the scalar where there is no axis.
template <class R, class T>
Tile<R> reduceAlong(Combination combination, const Tile<T> &tile, Axis axis,
                    std::source_location at) {
  return Tile<R>(reduce(combination, elementType<R>, operandOf(tile, at), &axis, at));
}
template <class R, class T>
Scalar<R> reduceAll(Combination combination, const Tile<T> &tile, std::source_location at) {
  return Scalar<R>(reduce(combination, elementType<R>, operandOf(tile, at), nullptr, at));
}

template <class T>
concept ReducibleElement = ElementOf<T>::known && !std::is_const_v<T>;

template <class T, class F> void callOnOne(void *object, const Value *elements, Value *results) {
  results[0] =
      Scalar<T>((*static_cast<F *>(object))(Scalar<T>(elements[0]), Scalar<T>(elements[1]))).read();
}

template <class T, class F> CombineCallback combineOne(F &combine) {
  using S = Scalar<T>;
  static_assert(std::is_invocable_v<F &, S, S>,
                "the combining function takes two elements and returns one: [](auto a, auto b) { "
                "return a + b; }");
  static_assert(std::is_convertible_v<std::invoke_result_t<F &, S, S>, S>,
                "the combining function must return an element of the tile's type; convert it with "
                "cast<T>(…)");
  return {const_cast<void *>(static_cast<const void *>(&combine)), callOnOne<T, F>};
}
template <class F, class... T> CombineCallback combineSeveral(F &combine) {
  using Scalars = std::tuple<Scalar<T>...>;
  static_assert(std::is_invocable_v<F &, Scalars, Scalars>,
                "the combining function takes two tuples of elements and returns one: [](auto a, "
                "auto b) { auto [x, i] = a; …; return std::tuple{x, i}; }");
  return {const_cast<void *>(static_cast<const void *>(&combine)),
          Elements<T...>::template call<std::remove_reference_t<F>>};
}
} // namespace detail

/// The sum along an axis, or of all elements. Of bool, int8 and int16 it is an int32, of uint8 and
/// uint16 a uint32, of f16 and bf16 a float: it is computed in these. Integers wrap.
///
///   Scalar<float> total = sum(v);
///   Tile<int32> counts = sum(x > 0.0f, Axis{1});
template <class T>
  requires(detail::ReducibleElement<T>)
Tile<detail::SumOf<T>> sum(const Tile<T> &tile, Axis axis,
                           std::source_location at = std::source_location::current()) {
  return detail::reduceAlong<detail::SumOf<T>>(detail::Combination::Sum, tile, axis, at);
}
template <class T>
  requires(detail::ReducibleElement<T>)
Scalar<detail::SumOf<T>> sum(const Tile<T> &tile,
                             std::source_location at = std::source_location::current()) {
  return detail::reduceAll<detail::SumOf<T>>(detail::Combination::Sum, tile, at);
}

/// The product along an axis, or of all elements, in the types of `sum`.
///
///   Scalar<int32> count = product(extents);
///   Tile<float> volume = product(sides, Axis{1});
template <class T>
  requires(detail::ReducibleElement<T>)
Tile<detail::SumOf<T>> product(const Tile<T> &tile, Axis axis,
                               std::source_location at = std::source_location::current()) {
  return detail::reduceAlong<detail::SumOf<T>>(detail::Combination::Product, tile, axis, at);
}
template <class T>
  requires(detail::ReducibleElement<T>)
Scalar<detail::SumOf<T>> product(const Tile<T> &tile,
                                 std::source_location at = std::source_location::current()) {
  return detail::reduceAll<detail::SumOf<T>>(detail::Combination::Product, tile, at);
}

/// The largest element along an axis, or of all. NaN if any is NaN, and −0 is less than 0.
///
///   Tile<float> e = exp(v - max(v));
///   Tile<float> rowLargest = max(scores, Axis{1});
template <class T>
  requires(detail::ReducibleElement<T>)
Tile<T> max(const Tile<T> &tile, Axis axis,
            std::source_location at = std::source_location::current()) {
  return detail::reduceAlong<T>(detail::Combination::Max, tile, axis, at);
}
template <class T>
  requires(detail::ReducibleElement<T>)
Scalar<T> max(const Tile<T> &tile, std::source_location at = std::source_location::current()) {
  return detail::reduceAll<T>(detail::Combination::Max, tile, at);
}

/// The smallest element along an axis, or of all. NaN if any is NaN, and −0 is less than 0.
///
///   Scalar<int32> first = min(where(found, index, count));
///   Tile<float> nearest = min(distances, Axis{0});
template <class T>
  requires(detail::ReducibleElement<T>)
Tile<T> min(const Tile<T> &tile, Axis axis,
            std::source_location at = std::source_location::current()) {
  return detail::reduceAlong<T>(detail::Combination::Min, tile, axis, at);
}
template <class T>
  requires(detail::ReducibleElement<T>)
Scalar<T> min(const Tile<T> &tile, std::source_location at = std::source_location::current()) {
  return detail::reduceAll<T>(detail::Combination::Min, tile, at);
}

/// The exclusive or of the integers or bools along an axis, or of all; of bools, whether an odd
/// number is true.
///
///   Scalar<uint32> check = xorSum(words);
///   Tile<bool> parity = xorSum(bits, Axis{1});
template <class T>
  requires(detail::ReducibleElement<T>)
Tile<T> xorSum(const Tile<T> &tile, Axis axis,
               std::source_location at = std::source_location::current()) {
  static_assert(!isFloating(elementType<T>), "xorSum is for integers and bools");
  return detail::reduceAlong<T>(detail::Combination::Xor, tile, axis, at);
}
template <class T>
  requires(detail::ReducibleElement<T>)
Scalar<T> xorSum(const Tile<T> &tile, std::source_location at = std::source_location::current()) {
  static_assert(!isFloating(elementType<T>), "xorSum is for integers and bools");
  return detail::reduceAll<T>(detail::Combination::Xor, tile, at);
}

/// Whether any element along an axis, or any of all, is true.
///
///   if_(any(x < 0.0f), [&] { store(flag, 1); });
///   Tile<bool> rowHasNan = any(x != x, Axis{1});
template <class T>
  requires(std::same_as<T, bool>)
Tile<bool> any(const Tile<T> &tile, Axis axis,
               std::source_location at = std::source_location::current()) {
  return detail::reduceAlong<bool>(detail::Combination::Max, tile, axis, at);
}
template <class T>
  requires(std::same_as<T, bool>)
Scalar<bool> any(const Tile<T> &tile, std::source_location at = std::source_location::current()) {
  return detail::reduceAll<bool>(detail::Combination::Max, tile, at);
}

/// Whether all elements along an axis, or all of the tile, are true.
///
///   returnIf(all(x == 0.0f));
///   Tile<bool> rowIsDone = all(done, Axis{1});
template <class T>
  requires(std::same_as<T, bool>)
Tile<bool> all(const Tile<T> &tile, Axis axis,
               std::source_location at = std::source_location::current()) {
  return detail::reduceAlong<bool>(detail::Combination::Min, tile, axis, at);
}
template <class T>
  requires(std::same_as<T, bool>)
Scalar<bool> all(const Tile<T> &tile, std::source_location at = std::source_location::current()) {
  return detail::reduceAll<bool>(detail::Combination::Min, tile, at);
}

/// Combines all elements along an axis, or all of the tile, by a function of two elements, which
/// must be associative and commutative. It is traced once; it computes with scalars, also from
/// outside, and does nothing else: it assigns nothing outside and touches no memory.
///
///   Tile<int32> common = reduce(flags, Axis{0}, [](auto a, auto b) { return a & b; });
///   Scalar<float> norm = reduce(v, [](auto a, auto b) { return sqrt(a * a + b * b); });
template <class T, class F>
  requires(detail::ReducibleElement<T>)
Tile<T> reduce(const Tile<T> &tile, Axis axis, F &&combine,
               std::source_location at = std::source_location::current()) {
  detail::Value value = tile.read(), result;
  detail::reduceWith(detail::combineOne<T>(combine), &value, &result, 1, &axis, "reduce", at);
  return Tile<T>(result);
}
template <class T, class F>
  requires(detail::ReducibleElement<T> && !std::same_as<std::remove_cvref_t<F>, Axis>)
Scalar<T> reduce(const Tile<T> &tile, F &&combine,
                 std::source_location at = std::source_location::current()) {
  detail::Value value = tile.read(), result;
  detail::reduceWith(detail::combineOne<T>(combine), &value, &result, 1, nullptr, "reduce", at);
  return Scalar<T>(result);
}

/// The same for several tiles of one shape at once: the function takes two tuples, of one element
/// of each tile, and returns one.
///
///   auto [low, high] = reduce(std::tuple{v, v}, Axis{1}, [](auto a, auto b) {
///     return std::tuple{min(std::get<0>(a), std::get<0>(b)), max(std::get<1>(a), std::get<1>(b))};
///     });
template <class... T, class F>
  requires(detail::ReducibleElement<T> && ...)
std::tuple<Tile<T>...> reduce(const std::tuple<Tile<T>...> &tiles, Axis axis, F &&combine,
                              std::source_location at = std::source_location::current()) {
  detail::Value values[sizeof...(T)], results[sizeof...(T)];
  detail::Elements<T...>::readAll(tiles, values);
  detail::reduceWith(detail::combineSeveral<F, T...>(combine), values, results, sizeof...(T), &axis,
                     "reduce", at);
  return detail::Elements<T...>::tiles(results);
}
template <class... T, class F>
  requires((detail::ReducibleElement<T> && ...) && !std::same_as<std::remove_cvref_t<F>, Axis>)
std::tuple<Scalar<T>...> reduce(const std::tuple<Tile<T>...> &tiles, F &&combine,
                                std::source_location at = std::source_location::current()) {
  detail::Value values[sizeof...(T)], results[sizeof...(T)];
  detail::Elements<T...>::readAll(tiles, values);
  detail::reduceWith(detail::combineSeveral<F, T...>(combine), values, results, sizeof...(T),
                     nullptr, "reduce", at);
  return detail::Elements<T...>::from(results);
}

namespace detail {
/// The better of two (value, position) pairs: the earlier one of equals. A NaN is better than every
/// number, so that it is found.
template <bool isMax> struct Better {
  template <class Pair> Pair operator()(const Pair &a, const Pair &b) const {
    auto [x, i] = a;
    auto [y, j] = b;
    auto better = isMax ? x > y : x < y, equal = x == y;
    if constexpr (isFloating(elementType<typename std::tuple_element_t<0, Pair>::Element>)) {
      better = better | ((x != x) & (y == y));
      equal = equal | ((x != x) & (y != y));
    }
    better = better | (equal & (i < j));
    return Pair(where(better, x, y), where(better, i, j));
  }
};

template <bool isMax, class T>
Tile<int32> bestAlong(const Tile<T> &tile, Axis axis, const char *name, std::source_location at) {
  Value values[] = {tile.read(), positions(tile.read(), &axis, name, at)}, results[2];
  Better<isMax> better;
  reduceWith(combineSeveral<Better<isMax>, T, int32>(better), values, results, 2, &axis, name, at);
  return Tile<int32>(results[1]);
}
template <bool isMax, class T>
Scalar<int32> bestOfAll(const Tile<T> &tile, const char *name, std::source_location at) {
  Value values[] = {tile.read(), positions(tile.read(), nullptr, name, at)}, results[2];
  Better<isMax> better;
  reduceWith(combineSeveral<Better<isMax>, T, int32>(better), values, results, 2, nullptr, name,
             at);
  return Scalar<int32>(results[1]);
}
} // namespace detail

/// Where the largest element is: its position along an axis, or in the whole tile in row-major
/// order. Of equal elements the first; a NaN counts as larger than every number.
///
///   Scalar<int32> winner = argmax(scores);
///   Tile<int32> label = argmax(logits, Axis{1});
template <class T>
  requires(detail::ReducibleElement<T>)
Tile<int32> argmax(const Tile<T> &tile, Axis axis,
                   std::source_location at = std::source_location::current()) {
  return detail::bestAlong<true>(tile, axis, "argmax", at);
}
template <class T>
  requires(detail::ReducibleElement<T>)
Scalar<int32> argmax(const Tile<T> &tile,
                     std::source_location at = std::source_location::current()) {
  return detail::bestOfAll<true>(tile, "argmax", at);
}

/// Where the smallest element is, as `argmax`. A NaN counts as smaller than every number.
///
///   Scalar<int32> nearest = argmin(distances);
///   Tile<int32> center = argmin(distances, Axis{1});
template <class T>
  requires(detail::ReducibleElement<T>)
Tile<int32> argmin(const Tile<T> &tile, Axis axis,
                   std::source_location at = std::source_location::current()) {
  return detail::bestAlong<false>(tile, axis, "argmin", at);
}
template <class T>
  requires(detail::ReducibleElement<T>)
Scalar<int32> argmin(const Tile<T> &tile,
                     std::source_location at = std::source_location::current()) {
  return detail::bestOfAll<false>(tile, "argmin", at);
}

/// Running sums along an axis: element i is the sum of the elements up to and with i (from i on,
/// with Direction::reverse). In the types of `sum`.
///
///   Tile<int32> place = cumsum(flags, Axis{0});
///   Tile<float> rest = cumsum(weights, Axis{1}, Direction::reverse);
template <class T>
  requires(detail::ReducibleElement<T>)
Tile<detail::SumOf<T>> cumsum(const Tile<T> &tile, Axis axis,
                              Direction direction = Direction::forward,
                              std::source_location at = std::source_location::current()) {
  return Tile<detail::SumOf<T>>(detail::scan(detail::Combination::Sum,
                                             elementType<detail::SumOf<T>>,
                                             detail::operandOf(tile, at), axis, direction, at));
}

/// Running products along an axis, as `cumsum`.
///
///   Tile<float> survival = cumprod(1.0f - hazard, Axis{0});
///   Tile<int32> strides = cumprod(extents, Axis{0}, Direction::reverse);
template <class T>
  requires(detail::ReducibleElement<T>)
Tile<detail::SumOf<T>> cumprod(const Tile<T> &tile, Axis axis,
                               Direction direction = Direction::forward,
                               std::source_location at = std::source_location::current()) {
  return Tile<detail::SumOf<T>>(detail::scan(detail::Combination::Product,
                                             elementType<detail::SumOf<T>>,
                                             detail::operandOf(tile, at), axis, direction, at));
}

/// Combines each element with all before it along an axis by a function of two elements, of which
/// the first is the one that comes earlier (later, with Direction::reverse). It must be
/// associative, and need not be commutative; for the rest it is as for `reduce`.
///
///   Tile<float> highest = scan(v, Axis{0}, [](auto a, auto b) { return max(a, b); });
///   Tile<float> latest = scan(v, Axis{0}, [](auto a, auto b) { return where(b == b, b, a); });
template <class T, class F>
  requires(detail::ReducibleElement<T>)
Tile<T> scan(const Tile<T> &tile, Axis axis, F &&combine, Direction direction = Direction::forward,
             std::source_location at = std::source_location::current()) {
  detail::Value value = tile.read(), result;
  detail::scanWith(detail::combineOne<T>(combine), &value, &result, 1, axis, direction, at);
  return Tile<T>(result);
}

/// The same for several tiles of one shape at once. A linear recurrence y[i] = a[i] · y[i − 1] +
/// b[i]:
///
///   auto [factor, y] = scan(std::tuple{a, b}, Axis{0}, [](auto p, auto q) {
///     auto [a1, b1] = p; auto [a2, b2] = q; return std::tuple{a1 * a2, a2 * b1 + b2}; });
template <class... T, class F>
  requires(detail::ReducibleElement<T> && ...)
std::tuple<Tile<T>...> scan(const std::tuple<Tile<T>...> &tiles, Axis axis, F &&combine,
                            Direction direction = Direction::forward,
                            std::source_location at = std::source_location::current()) {
  detail::Value values[sizeof...(T)], results[sizeof...(T)];
  detail::Elements<T...>::readAll(tiles, values);
  detail::scanWith(detail::combineSeveral<F, T...>(combine), values, results, sizeof...(T), axis,
                   direction, at);
  return detail::Elements<T...>::tiles(results);
}

} // namespace trowel
