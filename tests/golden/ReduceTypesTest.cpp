// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions of every type, of elements that are equal or not a number, by functions of the user,
// and who takes part in them.
//
// Data are numbers whose combination is exact in their type, so all comparisons are equalities.
#include "tests/golden/GuardedBuffer.h"
#include "tests/golden/TileIndex.h"
#include "tests/support/OnEveryDevice.h"
#include "tests/support/RandomData.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace trowel;
using namespace trowel::golden;

namespace {

class ReduceTypes : public support::OnEveryDevice {};
TROWEL_ON_EVERY_DEVICE(ReduceTypes);

constexpr int warpCounts[] = {1, 4, 8};

//===- types ----------------------------------------------------------------------------------===//

template <class T> void expectTypes(const Device &device) {
  using S = detail::SumOf<T>;
  constexpr int count = 200;
  for (int warps : {1, 8}) {
    auto body = kernel(
        "types",
        [=](Ptr<const T> x, Ptr<S> sums, Ptr<T> bests, Ptr<int32> places) {
          Tile<T> v = load(x + iota(count));
          store(sums, sum(v));
          // Powers of two make a product that every type holds.
          Tile<S> factors = where(iota(count) % 97 == 5, cast<S>(full<int32>(count, 2)),
                                  cast<S>(full<int32>(count, 1)));
          store(sums + 1, product(factors));
          store(bests, max(v));
          store(bests + 1, min(v));
          store(places, argmax(v));
          store(places + 1, argmin(v));
        },
        Options{.warps = warps});
    int least = isUnsigned(elementType<T>) ? 0 : -5;
    std::vector<T> host = support::integers<T>(count, least, 5, 11);
    if constexpr (!isFloating(elementType<T>)) {
      host[70] = std::numeric_limits<T>::max();
      host[90] = std::numeric_limits<T>::min();
    } else {
      host[70] = T(120.0f);
      host[90] = T(-120.0f);
    }
    S sum = S();
    int largest = 0, smallest = 0;
    for (int i = 0; i < count; ++i) {
      sum = static_cast<S>(sum + static_cast<S>(host[i]));
      largest = host[i] > host[largest] ? i : largest;
      smallest = host[i] < host[smallest] ? i : smallest;
    }
    Buffer<T> x = device.upload(host);
    GuardedBuffer<S> sums(device, 2);
    GuardedBuffer<T> bests(device, 2);
    GuardedBuffer<int32> places(device, 2);
    body.launch({1}, x, sums.pointer(), bests.pointer(), places.pointer());
    const char *type = name(elementType<T>);
    EXPECT_EQ(sums.download(), (std::vector<S>{sum, S(8)})) << type;
    EXPECT_EQ(static_cast<double>(bests.download()[0]), static_cast<double>(host[largest])) << type;
    EXPECT_EQ(static_cast<double>(bests.download()[1]), static_cast<double>(host[smallest]))
        << type;
    EXPECT_EQ(places.download(), (std::vector<int32>{largest, smallest})) << type;
  }
}

TEST_P(ReduceTypes, TakesEveryType) {
  Device device = this->device();
  expectTypes<int8>(device);
  expectTypes<uint8>(device);
  expectTypes<int16>(device);
  expectTypes<uint16>(device);
  expectTypes<int32>(device);
  expectTypes<uint32>(device);
  expectTypes<f16>(device);
  expectTypes<bf16>(device);
  expectTypes<float>(device);
  expectTypes<double>(device);
}

TEST_P(ReduceTypes, Of64BitsIsExactBeyond32) {
  auto body =
      kernel("wide", [](Ptr<const int64> x, Ptr<const uint64> u, Ptr<int64> y, Ptr<uint64> z) {
        Tile<int64> v = load(x + iota(512));
        Tile<uint64> w = load(u + iota(512));
        store(y, sum(v));
        store(y + 1, min(v));
        store(y + 2, xorSum(v));
        store(z, max(w));
        store(z + 1, sum(w));
        store(z + 2, cast<uint64>(argmax(w)));
      });
  std::vector<int64> x(512);
  std::vector<uint64> u(512);
  int64 sum = 0, exclusive = 0;
  uint64 unsignedSum = 0;
  for (int i = 0; i < 512; ++i) {
    x[i] = (int64(1) << 33) * (i % 3 - 1) + i;
    u[i] = (uint64(1) << 63) + uint64(i == 300 ? 1000 : i);
    sum += x[i];
    exclusive ^= x[i];
    unsignedSum += u[i];
  }
  Buffer<int64> deviceX = device().upload(x);
  Buffer<uint64> deviceU = device().upload(u);
  GuardedBuffer<int64> y(device(), 3);
  GuardedBuffer<uint64> z(device(), 3);
  body.launch({1}, deviceX, deviceU, y.pointer(), z.pointer());
  EXPECT_EQ(y.download(), (std::vector<int64>{sum, -(int64(1) << 33), exclusive}));
  EXPECT_EQ(z.download(), (std::vector<uint64>{u[300], unsignedSum, 300}));
}

TEST_P(ReduceTypes, SumsOfNarrowTypesAreWide) {
  auto body = kernel("wider", [](Ptr<const bf16> b, Ptr<const int8> i, Ptr<const uint16> u,
                                 Ptr<float> y, Ptr<int32> z, Ptr<uint32> w) {
    store(y, sum(load(b + iota(4096))));
    store(z, sum(load(i + iota(1024))));
    store(w, sum(load(u + iota(1024))));
  });
  Buffer<bf16> b = device().upload(std::vector<bf16>(4096, bf16(1.0f)));
  Buffer<int8> i = device().upload(std::vector<int8>(1024, 1));
  Buffer<uint16> u = device().upload(std::vector<uint16>(1024, 65535));
  GuardedBuffer<float> y(device(), 1);
  GuardedBuffer<int32> z(device(), 1);
  GuardedBuffer<uint32> w(device(), 1);
  body.launch({1}, b, i, u, y.pointer(), z.pointer(), w.pointer());
  EXPECT_EQ(y.download()[0], 4096.0f);
  EXPECT_EQ(z.download()[0], 1024);
  EXPECT_EQ(w.download()[0], 1024u * 65535u);
}

TEST_P(ReduceTypes, OfUnsignedNumbersKnowsTheUpperHalf) {
  auto body = kernel("upper", [](Ptr<const uint32> x, Ptr<uint32> y) {
    Tile<uint32> v = load(x + iota(64));
    store(y, max(v));
    store(y + 1, min(v));
    store(y + 2, cast<uint32>(argmax(v)));
  });
  std::vector<uint32> host(64, 7);
  host[40] = 0x80000001u;
  host[41] = 0x80000000u;
  Buffer<uint32> x = device().upload(host);
  GuardedBuffer<uint32> y(device(), 3);
  body.launch({1}, x, y.pointer());
  EXPECT_EQ(y.download(), (std::vector<uint32>{0x80000001u, 7, 40}));
}

TEST_P(ReduceTypes, OfBoolsCountsAndDecides) {
  for (int warps : warpCounts) {
    auto body = kernel(
        "bools",
        [](Ptr<int32> y, Ptr<bool> z) {
          Tile<int32> x = iota(1024);
          Tile<bool> third = x % 3 == 0;
          store(y, sum(third));
          store(y + 1, cast<int32>(max(third)));
          store(y + 2, cast<int32>(min(third)));
          store(y + 3, cast<int32>(xorSum(third)));
          store(y + 4, argmax(third));
          store(y + 5, argmin(third));
          store(y + 6, product(third));
          store(z, any(third));
          store(z + 1, all(third));
          store(z + 2, any(x < 0));
          store(z + 3, all(x < 1024));
          store(z + 4, any(x == 777));
          store(z + 5, all(x != 777));
        },
        Options{.warps = warps});
    GuardedBuffer<int32> y(device(), 7);
    GuardedBuffer<bool> z(device(), 6);
    body.launch({1}, y.pointer(), z.pointer());
    EXPECT_EQ(y.download(), (std::vector<int32>{342, 1, 0, 0, 0, 1, 0}));
    EXPECT_EQ(z.download(), (std::vector<unsigned char>{1, 0, 0, 1, 1, 0}));
  }
}

//===- ties, NaN, zeros -----------------------------------------------------------------------===//

template <class T> void expectFoundNaN(const Device &device, int warps) {
  auto body = kernel(
      "nan",
      [](Ptr<const T> x, Ptr<T> y, Ptr<int32> z) {
        Tile<T> v = load(x + iota(300));
        store(y, max(v));
        store(y + 1, min(v));
        store(z, argmax(v));
        store(z + 1, argmin(v));
      },
      Options{.warps = warps});
  auto run = [&](const std::vector<T> &host) {
    Buffer<T> x = device.upload(host);
    GuardedBuffer<T> y(device, 2);
    GuardedBuffer<int32> z(device, 2);
    body.launch({1}, x, y.pointer(), z.pointer());
    return std::pair{y.download(), z.download()};
  };
  const auto infinity = T(std::numeric_limits<float>::infinity());
  std::vector<T> host = support::integers<T>(300, -4, 4, 3);
  host[17] = host[250] = infinity;
  host[33] = host[34] = T(-static_cast<float>(infinity));
  auto [bests, places] = run(host);
  EXPECT_EQ(static_cast<float>(bests[0]), static_cast<float>(infinity));
  EXPECT_EQ(static_cast<float>(bests[1]), -static_cast<float>(infinity));
  EXPECT_EQ(places, (std::vector<int32>{17, 33}));
  host[200] = host[260] = T(std::numeric_limits<float>::quiet_NaN());
  auto [withNaN, placesOfNaN] = run(host);
  EXPECT_TRUE(std::isnan(static_cast<float>(withNaN[0])));
  EXPECT_TRUE(std::isnan(static_cast<float>(withNaN[1])));
  EXPECT_EQ(placesOfNaN, (std::vector<int32>{200, 200}));
}

TEST_P(ReduceTypes, FindsNaNAndTheFirstOfEquals) {
  for (int warps : warpCounts) {
    expectFoundNaN<float>(device(), warps);
    expectFoundNaN<double>(device(), warps);
    expectFoundNaN<f16>(device(), warps);
    expectFoundNaN<bf16>(device(), warps);
  }
}

TEST_P(ReduceTypes, OfZerosKnowsTheirSigns) {
  auto body = kernel("zeros", [](Ptr<float> y) {
    Tile<float> v = where(iota(64) % 2 == 0, -0.0f, 0.0f);
    store(y, max(v));
    store(y + 1, min(v));
    store(y + 2, cast<float>(argmax(v)));
  });
  GuardedBuffer<float> y(device(), 3);
  body.launch({1}, y.pointer());
  std::vector<float> result = y.download();
  EXPECT_FALSE(std::signbit(result[0]));
  EXPECT_TRUE(std::signbit(result[1]));
  EXPECT_EQ(result[2], 0.0f); // −0 and 0 are equal, and the first is meant
}

//===- who takes part -------------------------------------------------------------------------===//

TEST_P(ReduceTypes, CountsEachElementOnceWhateverTheNumberOfWarps) {
  for (int warps : {1, 2, 4, 8}) {
    auto body = kernel(
        "once",
        [](Ptr<const int32> ones, Ptr<int32> y) {
          store(y, sum(iota(48) + 1));
          int at = 1;
          for (const std::vector<int> &extents :
               {std::vector{1}, {2}, {8}, {31}, {16, 1}, {1, 16}, {2, 1, 4}})
            store(y + at++, sum(load(ones + indexOf(extents))));
          store(y + at + iota(1), sum(load(ones + indexOf({16, 1})), Axis{0}));
        },
        Options{.warps = warps});
    Buffer<int32> ones = device().upload(std::vector<int32>(31, 1));
    GuardedBuffer<int32> y(device(), 9);
    body.launch({1}, ones, y.pointer());
    EXPECT_EQ(y.download(), (std::vector<int32>{1176, 1, 2, 8, 31, 16, 16, 8, 16})) << warps;
  }
}

TEST_P(ReduceTypes, OfMoreThanItsAccessesHold) {
  // What is reduced is nowhere loaded or stored as a whole.
  auto body = kernel("outer", [](Ptr<const int32> x, Ptr<int32> y) {
    Tile<int32> row = load(x + iota(256)), column = load(x + iota(128));
    store(y, sum(expand(row, Axis{0}) * expand(column, Axis{1})));
    store(y + 1, sum(iota(1 << 16)));
    store(y + 2, sum(expand(row, Axis{0}) * expand(column, Axis{1}) % 7));
  });
  std::vector<int32> host = support::integers<int32>(256, -9, 9, 5);
  int32 sum = 0, rest = 0;
  for (int i = 0; i < 128; ++i)
    for (int j = 0; j < 256; ++j) {
      sum += host[i] * host[j];
      rest += host[i] * host[j] % 7;
    }
  Buffer<int32> x = device().upload(host);
  GuardedBuffer<int32> y(device(), 3);
  body.launch({1}, x, y.pointer());
  EXPECT_EQ(y.download(), (std::vector<int32>{sum, 0x7fff8000, rest}));
}

//===- functions of the user ------------------------------------------------------------------===//

TEST_P(ReduceTypes, ComputesWithWhatItFindsOutside) {
  auto body = kernel("modulo", [](Ptr<const int32> x, Ptr<int32> y, Scalar<int32> modulus) {
    Tile<int32> v = load(x + indexOf({4, 100}));
    store(y + iota(4), reduce(v, Axis{1}, [&](auto a, auto b) { return (a * b) % modulus; }));
    Scalar<int32> total = 0;
    for (Index i : range(1, 4))
      total += reduce(v, [&](auto a, auto b) { return (a + b) % (cast<int32>(i) + 6); });
    store(y + 4, total);
  });
  std::vector<int32> host = support::integers<int32>(400, 1, 12, 8);
  Buffer<int32> x = device().upload(host);
  GuardedBuffer<int32> y(device(), 5);
  body.launch({1}, x, y.pointer(), 13);
  std::vector<int32> expected;
  for (int row = 0; row < 4; ++row) {
    int32 product = 1;
    for (int i = 0; i < 100; ++i)
      product = product * host[row * 100 + i] % 13;
    expected.push_back(product);
  }
  int32 whole = std::accumulate(host.begin(), host.end(), 0);
  expected.push_back(whole % 7 + whole % 8 + whole % 9);
  EXPECT_EQ(y.download(), expected);
}

TEST_P(ReduceTypes, TakesFunctionsWithBranchesAndLoops) {
  auto body = kernel("gcd", [](Ptr<const int32> x, Ptr<int32> y) {
    Tile<int32> v = load(x + iota(100));
    store(y, reduce(v, [](Scalar<int32> a, Scalar<int32> b) {
            for ([[maybe_unused]] Index i : range(0, 24)) {
              Scalar<int32> rest = where(b == 0, a, a % b);
              a = where(b == 0, a, b);
              b = where(b == 0, b, rest);
            }
            return a;
          }));
    store(y + 1, reduce(v, [](Scalar<int32> a, Scalar<int32> b) {
            Scalar<int32> best = a;
            if_(b > a, [&] { best = b; });
            return best;
          }));
  });
  std::vector<int32> host = support::integers<int32>(100, 1, 40, 9);
  for (int32 &value : host)
    value *= 6;
  Buffer<int32> x = device().upload(host);
  GuardedBuffer<int32> y(device(), 2);
  body.launch({1}, x, y.pointer());
  int32 divisor = 0;
  for (int32 value : host)
    divisor = std::gcd(divisor, value);
  EXPECT_EQ(y.download(),
            (std::vector<int32>{divisor, *std::max_element(host.begin(), host.end())}));
}

TEST_P(ReduceTypes, TakesTilesOfSeveralTypesAtOnce) {
  auto body = kernel("moments", [](Ptr<const f16> x, Ptr<double> y, Ptr<bool> z) {
    Tile<f16> v = load(x + iota(1000));
    auto [count, total, isNegative] =
        reduce(std::tuple{full<int64>(1000, 1), cast<double>(v), v < 0.0f}, [](auto a, auto b) {
          return std::tuple{std::get<0>(a) + std::get<0>(b), std::get<1>(a) + std::get<1>(b),
                            std::get<2>(a) | std::get<2>(b)};
        });
    store(y, cast<double>(count));
    store(y + 1, total);
    store(z, isNegative);
  });
  std::vector<f16> host = support::integers<f16>(1000, 0, 9, 10);
  host[999] = f16(-1.0f);
  double total = 0;
  for (f16 value : host)
    total += static_cast<float>(value);
  Buffer<f16> x = device().upload(host);
  GuardedBuffer<double> y(device(), 2);
  GuardedBuffer<bool> z(device(), 1);
  body.launch({1}, x, y.pointer(), z.pointer());
  EXPECT_EQ(y.download(), (std::vector<double>{1000, total}));
  EXPECT_EQ(z.download()[0], 1);
}

} // namespace
