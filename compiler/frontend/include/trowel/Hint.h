// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the author of a kernel knows and the compiler cannot see.
//
//   Index start = multipleOf(load(rowStarts + row), 16);
//   assume(columns % 8 == 0 && columns <= 4096);
//
// A promise makes accesses wider and integers narrower. The software device checks each one and
// ends the launch at its line where it is broken. A GPU does not look. There, an address that is
// not the multiple that was promised faults; a number outside of its promised bounds may be taken
// modulo 2^32; and of elements that move together, those that the mask cuts off from the rest are
// not moved. Memory outside of a mask is touched in no case by an access whose addresses are right.
#pragma once

#include "trowel/Value.h"

namespace trowel {

namespace detail {
TROWEL_API Value multipleOf(Value value, std::int64_t divisor, std::source_location at);
TROWEL_API void assume(Operand condition, std::source_location at);
} // namespace detail

/// The value, with the promise that it is a multiple of `n`; of a tile, that each element is. A
/// pointer is a multiple of n *bytes*, as for std::assume_aligned. What is computed from the result
/// profits, the operand itself does not. n is at least 1, and its power of two is what counts.
///
///   Index start = multipleOf(load(rowStarts + row), 16);
///   Tile<float> v = load(multipleOf(x, 16) + iota(128));
template <class V, std::integral N>
  requires(detail::AnyTraced<V>)
detail::KindOf<V> multipleOf(const V &value, N n,
                             std::source_location at = std::source_location::current()) {
  constexpr bool counts = detail::AnyPointer<V> || (isInteger(detail::typingOf<V>.type) &&
                                                    detail::typingOf<V>.type != ElementType::Bool);
  static_assert(counts, "multipleOf is for integers and pointers");
  return detail::KindOf<V>(
      detail::multipleOf(detail::operandOf(value, at).value, detail::clampedToInt64(n), at));
}

/// Promises that a condition is true whenever the program gets here. The compiler uses comparisons
/// of integers with `<`, `<=`, `>`, `>=` and `==`, the form `n % 16 == 0`, and several joined by
/// `&&`; anything else is checked and has no use. What is computed from `n` afterwards profits.
/// A condition of the host that is false is refused.
///
///   assume(columns % 16 == 0);
///   assume(0 <= row && row < 1024);
template <class Condition>
void assume(const Condition &condition, std::source_location at = std::source_location::current()) {
  using Kind = detail::KindOf<Condition>;
  static_assert(!std::same_as<Kind, Tile<bool>>,
                "this condition is a tile: assume takes one bool of the program, as n % 16 == 0; "
                "of a tile's elements promise multipleOf(tile, n)");
  static_assert(std::same_as<Kind, Scalar<bool>> || std::same_as<Kind, detail::HostBool> ||
                    std::same_as<Kind, Tile<bool>>,
                "assume takes a Scalar<bool>: compare first, as in n > 0");
  detail::assume(detail::operandOf(condition, at), at);
}

} // namespace trowel
