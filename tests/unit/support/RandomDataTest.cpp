// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Known values pin the generator: if they changed, every seed in every test would mean something
// else.
#include "tests/support/RandomData.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

using namespace trowel;
using namespace trowel::support;

TEST(RandomData, IsTheSameForEver) {
  EXPECT_EQ(randomBits(0, 0), 0xa706dd2f4d197e6fu);
  EXPECT_EQ(randomBits(1, 2), 0xb95f66d327e8d78u);
}

TEST(RandomData, OfAnElementNeedsNoElementBefore) {
  std::vector<float> all = uniform<float>(100, -1, 1, 7);
  EXPECT_EQ(all[99], static_cast<float>(-1 + 2 * randomUnit(7, 99)));
}

TEST(RandomData, IntegersReachBothEnds) {
  std::vector<int32> values = integers<int32>(1000, -3, 3, 1);
  EXPECT_EQ(*std::min_element(values.begin(), values.end()), -3);
  EXPECT_EQ(*std::max_element(values.begin(), values.end()), 3);
}

TEST(RandomData, UniformStaysInsideAndSpreads) {
  std::vector<float> values = uniform<float>(10000, 2, 4, 1);
  double sum = 0;
  for (float value : values) {
    EXPECT_GE(value, 2.0f);
    EXPECT_LE(value, 4.0f);
    sum += value;
  }
  // The standard deviation of this mean is 0.0058; five of them.
  EXPECT_NEAR(sum / 10000, 3.0, 0.029);
}

TEST(RandomData, AnyFiniteHasNoInfinityAndManyMagnitudes) {
  int small = 0, large = 0;
  for (float value : anyFinite(10000, 1)) {
    EXPECT_TRUE(std::isfinite(value));
    small += std::fabs(value) < 1e-10f;
    large += std::fabs(value) > 1e10f;
  }
  EXPECT_GT(small, 2000);
  EXPECT_GT(large, 2000);
}
