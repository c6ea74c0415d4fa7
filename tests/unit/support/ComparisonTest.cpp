// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ruler is measured before anything is measured with it: distances across zero, into infinity
// and between NaNs, the single rounding to bf16 (each of its 65536 values, its neighbours'
// midpoints and both sides of those), and that a wrong element is counted, found and described.
#include "tests/support/Comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

using namespace trowel;
using namespace trowel::support;

TEST(UlpDistance, IsZeroForTheCorrectlyRoundedValue) {
  EXPECT_EQ(ulpDistance(0.1f, 0.1), 0u);
  EXPECT_EQ(ulpDistance(1.0f, 1.0 + 0x1p-25), 0u);
}

TEST(UlpDistance, CountsStepsAcrossZero) {
  float least = std::numeric_limits<float>::denorm_min();
  EXPECT_EQ(ulpDistance(least, -static_cast<double>(least)), 2u);
  EXPECT_EQ(ulpDistance(-0.0f, 0.0), 0u);
}

TEST(UlpDistance, TakesInfinityForTheStepAfterTheLargest) {
  float largest = std::numeric_limits<float>::max();
  EXPECT_EQ(ulpDistance(largest, HUGE_VAL), 1u);
  EXPECT_EQ(ulpDistance(HUGE_VALF, 1e300), 0u);
}

TEST(UlpDistance, ComparesNaNsByKind) {
  EXPECT_EQ(ulpDistance(NAN, NAN), 0u);
  EXPECT_EQ(ulpDistance(NAN, 1.0), farApart);
  EXPECT_EQ(ulpDistance(1.0f, NAN), farApart);
}

TEST(RoundToBf16, KeepsEachOfItsValues) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    bf16 value = bf16::fromBits(static_cast<std::uint16_t>(bits));
    if (std::isnan(static_cast<float>(value)))
      continue;
    EXPECT_EQ(roundToBf16(static_cast<float>(value)).bits, bits);
  }
}

TEST(RoundToBf16, RoundsOnceAtEveryMidpoint) {
  // A double just beside the midpoint of two neighbours becomes the midpoint as a float, which
  // would then round to even: the one place where two roundings differ from one.
  for (std::uint32_t bits = 0; bits < 0x7f7f; ++bits) {
    double low = static_cast<float>(bf16::fromBits(static_cast<std::uint16_t>(bits)));
    double high = static_cast<float>(bf16::fromBits(static_cast<std::uint16_t>(bits + 1)));
    double middle = low + (high - low) / 2;
    EXPECT_EQ(roundToBf16(std::nextafter(middle, low)).bits, bits);
    EXPECT_EQ(roundToBf16(std::nextafter(middle, high)).bits, bits + 1);
    EXPECT_EQ(roundToBf16(middle).bits, bits + (bits & 1));
  }
}

TEST(Comparison, NamesTheFirstWrongElement) {
  std::vector<float> results = {0, 1, 2, 3.5f, 4.5f};
  auto comparison = compare<float>(results, [](std::size_t i) { return static_cast<double>(i); });
  EXPECT_EQ(comparison.wrong, 2u);
  EXPECT_EQ(comparison.firstWrong, 3u);
  EXPECT_THAT(comparison.text(), testing::HasSubstr("2 of 5 elements are wrong"));
  EXPECT_THAT(comparison.text(), testing::HasSubstr("element 3 is 3.5 instead of 3"));
}

TEST(Comparison, AcceptsAnyOfItsThreeBounds) {
  std::vector<float> results = {1.5f};
  auto one = [](std::size_t) { return 1.0; };
  EXPECT_FALSE(compare<float>(results, one).agrees());
  EXPECT_TRUE(compare<float>(results, one, {.ulps = 1u << 22}).agrees());
  EXPECT_TRUE(compare<float>(results, one, {.absolute = 0.5}).agrees());
  EXPECT_TRUE(compare<float>(results, one, {.relative = 0.5}).agrees());
}

TEST(Comparison, TakesABoundForEachElement) {
  std::vector<float> results = {1, 101};
  auto reference = [](std::size_t i) { return i == 0 ? 0.0 : 100.0; };
  auto bound = [](std::size_t i) { return Bound{.absolute = i == 0 ? 0.5 : 1.0}; };
  auto comparison = compare<float>(results, reference, bound);
  EXPECT_EQ(comparison.wrong, 1u);
  EXPECT_EQ(comparison.firstWrong, 0u);
}

TEST(Comparison, NeverAcceptsAnUnexpectedNaN) {
  std::vector<float> results = {NAN};
  auto one = [](std::size_t) { return 1.0; };
  EXPECT_FALSE(
      compare<float>(results, one, {.ulps = 100, .absolute = 1e9, .relative = 1e9}).agrees());
}
