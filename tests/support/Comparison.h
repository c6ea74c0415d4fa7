// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares results with a float64 reference, in units in the last place and in absolute terms.
//
//   Comparison c = compare<float>(y, [&](std::size_t i) { return double(a[i]) + b[i]; });
//   EXPECT_TRUE(c.agrees()) << c.text();
#pragma once

#include "trowel/Types.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

namespace trowel::support {

/// How far a result may be off. It is right if any of the three holds: 0 ulps, the default, means
/// the correctly rounded value and nothing else.
struct Bound {
  /// Steps from the correctly rounded reference to the result, in the result's own type.
  std::uint64_t ulps = 0;
  double absolute = 0;
  double relative = 0;
};

/// The reference rounded once, to nearest even, and how many representable values the result is
/// away from it. Two NaNs are 0 apart, a NaN and a number are `farApart`; +0 and -0 are 0 apart.
inline constexpr std::uint64_t farApart = ~std::uint64_t{0};
std::uint64_t ulpDistance(float result, double reference);
std::uint64_t ulpDistance(bf16 result, double reference);
std::uint64_t ulpDistance(f16 result, double reference);
std::uint64_t ulpDistance(int32 result, double reference);
std::uint64_t ulpDistance(int64 result, double reference);

/// The double rounded once to bf16 or f16; by way of float it would round twice.
bf16 roundToBf16(double value);
f16 roundToF16(double value);

/// What a comparison of many elements saw.
struct Comparison {
  std::size_t count = 0;
  std::size_t wrong = 0;
  std::size_t firstWrong = 0;
  std::uint64_t worstUlps = 0;
  std::size_t worstIndex = 0;
  double worstAbsolute = 0;
  /// The largest distance as a part of its bound, by whichever bound is the kindest; 0 where none
  /// is given.
  double worstShare = 0;
  /// The bound of the element that is counted next.
  Bound bound;
  /// Result, reference and bound at the first wrong element, else at the worst one.
  double shownResult = 0;
  double shownReference = 0;
  Bound shownBound;

  bool agrees() const { return wrong == 0; }
  /// One sentence: "1048576 elements, at most 1 ulp off" or which element is wrong, and by how
  /// much.
  std::string text() const;
};

/// Takes one element into account.
void count(Comparison &comparison, std::uint64_t ulps, double result, double reference);

/// Compares each element with `reference(index)`. The bound is one for all, or `bound(index)`.
template <class T, class Reference, class BoundOf = Bound>
Comparison compare(std::span<const T> results, Reference reference, BoundOf bound = {}) {
  Comparison comparison;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if constexpr (std::is_same_v<BoundOf, Bound>)
      comparison.bound = bound;
    else
      comparison.bound = bound(i);
    double expected = reference(i);
    count(comparison, ulpDistance(results[i], expected), static_cast<double>(results[i]), expected);
  }
  return comparison;
}

} // namespace trowel::support
