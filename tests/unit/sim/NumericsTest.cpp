// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rounding to narrow formats, for all values where there are few and for many where there are not.

#include "runtime/sim/exec/Numerics.h"

#include <gtest/gtest.h>

#include <random>

namespace trowel::sim::exec {
namespace {

TEST(Numerics, EveryHalfSurvivesWideningAndNarrowing) {
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    Half half{static_cast<std::uint16_t>(bits)};
    std::uint16_t back = toHalf(widen(half)).bits;
    if (isNaN(half))
      EXPECT_EQ(back, nan16);
    else
      EXPECT_EQ(back, bits);
  }
}

TEST(Numerics, EveryBFloatSurvivesWideningAndNarrowing) {
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    BFloat value{static_cast<std::uint16_t>(bits)};
    std::uint16_t back = toBFloat(widen(value)).bits;
    if (isNaN(value))
      EXPECT_EQ(back, nan16);
    else
      EXPECT_EQ(back, bits);
  }
}

/// The neighbours of `value` among the halves, found by search.
template <class T> void checkNarrowing(float value, T (*narrowIn)(float, Rounding)) {
  float down = widen(narrowIn(value, Rounding::Down)), up = widen(narrowIn(value, Rounding::Up));
  EXPECT_LE(down, value);
  EXPECT_GE(up, value);
  float nearest = widen(narrowIn(value, Rounding::Nearest));
  EXPECT_TRUE(nearest == down || nearest == up) << value;
  float zero = widen(narrowIn(value, Rounding::Zero));
  EXPECT_EQ(zero, value < 0 ? up : down);
  if (std::isfinite(down) && std::isfinite(up) && down != up) {
    double below = static_cast<double>(value) - down, above = static_cast<double>(up) - value;
    if (below != above)
      EXPECT_EQ(nearest, below < above ? down : up) << value;
    auto bits = narrowIn(down, Rounding::Zero).bits;
    auto next = narrowIn(up, Rounding::Zero).bits;
    EXPECT_EQ(std::abs((bits & 0x7fff) - (next & 0x7fff)), 1) << value; // they are neighbours
  }
}

TEST(Numerics, NarrowingPicksANeighbourInTheRightDirection) {
  std::mt19937 random(1);
  for (int round = 0; round < 200000; ++round) {
    auto value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (!std::isfinite(value))
      continue;
    checkNarrowing<BFloat>(value, toBFloat);
    // Half's range is small: bring the exponent there.
    int unused;
    float scaled = std::ldexp(std::frexp(value, &unused), static_cast<int>(random() % 44) - 26);
    checkNarrowing<Half>(scaled, [](float v, Rounding mode) { return toHalf(v, mode); });
  }
}

TEST(Numerics, PortableFusedMultiplyAddIsTheHosts) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 1000000; ++round) {
    std::uint64_t words = random(), more = random();
    auto near = [](std::uint32_t bits, unsigned spread) { // exponents that make sums interesting
      return std::bit_cast<float>((bits & 0x807fffffu) | (127 - spread / 2 + (bits >> 23) % spread)
                                                             << 23);
    };
    bool wild = round % 4 == 0;
    auto raw = [](std::uint32_t bits) { return std::bit_cast<float>(bits); };
    auto w = static_cast<std::uint32_t>(words), x = static_cast<std::uint32_t>(words >> 32),
         y = static_cast<std::uint32_t>(more);
    float a = wild ? raw(w) : near(w, 60), b = wild ? raw(x) : near(x, 60),
          c = wild ? raw(y) : near(y, 120);
    float expected = std::fma(a, b, c), found = fusedMultiplyAdd(a, b, c);
    if (expected != expected)
      EXPECT_NE(found, found);
    else
      ASSERT_EQ(std::bit_cast<std::uint32_t>(found), std::bit_cast<std::uint32_t>(expected))
          << a << " " << b << " " << c;
  }
}

} // namespace
} // namespace trowel::sim::exec
