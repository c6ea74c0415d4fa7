// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Actual values beside facts: what the test of the transfer rules compares.
#pragma once

#include "dialect/AxisFacts.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace trowel::tile {

/// The elements of a tile, the last axis fastest. Integers are sign-extended from their bits; for
/// pointers the elements are byte addresses.
struct Sample {
  std::vector<std::int64_t> values;
  AxisFacts facts;
};

/// The value modulo 2^bits, as a signed number.
std::int64_t wrap(__int128 value, unsigned bits);

/// Nothing if the facts hold of the values, else the claim that does not.
std::string broken(const AxisFacts &facts, const std::vector<std::int64_t> &values,
                   const std::vector<std::int64_t> &extents, unsigned bits);

/// The strongest facts that hold; a search, unrelated to the transfer rules.
AxisFacts strongest(const std::vector<std::int64_t> &values,
                    const std::vector<std::int64_t> &extents, unsigned bits, std::int64_t step = 1);

/// Facts that hold too, but say less.
AxisFacts weakened(AxisFacts facts, std::mt19937_64 &random);

/// Values made of runs that count up or repeat, from starts near the ends of the type, near 0 and
/// at multiples of powers of two; with their strongest facts, or weaker ones.
Sample randomSample(const std::vector<std::int64_t> &extents, unsigned bits,
                    std::mt19937_64 &random, std::int64_t step = 1);

/// Readable values, for messages.
std::string text(const Sample &sample);

} // namespace trowel::tile
