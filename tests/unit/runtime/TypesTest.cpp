// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bf16 on the host, at every point where rounding can change its mind.
//
// Between two neighbouring bf16 values lie 2^16 f32 values, and the result can change only next to
// the two ends and the middle. So for each of the 2^16 upper halves the lower halves just there are
// tried, which covers every boundary there is, and the expected value is found by comparing
// distances in double, not by the bit trick under test.

#include "trowel/Types.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace trowel {

static float floatFromBits(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// The value of a bf16 pattern for measuring distances: infinity counts as the power of two after
/// the largest finite value.
static double valueForRounding(std::uint16_t bits) {
  if ((bits & 0x7fff) == 0x7f80)
    return std::copysign(std::ldexp(1.0, 128), (bits & 0x8000) ? -1.0 : 1.0);
  return floatFromBits(static_cast<std::uint32_t>(bits) << 16);
}

TEST(BFloat16, RoundsToNearestEvenAtEveryBoundary) {
  for (std::uint32_t upper = 0; upper < 0x10000; ++upper) {
    if ((upper & 0x7fff) >= 0x7f80)
      continue;
    auto low = static_cast<std::uint16_t>(upper), high = static_cast<std::uint16_t>(upper + 1);
    for (std::uint32_t lower : {0x0000u, 0x0001u, 0x7fffu, 0x8000u, 0x8001u, 0xffffu}) {
      float value = floatFromBits(upper << 16 | lower);
      double toLow = std::fabs(value - valueForRounding(low));
      double toHigh = std::fabs(valueForRounding(high) - value);
      std::uint16_t expected = toLow < toHigh   ? low
                               : toHigh < toLow ? high
                               : (low & 1)      ? high
                                                : low;
      ASSERT_EQ(bf16(value).bits, expected) << std::hex << (upper << 16 | lower);
    }
  }
}

TEST(BFloat16, KeepsEveryValueOfItsOwn) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    bf16 value = bf16::fromBits(static_cast<std::uint16_t>(bits));
    if (std::isnan(static_cast<float>(value)))
      continue;
    ASSERT_EQ(bf16(static_cast<float>(value)).bits, bits);
  }
}

TEST(BFloat16, KeepsNanANan) {
  for (std::uint32_t bits : {0x7f800001u, 0x7fffffffu, 0xff800001u, 0x7fc00000u, 0xffffffffu}) {
    bf16 rounded(floatFromBits(bits));
    EXPECT_TRUE(std::isnan(static_cast<float>(rounded))) << std::hex << bits;
    EXPECT_TRUE(rounded.bits & 0x40) << "a NaN must come out quiet";
  }
}

TEST(BFloat16, RoundsTheLargestFloatsToInfinity) {
  EXPECT_EQ(bf16(std::numeric_limits<float>::max()).bits, 0x7f80);
  EXPECT_EQ(bf16(-std::numeric_limits<float>::max()).bits, 0xff80);
}

TEST(ElementType, HasTheSizeOfItsHostType) {
  EXPECT_EQ(byteSize(elementType<bool>), 1);
  EXPECT_EQ(byteSize(elementType<int32>), 4);
  EXPECT_EQ(byteSize(elementType<int64>), 8);
  EXPECT_EQ(byteSize(elementType<bf16>), 2);
  EXPECT_EQ(byteSize(elementType<const float>), 4);
}

TEST(ElementType, IsNamedAsInTheDialect) {
  EXPECT_STREQ(name(ElementType::Bool), "bool");
  EXPECT_STREQ(name(ElementType::Int32), "i32");
  EXPECT_STREQ(name(ElementType::Int64), "i64");
  EXPECT_STREQ(name(ElementType::BFloat16), "bf16");
  EXPECT_STREQ(name(ElementType::Float32), "f32");
}

} // namespace trowel
