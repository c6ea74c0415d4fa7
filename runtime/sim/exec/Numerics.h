// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating point as the device does it: rounding modes, flushing, canonical NaNs, narrow formats.
//
// The narrow formats and the directed modes rest on one fact: a sum or product of two f32, f16 or
// bf16 values, and a fused multiply-add of three, can be computed in double and rounded *to odd*
// (if inexact, to the neighbour whose last bit is 1). Rounding that once more to a format with at
// least two bits fewer gives the correctly rounded result in every mode, so no double rounding
// occurs:
//
//   fma(a, b, c) in f32 = narrow(addOdd(double(a) * double(b), double(c)))
//
// The product is exact (48 of 53 bits); addOdd finds the sum's error by Knuth's two-sum and nudges
// the last bit. Everything is branch-free and runs as vector code without hardware FMA.
#pragma once

#include "runtime/sim/exec/Lanes.h"

#include <cmath>

namespace trowel::sim::exec {

enum class Rounding : std::uint8_t { Nearest, Zero, Down, Up };

constexpr std::uint32_t nan32 = 0x7fffffffu;
constexpr std::uint64_t nan64 = 0xfff8'0000'0000'0000u;
constexpr std::uint16_t nan16 = 0x7fffu;

// The test and the choice are made on the bits, as integers: a compiler may take a NaN for as good
// as any other, and one did drop a choice between NaNs behind a square root.
inline float canonical(float value) {
  auto bits = std::bit_cast<std::uint32_t>(value);
  return std::bit_cast<float>((bits & 0x7fffffffu) > 0x7f800000u ? nan32 : bits);
}
inline double canonical(double value) {
  auto bits = std::bit_cast<std::uint64_t>(value);
  return std::bit_cast<double>((bits & 0x7fff'ffff'ffff'ffffu) > 0x7ff0'0000'0000'0000u ? nan64
                                                                                        : bits);
}

/// A subnormal becomes a zero of its sign.
inline float flushed(float value) {
  auto bits = std::bit_cast<std::uint32_t>(value);
  return std::bit_cast<float>((bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits);
}
template <bool Ftz> inline float flushIf(float value) {
  if constexpr (Ftz)
    return flushed(value);
  return value;
}
/// Clamped to [0, 1]; NaN and negative values give +0.
template <class T> inline T saturated(T value) {
  T low = value > T(0) ? value : T(0);
  return low < T(1) ? low : T(1);
}
template <bool Ftz, bool Sat> inline float finished(float value) {
  value = flushIf<Ftz>(value);
  if constexpr (Sat)
    return saturated(value);
  return canonical(value);
}

/// `value`, whose exact value is value + error with |error| below half a unit in the last place,
/// rounded to odd instead.
LANE_HANDLER double toOdd(double value, double error) {
  auto bits = std::bit_cast<std::uint64_t>(value);
  bool inexact = error < 0 || error > 0;
  std::uint64_t even = (bits & 1) ^ 1;
  // Towards the error: one step up in magnitude if the signs agree, else one step down.
  std::uint64_t step = (error > 0) == (value > 0) ? 1 : ~std::uint64_t{0};
  return std::bit_cast<double>(bits + (inexact && even ? step : 0));
}
/// a + b rounded to odd. No overflow occurs for sums of f32 products.
LANE_HANDLER double addOdd(double a, double b) {
  double sum = a + b;
  double bPart = sum - a;
  double error = (a - (sum - bPart)) + (b - bPart);
  return toOdd(sum, error);
}

/// To f32, in a rounding mode, from a double that was rounded to odd or is exact.
inline float narrow(double value, Rounding rounding) {
  auto nearest = static_cast<float>(value);
  if (rounding == Rounding::Nearest || static_cast<double>(nearest) == value || value != value)
    return nearest;
  auto bits = std::bit_cast<std::uint32_t>(nearest);
  bool negative = (bits & 0x80000000u) != 0;
  bool above = static_cast<double>(nearest) > value;
  bool wantAbove = rounding == Rounding::Up || (rounding == Rounding::Zero && negative);
  if (above == wantAbove)
    return nearest;
  // Sign and magnitude: stepping up shrinks a negative number.
  return std::bit_cast<float>(wantAbove != negative ? bits + 1 : bits - 1);
}
/// To f32, rounded to odd.
LANE_HANDLER float narrowOdd(double value) {
  auto nearest = static_cast<float>(value);
  auto bits = std::bit_cast<std::uint32_t>(nearest);
  double error = value - static_cast<double>(nearest);
  bool inexact = error < 0 || error > 0;
  std::uint32_t step = (error > 0) == (value > 0) ? 1 : ~0u;
  return std::bit_cast<float>(bits + (inexact && (bits & 1) == 0 ? step : 0));
}

LANE_HANDLER float fusedMultiplyAdd(float a, float b, float c) {
  return static_cast<float>(
      addOdd(static_cast<double>(a) * static_cast<double>(b), static_cast<double>(c)));
}

// ---- f16 and bf16 ----

LANE_HANDLER float widen(BFloat value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16);
}
LANE_HANDLER float widen(Half value) {
  std::uint32_t sign = static_cast<std::uint32_t>(value.bits & 0x8000u) << 16;
  std::uint32_t magnitude = static_cast<std::uint32_t>(value.bits & 0x7fffu) << 13;
  // Exponents are 112 apart; the multiplication also normalises subnormals, exactly.
  auto scaled = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) * 0x1p112f);
  std::uint32_t special = magnitude | 0x7f800000u;
  return std::bit_cast<float>(sign | (magnitude >= 0x0f800000u ? special : scaled));
}

/// Whether the magnitude grows by one: `rest` of a unit of 2 * `half` was cut off.
inline bool roundsUp(std::uint32_t quotient, std::uint32_t rest, std::uint32_t half, bool negative,
                     Rounding rounding) {
  switch (rounding) {
  case Rounding::Nearest:
    return rest > half || (rest == half && (quotient & 1) != 0);
  case Rounding::Zero:
    return false;
  case Rounding::Down:
    return rest != 0 && negative;
  case Rounding::Up:
    return rest != 0 && !negative;
  }
  return false;
}

LANE_HANDLER BFloat toBFloat(float value) {
  auto bits = std::bit_cast<std::uint32_t>(value);
  std::uint32_t rounded = (bits + 0x7fffu + (bits >> 16 & 1)) >> 16;
  return {static_cast<std::uint16_t>((bits & 0x7fffffffu) > 0x7f800000u ? nan16 : rounded)};
}
BFloat toBFloat(float value, Rounding rounding);
Half toHalf(float value, Rounding rounding = Rounding::Nearest);

inline void narrowTo(BFloat &result, double odd) { result = toBFloat(narrowOdd(odd)); }
inline void narrowTo(Half &result, double odd) { result = toHalf(narrowOdd(odd)); }

template <class T> inline bool isNaN(T value) {
  if constexpr (std::is_same_v<T, Half>)
    return (value.bits & 0x7fff) > 0x7c00;
  else if constexpr (std::is_same_v<T, BFloat>)
    return (value.bits & 0x7fff) > 0x7f80;
  else
    return value != value;
}

} // namespace trowel::sim::exec
