// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random numbers: the generator's published vectors, the same numbers on each device, in each tile
// and for each type of seed and offset, and distributions that are what they are called.
//
// Seeds are fixed, so the statistical tests either hold for ever or never did; their bounds are six
// standard deviations of what is measured.
#include "tests/support/OnEveryDevice.h"

#include <trowel/trowel.h>

#include <gmock/gmock.h>

#include <array>
#include <cmath>

using namespace trowel;
using testing::ElementsAre;

namespace {

class Random : public support::OnEveryDevice {
protected:
  /// fill(offsets) for the offsets 0 to count − 1, by programs of `block` elements.
  template <class T, class Fill>
  std::vector<T> fill(std::int64_t count, int block, Fill fill, Options options = {}) {
    auto body = kernel(
        "fill",
        [=](Ptr<T> y, Index n) {
          Tile<int64> i = programId(0) * block + iota(block);
          store(y + i, fill(i), i < n);
        },
        options);
    Buffer<T> y = device().template allocate<T>(count);
    body.launch({cdiv(count, block)}, y, count);
    return y.download();
  }
};
TROWEL_ON_EVERY_DEVICE(Random);

/// Philox4x32-10, by the paper.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> c,
                                    std::array<std::uint32_t, 2> k) {
  for (int round = 0; round < 10; ++round) {
    std::uint64_t p = std::uint64_t{0xd2511f53} * c[0], q = std::uint64_t{0xcd9e8d57} * c[2];
    c = {static_cast<std::uint32_t>(q >> 32) ^ c[1] ^ k[0], static_cast<std::uint32_t>(q),
         static_cast<std::uint32_t>(p >> 32) ^ c[3] ^ k[1], static_cast<std::uint32_t>(p)};
    k = {k[0] + 0x9e3779b9, k[1] + 0xbb67ae85};
  }
  return c;
}
std::uint32_t bitsOf(std::uint64_t seed, std::uint64_t offset) {
  return philox(
      {static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(offset >> 32), 0, 0},
      {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)})[0];
}

struct Vector {
  std::array<std::uint32_t, 6> counterAndKey;
  std::array<std::uint32_t, 4> result;
};
// kat_vectors of Random123, philox4x32 10.
constexpr Vector vectors[] = {
    {{0, 0, 0, 0, 0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
     {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0},
     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
};

TEST_P(Random, Philox4x32GivesThePublishedVectors) {
  // As tiles and scalars of the device.
  auto loaded = kernel("loaded", [](Ptr<const uint32> w, Ptr<uint32> y) {
    Tile<int32> i = iota(4);
    auto tile = philox4x32(load(w + i * 0), load(w + 1), load(w + 2), load(w + 3), load(w + 4),
                           load(w + 5));
    auto scalars =
        philox4x32(load(w), load(w + 1), load(w + 2), load(w + 3), load(w + 4), load(w + 5));
    for (int word = 0; word < 4; ++word) {
      store(y + 4 * word + i, tile[word]);
      store(y + 16 + word, scalars[word]);
    }
  });
  for (const Vector &vector : vectors) {
    Buffer<uint32> w = device().upload(vector.counterAndKey), y = device().allocate<uint32>(20);
    loaded.launch({1}, w, y);
    std::vector<uint32> result = y.download();
    for (int word = 0; word < 4; ++word) {
      for (int i = 0; i < 4; ++i)
        EXPECT_EQ(result[4 * word + i], vector.result[word]);
      EXPECT_EQ(result[16 + word], vector.result[word]);
    }
    // As numbers of the host.
    auto constant = kernel("constant", [in = vector.counterAndKey](Ptr<uint32> y) {
      auto result = philox4x32(in[0], in[1], in[2], in[3], in[4], in[5]);
      for (int word = 0; word < 4; ++word)
        store(y + word, result[word]);
    });
    constant.launch({1}, y);
    result = y.download();
    for (int word = 0; word < 4; ++word)
      EXPECT_EQ(result[word], vector.result[word]);
  }
}

TEST_P(Random, BitsDependOnSeedAndOffsetAlone) {
  constexpr std::uint64_t seed = 0x123456789abcdef0;
  std::vector<uint32> expected(1000);
  for (std::size_t i = 0; i < expected.size(); ++i)
    expected[i] = bitsOf(seed, i);
  auto bits = [=](const Tile<int64> &i) { return randomBits(seed, i); };
  for (int block : {1, 32, 100, 1024})
    EXPECT_EQ(fill<uint32>(1000, block, bits), expected) << block;
  EXPECT_EQ(fill<uint32>(1000, 512, bits, {.warps = 8}), expected);
  EXPECT_EQ(fill<uint32>(1000, 512, bits, {.elementsPerThread = 16}), expected);
}

TEST_P(Random, OffsetsOfAllTypesAreExtendedToTheSame64Bits) {
  auto body = kernel("types", [](Ptr<uint32> y, Index seed) {
    Tile<int32> i = iota(4) - 2;
    Tile<int32> at = iota(4);
    store(y + at, randomBits(seed, i));
    store(y + 4 + at, randomBits(cast<int32>(Scalar<int64>(seed)), cast<int64>(i)));
    store(y + 8 + at, randomBits(-7, cast<int8>(i)));
    store(y + 12 + at, randomBits(0xfffffffffffffff9u, cast<uint32>(i)));
    store(y + 16 + at, randomBits(full<int64>(4, -7), cast<uint64>(i)));
    store(y + 20, randomBits(-7, -2));
  });
  Buffer<uint32> y = device().allocate<uint32>(21);
  body.launch({1}, y, -7);
  std::vector<uint32> result = y.download();
  auto seed = static_cast<std::uint64_t>(-7);
  for (int i = 0; i < 4; ++i) {
    std::uint32_t expected = bitsOf(seed, static_cast<std::uint64_t>(std::int64_t{i} - 2));
    EXPECT_EQ(result[i], expected);
    EXPECT_EQ(result[4 + i], expected);
    EXPECT_EQ(result[8 + i], expected);
    EXPECT_EQ(result[12 + i], bitsOf(seed, static_cast<std::uint32_t>(i - 2)));
    EXPECT_EQ(result[16 + i], expected);
  }
  EXPECT_EQ(result[20], result[0]);
}

TEST_P(Random, UniformIsTheUpper24BitsOver2To24) {
  std::vector<float> result =
      fill<float>(5000, 256, [](const Tile<int64> &i) { return randomUniform(42, i); });
  for (std::size_t i = 0; i < result.size(); ++i)
    ASSERT_EQ(result[i], static_cast<float>(bitsOf(42, i) >> 8) * 0x1p-24f) << i;
}

TEST_P(Random, NormalIsBoxAndMullersOfTheFirstTwoWords) {
  std::vector<float> result =
      fill<float>(5000, 256, [](const Tile<int64> &i) { return randomNormal(42, i); });
  for (std::size_t i = 0; i < result.size(); ++i) {
    auto block = philox({static_cast<std::uint32_t>(i), 0, 0, 0}, {42, 0});
    double u = (block[0] >> 8) + 1, v = block[1] >> 8;
    double expected = std::sqrt(-2 * std::log(u * 0x1p-24)) *
                      std::cos(static_cast<double>(static_cast<float>(v * 0x1.921fb6p-22)));
    // log within 2 ulp, cos and sqrt within 4 of theirs; near a zero of cos the angle's rounding
    // counts.
    ASSERT_NEAR(result[i], expected, 4e-6) << i;
  }
}

TEST_P(Random, IntegersAreTheUpperHalfOfAProduct) {
  std::vector<int32> result =
      fill<int32>(5000, 256, [](const Tile<int64> &i) { return randomInt(9, i, -100, 1000); });
  for (std::size_t i = 0; i < result.size(); ++i)
    ASSERT_EQ(result[i], static_cast<int32>((std::uint64_t{bitsOf(9, i)} * 1100) >> 32) - 100);
  std::vector<int32> whole = fill<int32>(
      100, 256, [](const Tile<int64> &i) { return randomInt(9, i, INT32_MIN, INT32_MAX); });
  for (std::size_t i = 0; i < whole.size(); ++i)
    ASSERT_EQ(whole[i], static_cast<int32>(((std::uint64_t{bitsOf(9, i)} * 0xffffffff) >> 32) -
                                           (std::uint64_t{1} << 31)));
}

TEST_P(Random, IntegersTakeBoundsOfTheDevice) {
  auto body = kernel("bounds", [](Ptr<const int32> bounds, Ptr<int32> y) {
    Tile<int32> i = iota(256);
    store(y + i, randomInt(1, i, load(bounds), load(bounds + 1)));
    store(y + 256 + i, randomInt(1, i, 0, i + 1));
  });
  Buffer<int32> bounds = device().upload({-3, 4}), y = device().allocate<int32>(512);
  body.launch({1}, bounds, y);
  std::vector<int32> result = y.download();
  for (int i = 0; i < 256; ++i) {
    EXPECT_GE(result[i], -3);
    EXPECT_LT(result[i], 4);
    EXPECT_GE(result[256 + i], 0);
    EXPECT_LE(result[256 + i], i);
  }
}

struct Moments {
  double mean = 0, variance = 0, neighbours = 0;
};
Moments momentsOf(const std::vector<float> &values) {
  Moments moments;
  auto count = static_cast<double>(values.size());
  for (float value : values)
    moments.mean += value / count;
  for (std::size_t i = 0; i < values.size(); ++i) {
    double off = values[i] - moments.mean, next = values[(i + 1) % values.size()] - moments.mean;
    moments.variance += off * off / count;
    moments.neighbours += off * next / count;
  }
  return moments;
}

constexpr std::int64_t many = 1 << 20;

TEST_P(Random, UniformNumbersAreUniformAndIndependent) {
  for (std::uint64_t seed : {0u, 1u, 12345u}) {
    std::vector<float> values =
        fill<float>(many, 1024, [=](const Tile<int64> &i) { return randomUniform(seed, i); });
    Moments moments = momentsOf(values);
    double root = std::sqrt(static_cast<double>(many));
    EXPECT_NEAR(moments.mean, 0.5, 6 * std::sqrt(1 / 12.0) / root);
    EXPECT_NEAR(moments.variance, 1 / 12.0, 6 * std::sqrt(1 / 180.0) / root);
    EXPECT_NEAR(moments.neighbours, 0, 6 / 12.0 / root);
    // χ² of 1024 equal cells: mean 1023, variance 2046.
    std::vector<double> cells(1024);
    for (float value : values) {
      ASSERT_GE(value, 0.0f);
      ASSERT_LT(value, 1.0f);
      ++cells[static_cast<std::size_t>(value * 1024)];
    }
    double chi = 0;
    for (double cell : cells)
      chi += (cell - 1024) * (cell - 1024) / 1024;
    EXPECT_NEAR(chi, 1023, 6 * std::sqrt(2046.0)) << "seed " << seed;
  }
}

TEST_P(Random, NormalNumbersAreNormal) {
  std::vector<float> values =
      fill<float>(many, 1024, [](const Tile<int64> &i) { return randomNormal(3, i); });
  Moments moments = momentsOf(values);
  double root = std::sqrt(static_cast<double>(many));
  EXPECT_NEAR(moments.mean, 0, 6 / root);
  EXPECT_NEAR(moments.variance, 1, 6 * std::sqrt(2.0) / root);
  EXPECT_NEAR(moments.neighbours, 0, 6 / root);
  // χ² of 64 cells that are equally likely.
  std::vector<double> cells(64);
  for (float value : values) {
    double below = 0.5 * std::erfc(-value / std::sqrt(2.0));
    ++cells[std::min<std::size_t>(static_cast<std::size_t>(below * 64), 63)];
  }
  double expected = static_cast<double>(many) / 64, chi = 0;
  for (double cell : cells)
    chi += (cell - expected) * (cell - expected) / expected;
  EXPECT_NEAR(chi, 63, 6 * std::sqrt(126.0));
}

TEST_P(Random, MulHighIsTheUpperHalfOfEveryWidth) {
  auto body = kernel("high", [](Ptr<const int64> a, Ptr<const int64> b, Ptr<int64> y) {
    Tile<int32> i = iota(16);
    Tile<int64> x = load(a + i), z = load(b + i);
    store(y + i, mulHigh(x, z));
    store(y + 16 + i, cast<int64>(mulHigh(cast<uint64>(x), cast<uint64>(z))));
    store(y + 32 + i, cast<int64>(mulHigh(cast<int32>(x), cast<int32>(z))));
    store(y + 48 + i, cast<int64>(mulHigh(cast<uint32>(x), cast<uint32>(z))));
    store(y + 64 + i, cast<int64>(mulHigh(cast<int16>(x), cast<int16>(z))));
    store(y + 80 + i, cast<int64>(mulHigh(cast<uint8>(x), cast<uint8>(z))));
    store(y + 96 + i, cast<int64>(mulHigh(cast<uint32>(x), 0xaaaaaaabu)));
  });
  std::vector<int64> a(16), b(16);
  for (std::uint64_t i = 0; i < 16; ++i) {
    a[i] = static_cast<int64>(bitsOf(1, i) * 0x9e3779b97f4a7c15ull);
    b[i] = static_cast<int64>(bitsOf(2, i) * 0xbf58476d1ce4e5b9ull);
  }
  a[0] = b[0] = -1;
  a[1] = b[1] = INT64_MIN;
  a[2] = INT64_MAX;
  Buffer<int64> y = device().allocate<int64>(112);
  Buffer<int64> x = device().upload(a), z = device().upload(b);
  body.launch({1}, x, z, y);
  std::vector<int64> result = y.download();
  auto high = []<class T>(T p, T q) {
    using Wide = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
    return static_cast<int64>(static_cast<T>((static_cast<Wide>(p) * q) >> (8 * sizeof(T))));
  };
  for (int i = 0; i < 16; ++i) {
    EXPECT_EQ(result[i], high(a[i], b[i]));
    EXPECT_EQ(result[16 + i],
              high(static_cast<std::uint64_t>(a[i]), static_cast<std::uint64_t>(b[i])));
    EXPECT_EQ(result[32 + i],
              high(static_cast<std::int32_t>(a[i]), static_cast<std::int32_t>(b[i])));
    EXPECT_EQ(result[48 + i],
              high(static_cast<std::uint32_t>(a[i]), static_cast<std::uint32_t>(b[i])));
    EXPECT_EQ(result[64 + i],
              high(static_cast<std::int16_t>(a[i]), static_cast<std::int16_t>(b[i])));
    EXPECT_EQ(result[80 + i],
              high(static_cast<std::uint8_t>(a[i]), static_cast<std::uint8_t>(b[i])));
    EXPECT_EQ(result[96 + i], high(static_cast<std::uint32_t>(a[i]), 0xaaaaaaabu));
  }
}

} // namespace
