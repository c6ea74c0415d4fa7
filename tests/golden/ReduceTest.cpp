// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions give what a plain loop gives, along every axis of tiles of every extent, however the
// elements are spread over registers, lanes and warps.
//
// Data are small integers, or numbers whose combination is exact in their type, so all comparisons
// are equalities. Products of thousands of them wrap, on the device as here.
#include "tests/golden/GuardedBuffer.h"
#include "tests/golden/TileIndex.h"
#include "tests/support/OnEveryDevice.h"
#include "tests/support/RandomData.h"

#include <algorithm>
#include <numeric>

using namespace trowel;
using namespace trowel::golden;

namespace {

class Reduce : public support::OnEveryDevice {};
TROWEL_ON_EVERY_DEVICE(Reduce);

//===- every operation, extent and axis -------------------------------------------------------===//

/// Hands each reduction of `v` to `put`: along an axis, or of all elements where none is given.
template <class Put, class... Along>
void reduceInEveryWay(const Tile<int32> &v, const Put &put, Along... axis) {
  put(sum(v, axis...));
  put(product(v, axis...));
  put(max(v, axis...));
  put(min(v, axis...));
  put(xorSum(v, axis...));
  put(cast<int32>(any(v > 2, axis...)));
  put(cast<int32>(all(v > -3, axis...)));
  put(argmax(v, axis...));
  put(argmin(v, axis...));
  put(reduce(v, axis..., [](auto a, auto b) { return a & b; }));
  // Two tiles at once, by a function that mixes them: sums of a + b·√2.
  auto [whole, root] = reduce(std::tuple{v * 2 + 1, v}, axis..., [](auto p, auto q) {
    auto [a, b] = p;
    auto [c, d] = q;
    return std::tuple{a * c + 2 * b * d, a * d + b * c};
  });
  put(whole);
  put(root);
}
constexpr int ways = 12;
constexpr const char *wayNames[ways] = {"sum", "product", "max",    "min",    "xorSum", "any",
                                        "all", "argmax",  "argmin", "reduce", "whole",  "root"};

/// The same of a line of numbers, by a plain loop.
std::vector<int32> reducedInEveryWay(const std::vector<int32> &line) {
  uint32 sum = 0, product = 1, exclusive = 0, common = ~0u, whole = 1, root = 0;
  int largest = 0, smallest = 0, count = static_cast<int>(line.size());
  bool isAny = false, areAll = true;
  for (int i = 0; i < count; ++i) {
    auto v = static_cast<uint32>(line[i]);
    sum += v;
    product *= v;
    exclusive ^= v;
    common &= v;
    isAny |= line[i] > 2;
    areAll &= line[i] > -3;
    if (line[i] > line[largest])
      largest = i;
    if (line[i] < line[smallest])
      smallest = i;
    uint32 a = v * 2 + 1, next = whole * a + 2 * root * v;
    root = whole * v + root * a;
    whole = next;
  }
  std::vector<int32> results;
  for (uint32 each :
       {sum, product, uint32(line[largest]), uint32(line[smallest]), exclusive, uint32(isAny),
        uint32(areAll), uint32(largest), uint32(smallest), common, whole, root})
    results.push_back(static_cast<int32>(each));
  return results;
}

std::string spell(const std::vector<int> &extents) {
  std::string text;
  for (int extent : extents)
    text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text;
}

/// Reduces a tile along an axis, or along all of them where it is −1.
void expectReductions(const Device &device, const std::vector<int> &extents, int axis, int warps) {
  std::vector<int> flat{elementsOf(extents)};
  Lines lines = axis < 0 ? Lines(flat, 0) : Lines(extents, axis);
  auto body = kernel(
      "ways",
      [=](Ptr<const int32> x, Ptr<int32> y) {
        Tile<int32> v = load(x + indexOf(extents));
        int way = 0;
        auto put = [&](const auto &result) {
          if constexpr (std::is_same_v<std::remove_cvref_t<decltype(result)>, Tile<int32>>)
            store(y + way++ * lines.count + indexOf(lines.others), result);
          else
            store(y + way++, result);
        };
        if (axis < 0)
          reduceInEveryWay(v, put);
        else
          reduceInEveryWay(v, put, Axis{axis});
      },
      Options{.warps = warps});
  std::vector<int32> host = support::integers<int32>(elementsOf(extents), -3, 3, 1 + axis);
  // Few are even or 0, so that products tell.
  for (int32 &value : host)
    value = value == 0 ? 5 : value;
  Buffer<int32> x = device.upload(host);
  GuardedBuffer<int32> y(device, ways * lines.count);
  body.launch({1}, x, y.pointer());
  std::vector<int32> result = y.download();
  for (int i = 0; i < lines.count; ++i) {
    std::vector<int32> line;
    for (int place = 0; place < lines.extent; ++place)
      line.push_back(host[lines.element(i, place)]);
    std::vector<int32> expected = reducedInEveryWay(line);
    for (int way = 0; way < ways; ++way)
      ASSERT_EQ(result[way * lines.count + i], expected[way])
          << wayNames[way] << " of line " << i << " along axis " << axis << " of " << spell(extents)
          << " with " << warps << " warps";
  }
}

std::vector<int> testedExtents() {
  std::vector<int> extents(17);
  std::iota(extents.begin(), extents.end(), 1);
  extents.push_back(3000);
  return extents;
}
constexpr int warpCounts[] = {1, 4, 8};

TEST_P(Reduce, OfOneAxisIsExactForEveryExtent) {
  for (int extent : testedExtents())
    for (int warps : warpCounts)
      expectReductions(device(), {extent}, -1, extent == 3000 ? std::max(warps, 4) : warps);
}

TEST_P(Reduce, OfTwoAxesIsExactForEveryExtent) {
  int next = 0;
  for (int extent : testedExtents())
    for (int axis : {0, 1, -1}) {
      int other = extent == 3000 ? 2 : 1 + (extent * 7 + axis) % 6;
      std::vector<int> extents =
          axis == 0 ? std::vector{extent, other} : std::vector{other, extent};
      expectReductions(device(), extents, axis, extent == 3000 ? 8 : warpCounts[next++ % 3]);
    }
}

TEST_P(Reduce, OfThreeAxesIsExactForEveryExtent) {
  int next = 0;
  for (int extent : testedExtents())
    for (int axis : {0, 1, 2}) {
      std::vector<int> extents = extent == 3000 ? std::vector{1, 2, 1} : std::vector{2, 3, 2};
      extents[axis] = extent;
      expectReductions(device(), extents, axis, extent == 3000 ? 8 : warpCounts[next++ % 3]);
    }
  expectReductions(device(), {5, 3, 7}, -1, 4);
}

TEST_P(Reduce, OfFourAxesIsExact) {
  for (int axis : {0, 1, 2, 3, -1})
    expectReductions(device(), {3, 4, 2, 9}, axis, 4);
}

TEST_P(Reduce, IsExactForEveryNumberOfWarps) {
  for (int warps : {1, 2, 4, 8, 16, 32}) {
    expectReductions(device(), {1024}, -1, warps);
    expectReductions(device(), {48, 40}, 0, warps);
    expectReductions(device(), {48, 40}, 1, warps);
  }
}

TEST_P(Reduce, CountsFromTheEnd) {
  auto body =
      kernel("last", [](Ptr<int32> y) { store(y + iota(3), sum(indexOf({3, 4}), Axis{-1})); });
  GuardedBuffer<int32> y(device(), 3);
  body.launch({1}, y.pointer());
  EXPECT_EQ(y.download(), (std::vector<int32>{6, 22, 38}));
}

} // namespace
