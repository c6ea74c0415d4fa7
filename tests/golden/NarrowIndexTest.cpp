// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 64-bit numbers that are computed in 32 bits where they fit, against C++.
//
// Whether they fit follows from bounds: of a clamped argument, of a program's id, of a loop. So
// numbers are clamped between bounds at and just beyond the ends of 32 bits, each operator is
// applied, and the result must be that of 64 bits in every case. A sum that is narrowed although it
// passes 2^31 would be off by 2^32.
#include "tests/golden/GuardedBuffer.h"
#include "tests/support/OnEveryDevice.h"

#include <trowel/trowel.h>

#include <algorithm>

using namespace trowel;
using namespace trowel::golden;

namespace {

class NarrowIndex : public support::OnEveryDevice {};
TROWEL_ON_EVERY_DEVICE(NarrowIndex);

using Number = std::int64_t;
constexpr Number least = INT32_MIN, greatest = INT32_MAX;

/// Wrapping, as the language has it.
Number sum(Number a, Number b) { return static_cast<Number>(uint64(a) + uint64(b)); }
Number product(Number a, Number b) { return static_cast<Number>(uint64(a) * uint64(b)); }
Number shifted(Number a, Number count) {
  return count < 0 || count > 63 ? 0 : static_cast<Number>(uint64(a) << count);
}
Number signedRight(Number a, Number count) { return a >> (count < 0 || count > 63 ? 63 : count); }

/// The results of all operators on a pair, in the order in which the kernel stores them.
std::vector<Number> onHost(Number a, Number b) {
  Number quotient = b == 0 ? -1 : a / b, remainder = b == 0 ? a : a % b;
  return {sum(a, b),
          sum(a, -b),
          product(a, b),
          quotient,
          remainder,
          a & b,
          a | b,
          a ^ b,
          std::min(a, b),
          std::max(a, b),
          std::abs(a),
          shifted(a, b),
          signedRight(a, b),
          a < b ? a : b + 1,
          product(a, b) / 3,
          sum(product(a, 3), b),
          a<b, a == b, uint64(a) < uint64(b), sum(a, 1)>
              b};
}
constexpr int results = 20;

/// The same on the device, of an argument each between its bounds.
auto onDevice(Number leastOfA, Number greatestOfA, Number leastOfB, Number greatestOfB) {
  return kernel("narrow", [=](Ptr<int64> y, Index x1, Index x2) {
    Scalar<int64> a = min(max(x1, leastOfA), greatestOfA);
    Scalar<int64> b = min(max(x2, leastOfB), greatestOfB);
    Scalar<int64> values[results] = {a + b,
                                     a - b,
                                     a * b,
                                     a / b,
                                     a % b,
                                     a & b,
                                     a | b,
                                     a ^ b,
                                     min(a, b),
                                     max(a, b),
                                     abs(a),
                                     a << b,
                                     a >> b,
                                     where(a < b, a, b + 1),
                                     a * b / 3,
                                     a * 3 + b,
                                     cast<int64>(a < b),
                                     cast<int64>(a == b),
                                     cast<int64>(cast<uint64>(a) < cast<uint64>(b)),
                                     cast<int64>(a + 1 > b)};
    for (int i = 0; i < results; ++i)
      store(y + i, values[i]);
    // The same of tiles, where addresses and masks want them.
    Tile<int64> tile = iota(8) + a;
    store(y + results + iota(8), tile - b, iota(8) + a <= tile);
  });
}

TEST_P(NarrowIndex, EachOperatorGivesThe64BitResultAtTheEndsOf32Bits) {
  Device device = this->device();
  const std::pair<Number, Number> bounds[] = {{least, greatest},
                                              {least - 1, greatest + 1},
                                              {0, greatest},
                                              {-1, 1},
                                              {0, 40},
                                              {greatest - 8, greatest},
                                              {greatest - 3, greatest + 4},
                                              {least, least + 5},
                                              {0, 65535},
                                              {-65536, 32767}};
  for (auto [leastOfA, greatestOfA] : bounds)
    for (auto [leastOfB, greatestOfB] : {bounds[0], bounds[4], bounds[6], bounds[9]}) {
      auto body = onDevice(leastOfA, greatestOfA, leastOfB, greatestOfB);
      for (Number a : {leastOfA, greatestOfA, leastOfA + 1, Number(0), Number(-1), Number(37)})
        for (Number b : {leastOfB, greatestOfB, Number(0), Number(31), Number(32), Number(-1)}) {
          Number x = std::clamp(a, leastOfA, greatestOfA), y = std::clamp(b, leastOfB, greatestOfB);
          GuardedBuffer<int64> z(device, results + 8);
          body.launch({1}, z.pointer(), a, b);
          std::vector<int64> result = z.download();
          std::vector<Number> expected = onHost(x, y);
          for (int i = 0; i < 8; ++i)
            expected.push_back(x + i - y);
          for (int i = 0; i < results + 8; ++i)
            ASSERT_EQ(result[i], expected[i])
                << "result " << i << " of " << x << " and " << y << " between " << leastOfA << ", "
                << greatestOfA << " and " << leastOfB << ", " << greatestOfB;
        }
    }
}

TEST_P(NarrowIndex, TilesOfNumbersFromMemoryAreThoseOf64Bits) {
  // Numbers of 8 and 16 bits have bounds without being clamped.
  Device device = this->device();
  std::vector<int8> a;
  std::vector<uint16> b;
  for (int i = 0; i < 256; ++i) {
    a.push_back(static_cast<int8>(i));
    b.push_back(static_cast<uint16>(i * 257));
  }
  auto body = kernel("loaded", [=](Ptr<const int8> x, Ptr<const uint16> y, Ptr<int64> z) {
    Tile<int32> i = iota(256);
    Tile<int64> a = cast<int64>(load(x + i)), b = cast<int64>(load(y + i));
    store(z + i, a * b);                           // below 2^23
    store(z + 256 + i, a * b * b);                 // up to 2^39
    store(z + 512 + i, (a + b) * 32767 - (b ^ a)); // about 2^31
    store(z + 768 + i, a * b / 7 % 1000 << 20);
  });
  Buffer<int8> x = device.upload(a);
  Buffer<uint16> y = device.upload(b);
  GuardedBuffer<int64> z(device, 1024);
  body.launch({1}, x, y, z.pointer());
  std::vector<int64> result = z.download();
  for (int i = 0; i < 256; ++i) {
    Number p = a[i], q = b[i];
    ASSERT_EQ(result[i], p * q);
    ASSERT_EQ(result[256 + i], p * q * q);
    ASSERT_EQ(result[512 + i], (p + q) * 32767 - (q ^ p));
    ASSERT_EQ(result[768 + i], shifted(p * q / 7 % 1000, 20));
  }
}

TEST_P(NarrowIndex, ElementsOfAnyExtentReachTheEndsOf32Bits) {
  // Extents are padded to a power of two, and an element that is only padding may pass 2^31.
  Device device = this->device();
  for (int extent : {1, 3, 5, 17, 2999, 3000})
    for (Number first : {greatest - extent, greatest - extent + 1, greatest - extent + 2, least,
                         least + 1, least - 1})
      for (Number spread : {0, 2}) {
        auto body = kernel("ends", [=](Ptr<int64> y, Index x) {
          Tile<int32> lane = iota(extent);
          Tile<int64> number = min(max(x, first), first + spread) + lane;
          store(y + lane, number);
          store(y + extent + lane, number % 1000 - number / 7);
          store(y + 2 * extent + (number - first - spread + lane) % extent, number ^ lane,
                number >= first + spread);
        });
        GuardedBuffer<int64> z(device, 3 * static_cast<std::size_t>(extent));
        body.launch({1}, z.pointer(), first + spread);
        std::vector<int64> result = z.download();
        for (int i = 0; i < extent; ++i) {
          Number number = first + spread + i;
          ASSERT_EQ(result[i], number) << extent << " from " << first;
          ASSERT_EQ(result[extent + i], number % 1000 - number / 7) << extent << " from " << first;
        }
        if (extent % 2 == 1) // 2 i mod extent visits every element once
          for (int i = 0; i < extent; ++i) {
            ASSERT_EQ(result[2 * extent + 2 * i % extent], (first + spread + i) ^ i);
          }
      }
}

TEST_P(NarrowIndex, LoopsThatEndNear32BitsVisitTheirNumbers) {
  Device device = this->device();
  for (Number step : {1, 3, 64, 1024}) {
    auto body = kernel("loop", [=](Ptr<int64> y, Index begin, Index end) {
      Index total = 0, last = -1, trips = 0;
      for (Index k : range(begin, end, step)) {
        Tile<int64> i = k + iota(64);
        store(y + 4 + iota(64), i, i < end);
        total += k % 1000;
        last = k;
        trips += 1;
      }
      store(y, total);
      store(y + 1, last);
      store(y + 2, trips);
    });
    for (auto [begin, end] : {std::pair{greatest - 130, greatest},
                              {greatest - 5, greatest + 7},
                              {Number(0), Number(100)},
                              {-200, -60},
                              {least, least + 64},
                              {greatest - 1023, greatest},
                              {Number(5), Number(5)}}) {
      GuardedBuffer<int64> z(device, 68);
      body.launch({1}, z.pointer(), begin, end);
      std::vector<int64> result = z.download();
      Number total = 0, last = -1, trips = 0;
      std::vector<Number> tile(64, 0);
      for (Number k = begin; k < end; k += step, ++trips) {
        total += k % 1000;
        last = k;
        for (int i = 0; i < 64; ++i)
          if (k + i < end)
            tile[i] = k + i;
      }
      ASSERT_EQ(result[0], total) << begin << " to " << end << " step " << step;
      ASSERT_EQ(result[1], last);
      ASSERT_EQ(result[2], trips);
      for (int i = 0; i < 64; ++i)
        if (tile[i] != 0) {
          ASSERT_EQ(result[4 + i], tile[i]) << begin << " to " << end << " step " << step;
        }
    }
  }
}

} // namespace
