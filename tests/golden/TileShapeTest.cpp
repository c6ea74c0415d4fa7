// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles of one to four axes: broadcasting, addresses along any axis, and who stores what.
#include "tests/golden/GuardedBuffer.h"
#include "tests/golden/TileIndex.h"
#include "tests/support/OnEveryDevice.h"
#include "tests/support/RandomData.h"

using namespace trowel;
using namespace trowel::golden;

namespace {

class TileShape : public support::OnEveryDevice {};
TROWEL_ON_EVERY_DEVICE(TileShape);

TEST_P(TileShape, ElementsOfEveryRankGoWhereTheirIndexSays) {
  Device device = this->device();
  for (const std::vector<int> &extents : {std::vector<int>{64},
                                          {4, 32},
                                          {2, 8, 16},
                                          {16, 2, 4},
                                          {4, 4, 4, 8},
                                          {2, 1, 32, 2},
                                          {8, 8, 1, 1},
                                          {1, 1, 1, 1},
                                          {32, 4, 8, 4}}) {
    auto check = [&]<class T>(T) {
      int count = elementsOf(extents);
      std::vector<T> host = support::integers<T>(count, 0, 100, 1);
      auto body = kernel("ranks", [=](Ptr<const T> x, Ptr<T> y) {
        Tile<int32> index = indexOf(extents);
        store(y + index, load(x + index) + cast<T>(index % 7));
      });
      Buffer<T> x = device.upload(host);
      GuardedBuffer<T> y(device, count);
      body.launch({1}, x, y.pointer());
      std::vector<T> result = y.download();
      for (int i = 0; i < count; ++i)
        ASSERT_EQ(static_cast<double>(result[i]), static_cast<double>(host[i]) + i % 7)
            << "element " << i << " of " << extents.size() << " axes of " << name(elementType<T>);
    };
    check(uint8{});
    check(f16());
    check(float{});
    check(double{});
  }
}

TEST_P(TileShape, AxesPermuteThroughAddresses) {
  // y[d][b][a][c] = x[a][b][c][d]
  const int a = 4, b = 2, c = 8, d = 16;
  auto body = kernel("permute", [=](Ptr<const int16> x, Ptr<int16> y) {
    Tile<int32> i = along(0, 4, a), j = along(1, 4, b), k = along(2, 4, c), l = along(3, 4, d);
    store(y + ((l * b + j) * a + i) * c + k, load(x + ((i * b + j) * c + k) * d + l));
  });
  Device device = this->device();
  std::vector<int16> host = support::integers<int16>(a * b * c * d, -30000, 30000, 2);
  Buffer<int16> x = device.upload(host);
  GuardedBuffer<int16> y(device, host.size());
  body.launch({1}, x, y.pointer());
  std::vector<int16> result = y.download();
  for (int i = 0; i < a; ++i)
    for (int j = 0; j < b; ++j)
      for (int k = 0; k < c; ++k)
        for (int l = 0; l < d; ++l)
          ASSERT_EQ(result[((l * b + j) * a + i) * c + k], host[((i * b + j) * c + k) * d + l]);
}

TEST_P(TileShape, MaskOfFourAxesKeepsEachTailIn) {
  const std::int64_t extents[] = {3, 2, 5, 11};
  auto body = kernel("tails", [=](Ptr<const uint8> x, Ptr<uint8> y, Index b, Index c, Index d) {
    Tile<int32> i = along(0, 4, 4), j = along(1, 4, 2), k = along(2, 4, 8), l = along(3, 4, 16);
    Tile<bool> inside = i < 3 && j < b && k < c && l < d;
    Tile<int64> index = ((i * b + j) * c + k) * d + l;
    store(y + index, load(x + index, inside, 9) ^ 0xff, inside);
  });
  Device device = this->device();
  std::vector<uint8> host = support::integers<uint8>(3 * 2 * 5 * 11, 0, 255, 3);
  Buffer<uint8> x = device.upload(host);
  GuardedBuffer<uint8> y(device, host.size());
  body.launch({1}, x, y.pointer(), extents[1], extents[2], extents[3]);
  std::vector<uint8> result = y.download();
  for (std::size_t i = 0; i < host.size(); ++i)
    ASSERT_EQ(result[i], host[i] ^ 0xff) << "element " << i;
}

TEST_P(TileShape, SmallTilesAreStoredOnce) {
  // Fewer elements than threads: every program adds to what it loads, which shows a second store.
  Device device = this->device();
  for (const std::vector<int> &extents : {std::vector<int>{1},
                                          {2},
                                          {8},
                                          {31},
                                          {16, 1},
                                          {1, 16},
                                          {2, 1, 4},
                                          {1, 1, 1, 1},
                                          {2, 2, 2, 2}}) {
    for (int warps : {1, 4, 8}) {
      int count = elementsOf(extents);
      auto body = kernel(
          "once",
          [=](Ptr<int32> y) {
            Ptr<int32> own = y + programId(0) * count;
            Tile<int32> index = indexOf(extents);
            store(own + index, load(own + index) + index + 1);
          },
          Options{.warps = warps});
      Buffer<int32> start = device.upload(std::vector<int32>(3 * count, 100));
      body.launch({3}, start);
      std::vector<int32> result = start.download();
      for (int i = 0; i < 3 * count; ++i)
        ASSERT_EQ(result[i], 101 + i % count) << count << " elements, " << warps << " warps";
    }
  }
}

TEST_P(TileShape, AScalarIsATileOfNoAxes) {
  auto body = kernel("scalars", [=](Ptr<const f16> x, Ptr<double> y, Scalar<uint8> shift) {
    Scalar<f16> v = load(x);
    store(y, cast<double>(v) * cast<double>(1 << shift));
    store(y + 1 + zeros<int32>({1, 1, 1}), cast<double>(full<f16>({1, 1, 1}, v)));
  });
  Device device = this->device();
  Buffer<f16> x = device.upload(std::vector<f16>{f16(1.5f)});
  GuardedBuffer<double> y(device, 2);
  body.launch({1}, x, y.pointer(), uint8{3});
  EXPECT_EQ(y.download(), (std::vector<double>{12, 1.5}));
}

/// out[i] = in[index[i]], the index loaded as it is.
template <class Index_>
void expectGather(const Device &device, const std::vector<Index_> &index, std::int64_t middle) {
  const int count = static_cast<int>(index.size());
  std::vector<int32> host(1 << 16);
  for (std::size_t i = 0; i < host.size(); ++i)
    host[i] = static_cast<int32>(i);
  auto body = kernel("gather", [=](Ptr<const int32> x, Ptr<const Index_> at, Ptr<int32> y) {
    Tile<int32> i = iota(count);
    Tile<Index_> offset = load(at + i);
    store(y + i, load(x + middle + offset));
    store(y + count + i, load(x + middle - offset, offset < 100, -1));
  });
  Buffer<int32> x = device.upload(host);
  Buffer<Index_> at = device.upload(index);
  GuardedBuffer<int32> y(device, 2 * index.size());
  body.launch({1}, x, at, y.pointer());
  std::vector<int32> result = y.download();
  for (int i = 0; i < count; ++i) {
    auto offset = static_cast<std::int64_t>(index[i]);
    ASSERT_EQ(result[i], middle + offset) << name(elementType<Index_>);
    ASSERT_EQ(result[count + i], offset < 100 ? middle - offset : -1) << name(elementType<Index_>);
  }
}

TEST_P(TileShape, NarrowOffsetsAreExtendedByTheirKind) {
  std::vector<uint8> bytes(256);
  std::vector<uint16> words(256);
  std::vector<int8> negativeBytes(256);
  std::vector<int16> negativeWords(256);
  std::vector<uint32> naturals(256);
  for (int i = 0; i < 256; ++i) {
    bytes[i] = static_cast<uint8>(255 - i);
    words[i] = static_cast<uint16>(65535 - 100 - i);
    negativeBytes[i] = static_cast<int8>(i - 128);
    negativeWords[i] = static_cast<int16>(-16 * i);
    naturals[i] = static_cast<uint32>(17 * i);
  }
  expectGather(device(), bytes, 100);
  expectGather(device(), words, 100);
  expectGather(device(), negativeBytes, 30000);
  expectGather(device(), negativeWords, 30000);
  expectGather(device(), naturals, 100);
}

TEST_P(TileShape, ScalarOffsetsAreExtendedByTheirKind) {
  auto body = kernel("offsets", [=](Ptr<const int32> x, Ptr<int32> y, Scalar<uint8> up,
                                    Scalar<int8> down, Scalar<uint32> far) {
    store(y, load(x + up));
    store(y + 1, load(x + 200 + down));
    store(y + 2, load(x + far - 4294967295u));
    Index n = up;
    store(y + 3, cast<int32>(n));
  });
  Device device = this->device();
  std::vector<int32> host(256);
  for (int i = 0; i < 256; ++i)
    host[i] = i;
  Buffer<int32> x = device.upload(host);
  GuardedBuffer<int32> y(device, 4);
  body.launch({1}, x, y.pointer(), uint8{255}, int8{-100}, uint32{4294967295u});
  EXPECT_EQ(y.download(), (std::vector<int32>{255, 100, 0, 255}));
}

} // namespace
