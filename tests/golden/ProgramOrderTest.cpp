// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The accesses of one program happen in the order in which they are written, although its threads
// do not run in step: a load before a store reads what was there, a load after it what was stored.
// Each kernel is one program of several warps that meet in memory; without a barrier some warp
// comes too early or too late. Run under many orders of warps, since a race may be won by luck.
#include "tests/support/OnEveryDevice.h"
#include "tests/support/WarpOrders.h"

#include <trowel/trowel.h>

#include <numeric>

using namespace trowel;

namespace {

class ProgramOrder : public support::OnEveryDevice {};
TROWEL_ON_EVERY_DEVICE(ProgramOrder);

constexpr int count = 1024;
constexpr int orders = 100;

std::vector<int32> counting() {
  std::vector<int32> values(count);
  std::iota(values.begin(), values.end(), 0);
  return values;
}

TEST_P(ProgramOrder, ReversesInPlace) {
  auto body = kernel("reverse", [](Ptr<int32> x) {
    Tile<int32> i = iota(count);
    Tile<int32> v = load(x + i);
    store(x + (count - 1 - i), v);
  });
  support::underWarpOrders(device(), orders, [&] {
    Buffer<int32> x = device().upload(counting());
    body.launch({1}, x);
    std::vector<int32> result = x.download();
    for (int i = 0; i < count; ++i)
      ASSERT_EQ(result[i], count - 1 - i);
  });
}

TEST_P(ProgramOrder, LoadsWhatItStored) {
  auto body = kernel("rotate", [](Ptr<int32> scratch, Ptr<int32> y) {
    Tile<int32> i = iota(count);
    store(scratch + i, i * 3);
    store(y + i, load(scratch + (i + 300) % count));
  });
  support::underWarpOrders(device(), orders, [&] {
    Buffer<int32> scratch = device().allocate<int32>(count), y = device().allocate<int32>(count);
    scratch.fillBytes(0xff);
    body.launch({1}, scratch, y);
    std::vector<int32> result = y.download();
    for (int i = 0; i < count; ++i)
      ASSERT_EQ(result[i], (i + 300) % count * 3);
  });
}

TEST_P(ProgramOrder, ReadsAScalarBeforeOverwritingIt) {
  auto body = kernel("bump", [](Ptr<int32> x, Ptr<int32> y) {
    Scalar<int32> old = load(x);
    store(x, old + 1);
    store(y + iota(count), iota(count) * 0 + old);
  });
  support::underWarpOrders(device(), orders, [&] {
    Buffer<int32> x = device().upload({41}), y = device().allocate<int32>(count);
    y.fillBytes(0xff);
    body.launch({1}, x, y);
    EXPECT_EQ(x.download()[0], 42);
    for (int32 value : y.download())
      ASSERT_EQ(value, 41);
  });
}

TEST_P(ProgramOrder, LanesThatShareAnAddressReadBeforeOneStores) {
  auto body = kernel("shared", [](Ptr<int32> x, Ptr<int32> y) {
    Tile<int32> i = iota(1024);
    Tile<Ptr<int32>> pairs = x + i % 512;
    Tile<int32> v = load(pairs);
    store(pairs, v + 1);
    store(y + i, v);
  });
  Buffer<int32> x = device().upload(std::vector<int32>(512, 5));
  Buffer<int32> y = device().allocate<int32>(1024);
  body.launch({1}, x, y);
  EXPECT_EQ(y.download(), std::vector<int32>(1024, 5));
  EXPECT_EQ(x.download(), std::vector<int32>(512, 6));
}

TEST_P(ProgramOrder, LaterStoreWinsWhereLanesShareAnAddress) {
  auto body = kernel("twice", [](Ptr<int32> x) {
    Tile<Ptr<int32>> pairs = x + iota(1024) % 512;
    store(pairs, 1);
    store(pairs, 2);
  });
  Buffer<int32> x = device().allocate<int32>(512);
  body.launch({1}, x);
  EXPECT_EQ(x.download(), std::vector<int32>(512, 2));
}

} // namespace
