// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Casts between all element types: nearest even once, truncation with saturation, NaN to 0,
// non-zero to true.
#include "tests/golden/ElementwiseKernel.h"
#include "tests/support/Comparison.h"
#include "tests/support/OnEveryDevice.h"
#include "tests/support/RandomData.h"

#include <cmath>
#include <limits>

using namespace trowel;
using namespace trowel::golden;

namespace {

class Conversion : public support::OnEveryDevice {
protected:
  template <class To, class From> auto convert(const std::vector<From> &values) {
    return apply<To>(device(), [](auto x) { return cast<To>(x); }, values);
  }
};

TROWEL_ON_EVERY_DEVICE(Conversion);

template <class To> To saturated(double value) {
  if (std::isnan(value))
    return 0;
  if (value >= static_cast<double>(std::numeric_limits<To>::max()))
    return std::numeric_limits<To>::max();
  if (value <= static_cast<double>(std::numeric_limits<To>::min()))
    return std::numeric_limits<To>::min();
  return static_cast<To>(value);
}

std::vector<float> telling() {
  std::vector<float> values = support::anyFinite(5000, 1);
  for (float value : support::uniform<float>(5000, -3e9, 3e9, 2))
    values.push_back(value);
  for (float value :
       {0.0f, -0.0f, 0.5f, 0.999999f, -0.999999f, 1.5f, 2.5f, -2.5f, 2147483520.0f, 2147483648.0f,
        -2147483648.0f, 9.2233715e18f, 9.223372e18f, -9.223372e18f, INFINITY, -INFINITY, NAN})
    values.push_back(value);
  return values;
}

TEST_P(Conversion, OfFloatToIntegerTruncatesAndSaturates) {
  std::vector<float> values = telling();
  auto narrow = convert<int32>(values);
  auto wide = convert<int64>(values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(narrow[i], saturated<int32>(values[i])) << values[i];
    EXPECT_EQ(wide[i], saturated<int64>(values[i])) << values[i];
  }
}

TEST_P(Conversion, OfBf16ToIntegerTruncatesAndSaturates) {
  std::vector<bf16> values;
  for (float value : telling())
    values.push_back(bf16(value));
  auto narrow = convert<int32>(values);
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_EQ(narrow[i], saturated<int32>(values[i])) << static_cast<float>(values[i]);
}

TEST_P(Conversion, OfFloatToBf16RoundsToNearestEven) {
  std::vector<float> values = telling();
  auto results = convert<bf16>(values);
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_EQ(support::ulpDistance(results[i], values[i]), 0u) << values[i];
}

TEST_P(Conversion, OfBf16ToFloatIsExact) {
  std::vector<bf16> values(65536);
  for (std::size_t bits = 0; bits < values.size(); ++bits)
    values[bits] = bf16::fromBits(static_cast<std::uint16_t>(bits));
  auto results = convert<float>(values);
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_EQ(support::ulpDistance(results[i], static_cast<double>(values[i])), 0u) << i;
}

TEST_P(Conversion, OfIntegerToFloatRoundsToNearestEven) {
  std::vector<int32> narrow = {0,        1,         -1,         16777217,
                               16777219, -16777217, 2147483647, -2147483647 - 1};
  for (int32 value : support::integers<int32>(5000, -2147483647, 2147483647, 1))
    narrow.push_back(value);
  std::vector<int64> wide(narrow.begin(), narrow.end());
  for (int64 value : support::integers<int64>(5000, std::numeric_limits<int64>::min(),
                                              std::numeric_limits<int64>::max(), 2))
    wide.push_back(value);
  auto fromNarrow = convert<float>(narrow);
  for (std::size_t i = 0; i < narrow.size(); ++i)
    EXPECT_EQ(fromNarrow[i], static_cast<float>(narrow[i])) << narrow[i];
  auto fromWide = convert<float>(wide);
  for (std::size_t i = 0; i < wide.size(); ++i)
    EXPECT_EQ(fromWide[i], static_cast<float>(wide[i])) << wide[i];
}

TEST_P(Conversion, OfIntegerToBf16RoundsOnce) {
  // By way of float, 33000 would still be right; 16842753 = 2^24 + 2^16 + 1 would round twice.
  std::vector<int32> values = {259, -259, 33000, 16842753, -16842753, 16842751};
  for (int32 value : support::integers<int32>(20000, -2147483647, 2147483647, 3))
    values.push_back(value);
  auto results = convert<bf16>(values);
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_EQ(static_cast<float>(results[i]), static_cast<float>(support::roundToBf16(values[i])))
        << values[i];
  EXPECT_EQ(static_cast<float>(results[0]), 260.0f);
  EXPECT_EQ(static_cast<float>(results[1]), -260.0f);
  EXPECT_EQ(static_cast<float>(results[2]), 33024.0f);
}

TEST_P(Conversion, OfIntegerToBf16ByWayOfFloatRoundsTwice) {
  // A tie of the second rounding that the first one made: to 16842752, then to even.
  std::vector<int32> values = {16842753, -16842753, 3};
  auto results = apply<bf16>(device(), [](auto x) { return cast<bf16>(cast<float>(x)); }, values);
  EXPECT_EQ(static_cast<float>(results[0]), 16777216.0f);
  EXPECT_EQ(static_cast<float>(results[1]), -16777216.0f);
  EXPECT_EQ(static_cast<float>(results[2]), 3.0f);
}

TEST_P(Conversion, BetweenIntegersKeepsTheLowBits) {
  std::vector<int64> values = {0,          -1,          0x7fffffff,   0x80000000,
                               0xffffffff, 0x100000000, -0x80000001ll};
  auto narrow = convert<int32>(values);
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_EQ(narrow[i], static_cast<int32>(static_cast<std::uint64_t>(values[i])));
  auto wide = convert<int64>(std::vector<int32>{-1, 5, -2147483647 - 1});
  EXPECT_EQ(wide, (std::vector<int64>{-1, 5, -2147483648ll}));
}

TEST_P(Conversion, ToBoolAsksForNonZero) {
  EXPECT_EQ(convert<bool>(std::vector<int32>{0, 1, 2, 256, -1}),
            (std::vector<unsigned char>{0, 1, 1, 1, 1}));
  EXPECT_EQ(convert<bool>(std::vector<float>{0.0f, -0.0f, 0.5f, NAN}),
            (std::vector<unsigned char>{0, 0, 1, 1}));
}

TEST_P(Conversion, OfBoolIsOneOrZero) {
  std::vector<int32> values = {3, 0, -3};
  auto asInteger = apply<int32>(device(), [](auto x) { return cast<int32>(x > 0); }, values);
  auto asFloat = apply<float>(device(), [](auto x) { return cast<float>(x > 0); }, values);
  EXPECT_EQ(asInteger, (std::vector<int32>{1, 0, 0}));
  EXPECT_EQ(asFloat, (std::vector<float>{1, 0, 0}));
}

} // namespace
