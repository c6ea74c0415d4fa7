// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers that look random and are the same on every machine.
//
//   std::vector<float> x = uniform<float>(1 << 20, -4.0f, 4.0f, 1);
//   std::vector<bf16> small = integers<bf16>(1000, -8, 8, 2);
#pragma once

#include "trowel/Types.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace trowel::support {

/// 64 well mixed bits for a pair of numbers: the generator is this function of (seed, index), so
/// that any element can be had without those before it.
std::uint64_t randomBits(std::uint64_t seed, std::uint64_t index);

/// A number of [0, 1) with 53 random bits.
double randomUnit(std::uint64_t seed, std::uint64_t index);

/// An integer of [lowest, highest], both included.
std::int64_t randomInteger(std::uint64_t seed, std::uint64_t index, std::int64_t lowest,
                           std::int64_t highest);

/// `count` numbers of [low, high), rounded to T.
template <class T>
std::vector<T> uniform(std::size_t count, double low, double high, std::uint64_t seed) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = static_cast<T>(static_cast<float>(low + (high - low) * randomUnit(seed, i)));
  return values;
}

/// `count` integers of [lowest, highest]. Sums and products of few small integers are exact in each
/// type, which turns a test of arithmetic into a test of equality.
template <class T>
std::vector<T> integers(std::size_t count, std::int64_t lowest, std::int64_t highest,
                        std::uint64_t seed) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = static_cast<T>(randomInteger(seed, i, lowest, highest));
  return values;
}

/// Any bit pattern that is a number: all magnitudes, subnormals and both zeros, no infinity, no
/// NaN.
std::vector<float> anyFinite(std::size_t count, std::uint64_t seed);

} // namespace trowel::support
