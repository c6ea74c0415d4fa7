// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scans give what a plain loop gives, in both directions, along every axis of tiles of every
// extent, also by functions that do not commute.
//
// Data are small integers, so all comparisons are equalities.
#include "tests/golden/GuardedBuffer.h"
#include "tests/golden/TileIndex.h"
#include "tests/support/OnEveryDevice.h"
#include "tests/support/RandomData.h"

#include <algorithm>
#include <limits>
#include <numeric>

using namespace trowel;
using namespace trowel::golden;

namespace {

class Scan : public support::OnEveryDevice {};
TROWEL_ON_EVERY_DEVICE(Scan);

constexpr int warpCounts[] = {1, 4, 8};

/// The places of a line in the order in which a scan meets them.
std::vector<int> orderOf(int extent, Direction direction) {
  std::vector<int> places(extent);
  std::iota(places.begin(), places.end(), 0);
  if (direction == Direction::reverse)
    std::reverse(places.begin(), places.end());
  return places;
}

constexpr Direction directions[] = {Direction::forward, Direction::reverse};
const char *spell(Direction direction) {
  return direction == Direction::forward ? "forward" : "reverse";
}

/// The affine function x → a·x + b; composition does not commute.
struct Pair {
  uint32 a, b;
};
Pair compose(Pair p, Pair q) { return {p.a * q.a, q.a * p.b + q.b}; }
constexpr auto composePairs = [](auto p, auto q) {
  auto [a1, b1] = p;
  auto [a2, b2] = q;
  return std::tuple{a1 * a2, a2 * b1 + b2};
};

/// Running sums, products, maxima and compositions along an axis, both ways.
void expectScans(const Device &device, const std::vector<int> &extents, int axis, int warps) {
  constexpr int ways = 5;
  int count = elementsOf(extents);
  auto body = kernel(
      "scans",
      [=](Ptr<const int32> a, Ptr<const int32> b, Ptr<int32> y) {
        Tile<int32> index = indexOf(extents), u = load(a + index), v = load(b + index);
        int at = 0;
        auto put = [&](const Tile<int32> &result) { store(y + at++ * count + index, result); };
        for (Direction direction : directions) {
          put(cumsum(v, Axis{axis}, direction));
          put(cumprod(v * 2 + 1, Axis{axis}, direction));
          put(scan(v, Axis{axis}, [](auto x, auto y) { return max(x, y); }, direction));
          auto [factor, sum] = scan(std::tuple{u, v}, Axis{axis}, composePairs, direction);
          put(factor);
          put(sum);
        }
      },
      Options{.warps = warps});
  std::vector<int32> a = support::integers<int32>(count, 0, 1, 1 + axis),
                     b = support::integers<int32>(count, -3, 3, 7 + axis);
  for (int32 &factor : a)
    factor = factor == 0 ? -1 : 1;
  Buffer<int32> deviceA = device.upload(a), deviceB = device.upload(b);
  GuardedBuffer<int32> y(device, 2 * ways * count);
  body.launch({1}, deviceA, deviceB, y.pointer());
  std::vector<int32> result = y.download();
  Lines lines(extents, axis);
  for (int way = 0; way < 2; ++way)
    for (int line = 0; line < lines.count; ++line) {
      uint32 sum = 0, product = 1;
      int32 largest = -4;
      Pair pair{1, 0};
      for (int place : orderOf(lines.extent, directions[way])) {
        int at = lines.element(line, place);
        auto v = static_cast<uint32>(b[at]);
        sum += v;
        product *= v * 2 + 1;
        largest = std::max(largest, b[at]);
        pair = compose(pair, {static_cast<uint32>(a[at]), v});
        const uint32 expected[ways] = {sum, product, uint32(largest), pair.a, pair.b};
        for (int each = 0; each < ways; ++each)
          ASSERT_EQ(result[(way * ways + each) * count + at], static_cast<int32>(expected[each]))
              << "result " << each << " at " << place << " of line " << line << " along axis "
              << axis << " of rank " << extents.size() << ", extent " << lines.extent << ", "
              << spell(directions[way]) << ", " << warps << " warps";
      }
    }
}

std::vector<int> testedExtents() {
  std::vector<int> extents(17);
  std::iota(extents.begin(), extents.end(), 1);
  extents.push_back(3000);
  return extents;
}

TEST_P(Scan, OfOneAxisIsExactForEveryExtent) {
  for (int extent : testedExtents())
    for (int warps : warpCounts)
      expectScans(device(), {extent}, 0, extent == 3000 ? std::max(warps, 4) : warps);
}

TEST_P(Scan, OfTwoAxesIsExactForEveryExtent) {
  int next = 0;
  for (int extent : testedExtents())
    for (int axis : {0, 1}) {
      int other = extent == 3000 ? 2 : 1 + (extent * 7 + axis) % 6;
      std::vector<int> extents =
          axis == 0 ? std::vector{extent, other} : std::vector{other, extent};
      expectScans(device(), extents, axis, extent == 3000 ? 8 : warpCounts[next++ % 3]);
    }
}

TEST_P(Scan, OfThreeAxesIsExactForEveryExtent) {
  int next = 0;
  for (int extent : testedExtents())
    for (int axis : {0, 1, 2}) {
      std::vector<int> extents = extent == 3000 ? std::vector{1, 2, 1} : std::vector{2, 3, 2};
      extents[axis] = extent;
      expectScans(device(), extents, axis, extent == 3000 ? 8 : warpCounts[next++ % 3]);
    }
}

TEST_P(Scan, IsExactForEveryNumberOfWarps) {
  for (int warps : {1, 2, 4, 8, 16, 32}) {
    for (int extent : {64, 256, 1024})
      expectScans(device(), {extent}, 0, warps);
    if (warps > 8)
      continue;
    expectScans(device(), {32, 64}, 0, warps);
    expectScans(device(), {32, 64}, 1, warps);
    expectScans(device(), {100, 24}, 0, warps);
    expectScans(device(), {24, 100}, 1, warps);
  }
}

TEST_P(Scan, KeepsTheOrderOfItsTwoElements) {
  // The first of all, and each itself: whoever exchanges the two elements gives the other.
  for (const std::vector<int> &extents : {std::vector{64}, {96}, {1024}, {1000}, {32, 64}, {7, 50}})
    for (int axis = 0; axis < static_cast<int>(extents.size()); ++axis)
      for (int warps : warpCounts) {
        int count = elementsOf(extents);
        auto body = kernel(
            "order",
            [=](Ptr<const int32> x, Ptr<int32> y) {
              Tile<int32> index = indexOf(extents), v = load(x + index);
              int at = 0;
              for (Direction direction : directions) {
                auto left = [](auto a, auto) { return a; };
                auto right = [](auto, auto b) { return b; };
                store(y + at++ * count + index, scan(v, Axis{axis}, left, direction));
                store(y + at++ * count + index, scan(v, Axis{axis}, right, direction));
              }
            },
            Options{.warps = warps});
        std::vector<int32> host = support::integers<int32>(count, -100000, 100000, 2);
        Buffer<int32> x = device().upload(host);
        GuardedBuffer<int32> y(device(), 4 * count);
        body.launch({1}, x, y.pointer());
        std::vector<int32> result = y.download();
        Lines lines(extents, axis);
        for (int line = 0; line < lines.count; ++line)
          for (int place = 0; place < lines.extent; ++place) {
            int at = lines.element(line, place);
            ASSERT_EQ(result[at], host[lines.element(line, 0)]) << at;
            ASSERT_EQ(result[count + at], host[at]) << at;
            ASSERT_EQ(result[2 * count + at], host[lines.element(line, lines.extent - 1)]) << at;
            ASSERT_EQ(result[3 * count + at], host[at]) << at;
          }
      }
}

TEST_P(Scan, CarriesTheLatestAlong) {
  auto body = kernel("latest", [](Ptr<const float> x, Ptr<float> y) {
    Tile<float> v = load(x + iota(200));
    store(y + iota(200), scan(v, Axis{0}, [](auto a, auto b) { return where(b == b, b, a); }));
  });
  std::vector<float> host(200, std::numeric_limits<float>::quiet_NaN()), expected(200);
  for (int i = 0; i < 200; i += 1 + i % 37)
    host[i] = static_cast<float>(i);
  for (int i = 0; i < 200; ++i)
    expected[i] = host[i] == host[i] ? host[i] : expected[i - 1];
  Buffer<float> x = device().upload(host);
  GuardedBuffer<float> y(device(), 200);
  body.launch({1}, x, y.pointer());
  EXPECT_EQ(y.download(), expected);
}

TEST_P(Scan, CountsEachElementOnceWhateverTheNumberOfWarps) {
  std::vector<int32> expected(96);
  std::iota(expected.begin(), expected.end(), 1);
  for (int warps : {1, 2, 4, 8, 16}) {
    auto body = kernel(
        "ones", [](Ptr<int32> y) { store(y + iota(96), cumsum(full<int32>(96, 1), Axis{0})); },
        Options{.warps = warps});
    GuardedBuffer<int32> y(device(), 96);
    body.launch({1}, y.pointer());
    EXPECT_EQ(y.download(), expected) << warps;
  }
}

TEST_P(Scan, OfBoolsCounts) {
  for (int warps : warpCounts) {
    auto body = kernel(
        "bools",
        [](Ptr<int32> y) {
          Tile<int32> x = iota(1024);
          store(y + x, cumsum(x % 3 == 0, Axis{0}));
        },
        Options{.warps = warps});
    GuardedBuffer<int32> y(device(), 1024);
    body.launch({1}, y.pointer());
    std::vector<int32> result = y.download();
    for (int i = 0; i < 1024; ++i)
      ASSERT_EQ(result[i], i / 3 + 1) << warps;
  }
}

template <class T> void expectTypes(const Device &device) {
  using S = detail::SumOf<T>;
  constexpr int count = 150;
  auto body = kernel(
      "types",
      [=](Ptr<const T> x, Ptr<S> y, Ptr<T> z) {
        Tile<int32> i = iota(count);
        Tile<T> v = load(x + i);
        store(y + i, cumsum(v, Axis{0}));
        store(y + count + i, cumsum(v, Axis{0}, Direction::reverse));
        store(z + i, scan(v, Axis{0}, [](auto a, auto b) { return min(a, b); }));
      },
      Options{.warps = 4});
  std::vector<T> host = support::integers<T>(count, isUnsigned(elementType<T>) ? 0 : -5, 9, 4);
  Buffer<T> x = device.upload(host);
  GuardedBuffer<S> y(device, 2 * count);
  GuardedBuffer<T> z(device, count);
  body.launch({1}, x, y.pointer(), z.pointer());
  std::vector<S> sums = y.download(), expected(2 * count);
  std::vector<T> least = z.download();
  S forward = S(), reverse = S();
  for (int i = 0; i < count; ++i) {
    expected[i] = forward = static_cast<S>(forward + static_cast<S>(host[i]));
    int last = count - 1 - i;
    expected[count + last] = reverse = static_cast<S>(reverse + static_cast<S>(host[last]));
    EXPECT_EQ(static_cast<double>(least[i]),
              static_cast<double>(*std::min_element(host.begin(), host.begin() + i + 1)))
        << i << " of " << name(elementType<T>);
  }
  EXPECT_EQ(sums, expected) << name(elementType<T>);
}

TEST_P(Scan, TakesEveryType) {
  Device device = this->device();
  expectTypes<int8>(device);
  expectTypes<uint8>(device);
  expectTypes<int16>(device);
  expectTypes<uint16>(device);
  expectTypes<int32>(device);
  expectTypes<uint32>(device);
  expectTypes<int64>(device);
  expectTypes<uint64>(device);
  expectTypes<f16>(device);
  expectTypes<bf16>(device);
  expectTypes<float>(device);
  expectTypes<double>(device);
}

} // namespace
