// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles of any extent. Layouts map powers of two; the elements beyond the extent that the author
// wrote must neither be read nor written, whatever the element's size, the axis and the number of
// warps. So buffers are exactly as long as the tile, between guards, and sources are read without a
// mask.
#include "tests/golden/GuardedBuffer.h"
#include "tests/support/OnEveryDevice.h"

#include <trowel/trowel.h>

using namespace trowel;
using namespace trowel::golden;

namespace {

class Extents : public support::OnEveryDevice {};
TROWEL_ON_EVERY_DEVICE(Extents);

template <class T> std::vector<T> counting(std::int64_t count) {
  std::vector<T> values;
  for (std::int64_t i = 0; i < count; ++i)
    values.push_back(T(static_cast<float>(i % 251)));
  return values;
}

template <class T> void expectTwiceAndOne(const Device &device, int extent, Options options = {}) {
  auto body = kernel(
      "line",
      [=](Ptr<const T> x, Ptr<T> y) {
        Tile<int32> i = iota(extent);
        store(y + i, cast<T>(cast<float>(load(x + i)) * 2.0f + 1.0f));
      },
      options);
  std::vector<T> host = counting<T>(extent);
  Buffer<T> x = device.upload(host);
  GuardedBuffer<T> y(device, extent);
  body.launch({1}, x, y.pointer());
  std::vector<T> result = y.download();
  for (int i = 0; i < extent; ++i)
    ASSERT_EQ(static_cast<float>(result[i]),
              static_cast<float>(T(static_cast<float>(host[i]) * 2.0f + 1.0f)))
        << "element " << i << " of " << extent;
}

TEST_P(Extents, OfOneAxisAreAllExact) {
  for (int extent = 1; extent <= 17; ++extent) {
    expectTwiceAndOne<float>(device(), extent);
    expectTwiceAndOne<bf16>(device(), extent);
    expectTwiceAndOne<float>(device(), extent, {.warps = 4});
  }
  for (int extent : {33, 96, 1000, 3000, 3001, 5003}) {
    expectTwiceAndOne<float>(device(), extent);
    expectTwiceAndOne<bf16>(device(), extent);
  }
}

TEST_P(Extents, OfTwoAxesAreAllExact) {
  for (int rows = 1; rows <= 9; rows += 2)
    for (int columns = 1; columns <= 17; columns += rows > 3 ? 4 : 1) {
      auto body = kernel("plane", [=](Ptr<const float> row, Ptr<const float> column, Ptr<float> y) {
        Tile<int32> r = expand(iota(rows), Axis{1}), c = expand(iota(columns), Axis{0});
        store(y + r * columns + c, load(row + r) * 100.0f + load(column + c));
      });
      std::vector<float> a = counting<float>(rows), b = counting<float>(columns);
      Buffer<float> row = device().upload(a), column = device().upload(b);
      GuardedBuffer<float> y(device(), rows * columns);
      body.launch({1}, row, column, y.pointer());
      std::vector<float> result = y.download();
      for (int i = 0; i < rows * columns; ++i)
        ASSERT_EQ(result[i], a[i / columns] * 100.0f + b[i % columns])
            << "element " << i << " of " << rows << "x" << columns;
    }
}

TEST_P(Extents, MasksAndPaddingJoin) {
  for (int extent : {5, 12, 24, 100, 3000}) {
    auto body = kernel("masked", [=](Ptr<const float> x, Ptr<float> y, Index n) {
      Tile<int32> i = iota(extent);
      Tile<float> v = load(x + i, i < n, 7.0f);
      store(y + i, v);
    });
    for (int n : {0, 1, 4, extent - 1, extent, extent + 9}) {
      int readable = std::min(n, extent);
      Buffer<float> x = device().upload(std::vector<float>(std::max(readable, 1), 2.0f));
      GuardedBuffer<float> y(device(), extent);
      body.launch({1}, x, y.pointer(), n);
      std::vector<float> result = y.download();
      for (int i = 0; i < extent; ++i)
        ASSERT_EQ(result[i], i < n ? 2.0f : 7.0f) << "element " << i << " of " << extent;
    }
  }
}

TEST_P(Extents, MasksThatNeverHoldLeaveThePaddingAlone) {
  // Known to be false everywhere, a mask is the same for elements and for padding.
  for (int extent : {3, 6, 12}) {
    auto body = kernel("never", [=](Ptr<const bf16> x, Ptr<bf16> y) {
      Tile<int32> i = iota(extent);
      store(y + i, load(x + i, i == 90, 7));
    });
    Buffer<bf16> x = device().upload(std::vector<bf16>(extent, bf16(2.0f)));
    GuardedBuffer<bf16> y(device(), extent);
    body.launch({1}, x, y.pointer());
    for (bf16 value : y.download())
      ASSERT_EQ(static_cast<float>(value), 7.0f) << "of " << extent;
  }
}

} // namespace
