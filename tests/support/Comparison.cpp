// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The distance between a result and what it should be.
//
// Floating-point numbers of one type, read as sign and magnitude, are consecutive integers: the
// next larger float has the next larger pattern. So the distance in units in the last place between
// a result and the correctly rounded reference is a difference of integers, also across zero,
// through subnormals and into infinity, where a quotient of differences and spacings would need
// cases. The reference is rounded once from double; for bf16 the way through float would round
// twice, so the float is made by rounding to odd, which keeps what the second rounding needs to
// know.
//
// An element is right if it is within the stated ulps, or the stated absolute or relative distance:
// near a zero of a function that was computed with cancellation, ulps say little, and far from it
// absolute bounds do. The bounds come from the caller; nothing here is tuned to results.
#include "tests/support/Comparison.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

namespace trowel::support {

/// Maps the pattern of a float type with `bits` bits to an integer that grows with the value.
static std::int64_t ordered(std::uint32_t pattern, int bits) {
  std::uint32_t sign = 1u << (bits - 1);
  auto magnitude = static_cast<std::int64_t>(pattern & (sign - 1));
  return pattern & sign ? -magnitude : magnitude;
}

static std::uint32_t patternOf(float value) {
  std::uint32_t pattern;
  std::memcpy(&pattern, &value, sizeof pattern);
  return pattern;
}

static std::uint64_t distance(std::int64_t a, std::int64_t b) {
  return a > b ? static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b)
               : static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a);
}

/// The double as a float from which a narrower type rounds as from the double: rounded to odd,
/// which is the neighbour towards zero, with its last bit set because something was cut off.
static float roundToOdd(double value) {
  float near = static_cast<float>(value);
  if (std::isnan(near) || std::isinf(near) || static_cast<double>(near) == value)
    return near;
  std::uint32_t pattern = patternOf(near);
  if (std::fabs(static_cast<double>(near)) > std::fabs(value))
    --pattern;
  pattern |= 1;
  float odd;
  std::memcpy(&odd, &pattern, sizeof odd);
  return odd;
}

bf16 roundToBf16(double value) { return bf16(roundToOdd(value)); }
f16 roundToF16(double value) { return f16(roundToOdd(value)); }

std::uint64_t ulpDistance(float result, double reference) {
  float expected = static_cast<float>(reference);
  if (std::isnan(result) || std::isnan(expected))
    return std::isnan(result) && std::isnan(expected) ? 0 : farApart;
  return distance(ordered(patternOf(result), 32), ordered(patternOf(expected), 32));
}

template <class Half> static std::uint64_t halfDistance(Half result, Half expected) {
  bool resultIsNaN = std::isnan(static_cast<float>(result));
  bool expectedIsNaN = std::isnan(static_cast<float>(expected));
  if (resultIsNaN || expectedIsNaN)
    return resultIsNaN && expectedIsNaN ? 0 : farApart;
  return distance(ordered(result.bits, 16), ordered(expected.bits, 16));
}

std::uint64_t ulpDistance(bf16 result, double reference) {
  return halfDistance(result, roundToBf16(reference));
}

std::uint64_t ulpDistance(f16 result, double reference) {
  return halfDistance(result, roundToF16(reference));
}

std::uint64_t ulpDistance(int32 result, double reference) {
  return ulpDistance(static_cast<int64>(result), reference);
}

std::uint64_t ulpDistance(int64 result, double reference) {
  if (!(reference >= -0x1p63 && reference < 0x1p63))
    return farApart;
  return distance(result, static_cast<std::int64_t>(reference));
}

/// A distance as a part of a bound, kept at the kindest part so far.
static double kinder(double share, double distance, double bound) {
  return bound > 0 ? std::min(share, distance / bound) : share;
}

void count(Comparison &comparison, std::uint64_t ulps, double result, double reference) {
  std::size_t index = comparison.count++;
  double off = std::fabs(result - reference);
  bool right =
      ulps <= comparison.bound.ulps || off <= comparison.bound.absolute ||
      (comparison.bound.relative > 0 && off <= comparison.bound.relative * std::fabs(reference));
  double share = HUGE_VAL;
  share = kinder(share, static_cast<double>(ulps), static_cast<double>(comparison.bound.ulps));
  share = kinder(share, off, comparison.bound.absolute);
  share = kinder(share, off, comparison.bound.relative * std::fabs(reference));
  if (ulps != 0 && share < HUGE_VAL && share > comparison.worstShare)
    comparison.worstShare = share;
  bool worst = ulps > comparison.worstUlps || index == 0;
  if (worst) {
    comparison.worstUlps = ulps;
    comparison.worstIndex = index;
  }
  if (off > comparison.worstAbsolute)
    comparison.worstAbsolute = off;
  bool firstWrong = !right && comparison.wrong++ == 0;
  if (firstWrong)
    comparison.firstWrong = index;
  if (firstWrong || (comparison.wrong == 0 && worst)) {
    comparison.shownResult = result;
    comparison.shownReference = reference;
    comparison.shownBound = comparison.bound;
  }
}

static std::string ulpText(std::uint64_t ulps) {
  if (ulps == farApart)
    return "not comparable (a NaN, or out of range)";
  return std::to_string(ulps) + (ulps == 1 ? " ulp off" : " ulps off");
}

std::string Comparison::text() const {
  char line[320];
  if (wrong == 0 && worstShare > 0) {
    std::snprintf(line, sizeof line,
                  "%zu elements, the worst uses %.0f %% of its bound; at most %.3g off", count,
                  100 * worstShare, worstAbsolute);
  } else if (wrong == 0) {
    std::snprintf(line, sizeof line, "%zu elements, at most %s, at most %.3g in absolute terms",
                  count, ulpText(worstUlps).c_str(), worstAbsolute);
  } else {
    std::snprintf(line, sizeof line,
                  "%zu of %zu elements are wrong; first element %zu is %.9g instead of %.9g "
                  "(bound: %llu ulps, %.3g absolute, %.3g relative); worst element %zu is %s",
                  wrong, count, firstWrong, shownResult, shownReference,
                  static_cast<unsigned long long>(shownBound.ulps), shownBound.absolute,
                  shownBound.relative, worstIndex, ulpText(worstUlps).c_str());
  }
  return line;
}

} // namespace trowel::support
