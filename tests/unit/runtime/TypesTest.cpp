// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bf16 and f16 on the host, at every point where rounding can change its mind.
//
// Between two neighbouring bf16 values lie 2^16 f32 values, and the result can change only next to
// the two ends and the middle. So for each of the 2^16 upper halves the lower halves just there are
// tried, which covers every boundary there is, and the expected value is found by comparing
// distances in double, not by the bit trick under test. Between neighbours of f16 the same three
// places are reached from the values themselves.

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

/// The value of an f16 pattern by its definition; infinity counts as the power of two after the
/// largest finite value.
static double valueOfHalf(std::uint16_t bits) {
  int exponent = (bits >> 10) & 31, fraction = bits & 1023;
  double magnitude =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

TEST(Float16, HoldsTheNumbersOfItsDefinition) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    auto pattern = static_cast<std::uint16_t>(bits);
    float value = f16::fromBits(pattern);
    if ((bits & 0x7fff) < 0x7c00)
      ASSERT_EQ(static_cast<double>(value), valueOfHalf(pattern)) << std::hex << bits;
    else if ((bits & 0x7fff) == 0x7c00)
      ASSERT_TRUE(std::isinf(value));
    else
      ASSERT_TRUE(std::isnan(value)) << std::hex << bits;
    ASSERT_EQ(std::signbit(value), bits >= 0x8000);
    if (!std::isnan(value))
      ASSERT_EQ(f16(value).bits, bits) << std::hex << bits;
  }
}

TEST(Float16, RoundsToNearestEvenAtEveryBoundary) {
  for (std::uint16_t low = 0; low < 0x7c00; ++low) {
    auto high = static_cast<std::uint16_t>(low + 1);
    double middle = (valueOfHalf(low) + valueOfHalf(high)) / 2;
    auto tie = static_cast<float>(middle);
    ASSERT_EQ(static_cast<double>(tie), middle);
    ASSERT_EQ(f16(tie).bits, low & 1 ? high : low);
    ASSERT_EQ(f16(std::nextafter(tie, 0.0f)).bits, low);
    ASSERT_EQ(f16(std::nextafter(tie, INFINITY)).bits, high);
    ASSERT_EQ(f16(-tie).bits, 0x8000 | (low & 1 ? high : low));
    ASSERT_EQ(f16(std::nextafter(static_cast<float>(valueOfHalf(high)), 0.0f)).bits, high);
  }
}

TEST(Float16, KeepsNanANan) {
  for (std::uint32_t bits : {0x7f800001u, 0x7fffffffu, 0xff800001u, 0x7fc00000u, 0xffffffffu}) {
    f16 rounded(floatFromBits(bits));
    EXPECT_TRUE(std::isnan(static_cast<float>(rounded))) << std::hex << bits;
    EXPECT_TRUE(rounded.bits & 0x200) << "a NaN must come out quiet";
  }
}

TEST(Float16, RoundsTheSmallestFloatsToZeroAndTheLargestToInfinity) {
  EXPECT_EQ(f16(std::numeric_limits<float>::denorm_min()).bits, 0);
  EXPECT_EQ(f16(-0.0f).bits, 0x8000);
  EXPECT_EQ(f16(65519.996f).bits, 0x7bff);
  EXPECT_EQ(f16(std::numeric_limits<float>::max()).bits, 0x7c00);
}

TEST(ElementType, HasTheSizeOfItsHostType) {
  EXPECT_EQ(byteSize(elementType<bool>), 1);
  auto check = []<class T>(T value) {
    EXPECT_EQ(byteSize(elementType<T>), static_cast<int>(sizeof value)) << name(elementType<T>);
  };
  auto checkAll = [&](auto... values) { (check(values), ...); };
  checkAll(int8{}, uint8{}, int16{}, uint16{}, int32{}, uint32{}, int64{}, uint64{}, f16(), bf16(),
           float{}, double{});
  EXPECT_EQ(byteSize(elementType<const float>), 4);
}

TEST(ElementType, IsNamedAsInTheDialectWithItsSign) {
  const char *names[] = {"bool", "i8",  "u8",  "i16",  "u16", "i32", "u32",
                         "i64",  "u64", "f16", "bf16", "f32", "f64"};
  for (int type = 0; type < 13; ++type)
    EXPECT_STREQ(name(static_cast<ElementType>(type)), names[type]);
}

TEST(ElementType, KnowsItsKind) {
  EXPECT_TRUE(isUnsigned(elementType<uint8>) && isInteger(elementType<uint8>));
  EXPECT_TRUE(!isUnsigned(elementType<int64>) && isInteger(elementType<int64>));
  EXPECT_FALSE(isInteger(elementType<bool>) || isFloating(elementType<bool>));
  EXPECT_TRUE(isFloating(elementType<f16>) && !isInteger(elementType<double>));
}

} // namespace trowel
