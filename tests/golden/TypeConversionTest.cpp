// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Casts from each element type to each other, bit for bit.
//
// One kernel a source type converts to all types at once. The expectation is plain C++ where that
// is defined: through __int128 between integers, with saturation from floats, and rounded once to
// the narrow floats, for which the host has no type: by an exact search for the nearest of the two
// neighbours that truncation gives.
#include "tests/golden/ElementwiseKernel.h"
#include "tests/support/Comparison.h"
#include "tests/support/OnEveryDevice.h"
#include "tests/support/RandomData.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace trowel;
using namespace trowel::golden;

namespace {

class TypeConversion : public support::OnEveryDevice {};
TROWEL_ON_EVERY_DEVICE(TypeConversion);

template <class T>
inline constexpr bool isInteger = std::is_integral_v<T> && !std::is_same_v<T, bool>;

/// The integer rounded once to 11 or 8 significant bits, to nearest even; infinite beyond the type.
template <class Narrow> Narrow roundInteger(__int128 value) {
  const int bits = std::is_same_v<Narrow, f16> ? 11 : 8;
  auto magnitude = static_cast<unsigned __int128>(value < 0 ? -value : value);
  int drop = 0;
  while ((magnitude >> drop) >> bits)
    ++drop;
  unsigned __int128 kept = magnitude >> drop, rest = magnitude - (kept << drop);
  unsigned __int128 half = drop ? static_cast<unsigned __int128>(1) << (drop - 1) : 0;
  if (drop && (rest > half || (rest == half && (kept & 1))))
    ++kept;
  double result = std::ldexp(static_cast<double>(static_cast<std::uint64_t>(kept)), drop);
  return Narrow(static_cast<float>(value < 0 ? -result : result));
}

template <class To, class From> To expectedCast(From value) {
  if constexpr (std::is_same_v<To, bool>) {
    return static_cast<double>(value) != 0;
  } else if constexpr (isInteger<To>) {
    if constexpr (std::is_integral_v<From>)
      return static_cast<To>(static_cast<__int128>(value));
    else {
      auto number = static_cast<double>(value);
      if (std::isnan(number))
        return 0;
      // The bounds as doubles: the largest may round up to a power of two, which saturates as well.
      if (number >= static_cast<double>(std::numeric_limits<To>::max()))
        return std::numeric_limits<To>::max();
      if (number <= static_cast<double>(std::numeric_limits<To>::min()))
        return std::numeric_limits<To>::min();
      return static_cast<To>(number);
    }
  } else if constexpr (std::is_same_v<To, f16> || std::is_same_v<To, bf16>) {
    if constexpr (std::is_integral_v<From>)
      return roundInteger<To>(static_cast<__int128>(value));
    else if constexpr (std::is_same_v<To, f16>)
      return support::roundToF16(static_cast<double>(value));
    else
      return support::roundToBf16(static_cast<double>(value));
  } else {
    return static_cast<To>(value);
  }
}

template <class T> bool same(T a, T b) {
  auto x = static_cast<double>(a), y = static_cast<double>(b);
  if constexpr (std::is_integral_v<T>)
    return a == b;
  return (std::isnan(x) && std::isnan(y)) || (x == y && std::signbit(x) == std::signbit(y));
}

template <class From> std::vector<From> integerValues() {
  std::vector<From> values;
  if constexpr (sizeof(From) <= 2) {
    for (int value = 0; value < 1 << (8 * sizeof(From)); ++value)
      values.push_back(static_cast<From>(value));
    return values;
  }
  // Around powers of two, where roundings carry, tie, and overflow.
  for (int shift = 0; shift < 64; ++shift)
    for (int width : {0, 7, 8, 9, 10, 11, 12, 16, 23, 24, 25})
      for (int offset : {-2, -1, 0, 1, 2}) {
        auto power = static_cast<std::uint64_t>(1) << shift;
        auto half = shift > width ? static_cast<std::uint64_t>(1) << (shift - width) : 0;
        std::uint64_t value = power + half + static_cast<std::uint64_t>(offset);
        values.push_back(static_cast<From>(value));
        values.push_back(static_cast<From>(0 - value));
      }
  for (int i = 0; i < 20000; ++i)
    values.push_back(static_cast<From>(support::randomBits(1, i) >> (i % (8 * sizeof(From)))));
  return values;
}

template <class From> std::vector<From> floatValues() {
  std::vector<From> values;
  if constexpr (sizeof(From) == 2) {
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits)
      values.push_back(From::fromBits(static_cast<std::uint16_t>(bits)));
    return values;
  } else {
    const From infinity = std::numeric_limits<From>::infinity();
    values = {From(0.0),
              From(-0.0),
              infinity,
              -infinity,
              From(NAN),
              From(0.5),
              From(-0.5),
              std::numeric_limits<From>::max(),
              std::numeric_limits<From>::denorm_min()};
    // Ties of each narrower type, and their neighbours, at all magnitudes.
    for (int exponent = -160; exponent < 140; ++exponent)
      for (int width : {0, 8, 9, 11, 12, 24, 25})
        for (double step : {0.0, 1.0, -1.0})
          for (double sign : {1.0, -1.0}) {
            double value = sign * std::ldexp(1.0 + std::ldexp(1.0, -width), exponent);
            values.push_back(
                static_cast<From>(step == 0 ? value : std::nextafter(value, step * INFINITY)));
          }
    for (int i = 0; i < 20000; ++i) {
      std::uint64_t bits = support::randomBits(2, i);
      From value;
      std::memcpy(&value, &bits, sizeof value);
      values.push_back(value);
      // Most patterns are far beyond any integer.
      values.push_back(static_cast<From>(std::ldexp(support::randomUnit(3, i) - 0.5, i % 80)));
    }
    return values;
  }
}

template <class From> void expectAllCasts(const Device &device, const std::vector<From> &values) {
  auto body =
      kernel("casts", [=](Ptr<const From> x, Ptr<bool> toBool, Ptr<int8> toI8, Ptr<uint8> toU8,
                          Ptr<int16> toI16, Ptr<uint16> toU16, Ptr<int32> toI32, Ptr<uint32> toU32,
                          Ptr<int64> toI64, Ptr<uint64> toU64, Ptr<f16> toF16, Ptr<bf16> toBf16,
                          Ptr<float> toF32, Ptr<double> toF64, Index n) {
        Tile<int64> i = programId(0) * elementwiseBlock + iota(elementwiseBlock);
        Tile<bool> inside = i < n;
        Tile<From> v = load(x + i, inside);
        auto write = [&]<class To>(Ptr<To> y) { store(y + i, cast<To>(v), inside); };
        write(toBool), write(toI8), write(toU8), write(toI16), write(toU16), write(toI32),
            write(toU32), write(toI64), write(toU64), write(toF16), write(toBf16), write(toF32),
            write(toF64);
      });
  Buffer<From> x = device.upload(values);
  auto outputs =
      [&]<class... To>(std::type_identity<To>...) {
        return std::tuple<GuardedBuffer<To>...>(GuardedBuffer<To>(device, values.size())...);
      }(std::type_identity<bool>(), std::type_identity<int8>(), std::type_identity<uint8>(),
        std::type_identity<int16>(), std::type_identity<uint16>(), std::type_identity<int32>(),
        std::type_identity<uint32>(), std::type_identity<int64>(), std::type_identity<uint64>(),
        std::type_identity<f16>(), std::type_identity<bf16>(), std::type_identity<float>(),
        std::type_identity<double>());
  std::apply(
      [&](auto &...output) {
        body.launch(gridFor(values.size()), x, output.pointer()...,
                    static_cast<std::int64_t>(values.size()));
      },
      outputs);
  auto check = [&]<class To>(const GuardedBuffer<To> &output) {
    auto results = output.download();
    for (std::size_t i = 0; i < values.size(); ++i) {
      auto expected = expectedCast<To>(values[i]);
      if (!same<To>(static_cast<To>(results[i]), expected)) {
        ADD_FAILURE() << +static_cast<double>(values[i]) << " of " << name(elementType<From>)
                      << " (element " << i << ") to " << name(elementType<To>) << " is "
                      << +static_cast<double>(results[i]) << " instead of "
                      << +static_cast<double>(expected);
        break;
      }
    }
  };
  std::apply([&](auto &...output) { (check(output), ...); }, outputs);
}

TEST_P(TypeConversion, OfIntegersKeepsBitsOrRoundsOnce) {
  expectAllCasts(device(), integerValues<int8>());
  expectAllCasts(device(), integerValues<uint8>());
  expectAllCasts(device(), integerValues<int16>());
  expectAllCasts(device(), integerValues<uint16>());
  expectAllCasts(device(), integerValues<int32>());
  expectAllCasts(device(), integerValues<uint32>());
  expectAllCasts(device(), integerValues<int64>());
  expectAllCasts(device(), integerValues<uint64>());
}

TEST_P(TypeConversion, OfFloatsSaturatesOrRoundsOnce) {
  expectAllCasts(device(), floatValues<f16>());
  expectAllCasts(device(), floatValues<bf16>());
  expectAllCasts(device(), floatValues<float>());
  expectAllCasts(device(), floatValues<double>());
}

TEST_P(TypeConversion, OfIntegersToBf16IsNotByWayOfFloat) {
  auto toBf16 = [](auto x) { return cast<bf16>(x); };
  auto numbers = [&](auto results) { return std::vector<float>(results.begin(), results.end()); };
  EXPECT_EQ(numbers(apply<bf16>(device(), toBf16, std::vector<int32>{259, -259, 33000, 16842753})),
            (std::vector<float>{260, -260, 33024, 16908288}));
  EXPECT_EQ(numbers(apply<bf16>(device(), toBf16,
                                std::vector<uint64>{0xffffffffffffffffu, 0x8080000000000001u})),
            (std::vector<float>{0x1p64f, 0x1.02p63f}));
}

TEST_P(TypeConversion, OfABoolIsOneOrZero) {
  std::vector<int32> values = {3, 0, -3};
  Device device = this->device();
  auto check = [&]<class To>(To) {
    auto results = apply<To>(device, [](auto x) { return cast<To>(x > 0); }, values);
    for (std::size_t i = 0; i < values.size(); ++i)
      EXPECT_EQ(static_cast<double>(results[i]), values[i] > 0) << name(elementType<To>);
  };
  check(int8{}), check(uint8{}), check(int16{}), check(uint16{}), check(uint32{}), check(uint64{});
  check(f16()), check(bf16()), check(double{});
}

TEST_P(TypeConversion, OfBitsBetweenHalvesIsComparedWithZero) {
  std::vector<f16> values = {f16(0.0f), f16(-0.0f), f16(6e-8f), f16(1.0f), f16(NAN)};
  auto direct = apply<bool>(
      device(), [](auto x) { return bitcast<bf16>(where(x == x, x, 1.5)) != 0.0; }, values);
  auto byInteger = apply<bool>(
      device(), [](auto x) { return bitcast<bf16>(bitcast<int16>(where(x == x, x, 1.5))) == 0.0; },
      values);
  EXPECT_EQ(std::vector<int>(direct.begin(), direct.end()), (std::vector<int>{0, 0, 1, 1, 1}));
  EXPECT_EQ(std::vector<int>(byInteger.begin(), byInteger.end()),
            (std::vector<int>{1, 1, 0, 0, 0}));
}

} // namespace
