// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rounding to the 16-bit formats by integer arithmetic.
//
// bf16 is the upper half of an f32, so rounding is an addition to the word that may carry into the
// exponent, and into infinity, by itself. f16 has a smaller range: its subnormals begin at 2^-14,
// where the number of bits that are cut off grows by one for each power of two.

#include "runtime/sim/exec/Numerics.h"

namespace trowel::sim::exec {

BFloat toBFloat(float value, Rounding rounding) {
  auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return {nan16};
  std::uint32_t quotient = bits >> 16;
  bool up = roundsUp(quotient, bits & 0xffffu, 0x8000u, (bits & 0x80000000u) != 0, rounding);
  return {static_cast<std::uint16_t>(quotient + up)};
}

Half toHalf(float value, Rounding rounding) {
  auto bits = std::bit_cast<std::uint32_t>(value);
  std::uint32_t magnitude = bits & 0x7fffffffu;
  bool negative = bits != magnitude;
  auto sign = static_cast<std::uint16_t>(negative ? 0x8000u : 0u);
  if (magnitude > 0x7f800000u)
    return {nan16};
  if (magnitude == 0x7f800000u)
    return {static_cast<std::uint16_t>(sign | 0x7c00u)};
  int exponent = static_cast<int>(magnitude >> 23) - 127;
  if (exponent > 15) {
    bool toInfinity = roundsUp(1, 3, 2, negative, rounding);
    return {static_cast<std::uint16_t>(sign | (toInfinity ? 0x7c00u : 0x7bffu))};
  }
  std::uint32_t quotient, rest, half;
  if (exponent < -25) {
    quotient = 0;
    rest = magnitude != 0;
    half = 2;
  } else {
    std::uint32_t mantissa = (magnitude & 0x7fffffu) | 0x800000u;
    unsigned cut = exponent >= -14 ? 13u : 13u + static_cast<unsigned>(-14 - exponent);
    quotient = mantissa >> cut;
    if (exponent >= -14) // drop the leading one, which the exponent field implies
      quotient += static_cast<std::uint32_t>(exponent + 14) << 10;
    rest = mantissa & ((1u << cut) - 1);
    half = 1u << (cut - 1);
  }
  bool up = roundsUp(quotient, rest, half, negative, rounding);
  return {static_cast<std::uint16_t>(sign | (quotient + up))};
}

} // namespace trowel::sim::exec
