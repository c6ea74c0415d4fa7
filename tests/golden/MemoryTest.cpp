// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores: masks, fills, tiles of two axes, and addresses that no pattern describes.
//
// The pointers of masked lanes are made to lie far outside any buffer, so that an access which the
// mask should have prevented is a fault on both devices and not luck.
#include "tests/golden/GuardedBuffer.h"
#include "tests/support/OnEveryDevice.h"
#include "tests/support/RandomData.h"

#include <trowel/trowel.h>

#include <cmath>
#include <limits>
#include <numeric>

using namespace trowel;
using namespace trowel::golden;

namespace {

class Memory : public support::OnEveryDevice {};
TROWEL_ON_EVERY_DEVICE(Memory);

/// Far beyond any allocation of a test: 2^40 elements.
constexpr std::int64_t nowhere = std::int64_t{1} << 40;

template <class T, class Fill>
void expectFill(const Device &device, Fill fill, const std::vector<T> &expectedTail) {
  auto body = kernel("fill", [=](Ptr<const T> x, Ptr<T> y) {
    Tile<int32> i = iota(8);
    Tile<bool> inside = i < 5;
    Tile<int64> place = where(inside, cast<int64>(i), nowhere);
    if constexpr (std::is_same_v<Fill, std::nullptr_t>)
      store(y + i, load(x + place, inside));
    else
      store(y + i, load(x + place, inside, fill));
  });
  std::vector<T> host = {T(1), T(2), T(3), T(4), T(5)};
  Buffer<T> x = device.upload(host);
  GuardedBuffer<T> y(device, 8);
  body.launch({1}, x, y.pointer());
  std::vector<T> result = y.download();
  host.insert(host.end(), expectedTail.begin(), expectedTail.end());
  for (std::size_t i = 0; i < 8; ++i)
    EXPECT_TRUE(
        static_cast<double>(result[i]) == static_cast<double>(host[i]) ||
        (std::isnan(static_cast<float>(result[i])) && std::isnan(static_cast<float>(host[i]))))
        << "element " << i << " is " << static_cast<double>(result[i]);
}

template <class T> void expectFills(const Device &device) {
  expectFill<T>(device, nullptr, {T(0), T(0), T(0)});
  expectFill<T>(device, 0, {T(0), T(0), T(0)});
  expectFill<T>(device, 1, {T(1), T(1), T(1)});
  expectFill<T>(device, 7, {T(7), T(7), T(7)});
}

TEST_P(Memory, OffsetsOfTruncatedSumsWrapBeforeTheyAreExtended) {
  // 128 - 1 is 127 in 8 bits, and so is the sum of 128, which is -128 there, and -1; but not of
  // these two as offsets. The sums fit 16 bits.
  auto body = kernel("truncated", [](Ptr<int32> y) {
    Tile<uint16> row = cast<uint16>(expand(expand(iota(6), Axis{1}), Axis{2}));
    Tile<uint16> sum = row * 128 - (row + cast<uint16>(iota(3))) + full<uint16>({2, 3}, 0);
    Tile<int8> place = cast<int8>(sum);
    store(y + place, 7, place >= 0);
  });
  GuardedBuffer<int32> y(device(), 128);
  body.launch({1}, y.pointer());
  std::vector<bool> isStored(128);
  for (int row = 0; row < 6; ++row)
    for (int column = 0; column < 3; ++column)
      if (auto place = static_cast<int8>(row * 128 - (row + column)); place >= 0)
        isStored[static_cast<std::size_t>(place)] = true;
  std::vector<int32> result = y.download();
  for (std::size_t i = 0; i < isStored.size(); ++i)
    EXPECT_TRUE(isStored[i] ? result[i] == 7 : GuardedBuffer<int32>::isPoison(result[i]))
        << "element " << i << " is " << result[i];
}

TEST_P(Memory, MaskedLanesGetTheFillAndTouchNothing) {
  expectFills<int8>(device());
  expectFills<uint8>(device());
  expectFills<int16>(device());
  expectFills<uint16>(device());
  expectFills<int32>(device());
  expectFills<uint32>(device());
  expectFills<int64>(device());
  expectFills<uint64>(device());
  expectFills<f16>(device());
  expectFills<bf16>(device());
  expectFills<float>(device());
  expectFills<double>(device());
}

TEST_P(Memory, FillsOfUnsignedTypesReachTheirLargestNumber) {
  expectFill<uint8>(device(), 255, {255, 255, 255});
  expectFill<uint64>(device(), ~uint64{0}, {~uint64{0}, ~uint64{0}, ~uint64{0}});
}

TEST_P(Memory, MasksOfBoolsFillWithABool) {
  for (bool fill : {false, true}) {
    auto body = kernel("bools", [=](Ptr<const bool> x, Ptr<bool> y) {
      Tile<int32> i = iota(8);
      Tile<bool> inside = i < 5;
      store(y + i, load(x + where(inside, cast<int64>(i), nowhere), inside, fill));
    });
    Device device = this->device();
    Buffer<bool> x = device.upload(std::vector<bool>{true, false, true, true, false});
    GuardedBuffer<bool> y(device, 8);
    body.launch({1}, x, y.pointer());
    unsigned char tail = fill;
    EXPECT_EQ(y.download(), (std::vector<unsigned char>{1, 0, 1, 1, 0, tail, tail, tail}));
  }
}

TEST_P(Memory, FillsMayBeInfiniteOrNaN) {
  const float infinity = std::numeric_limits<float>::infinity();
  auto check = [&]<class T>(T) {
    expectFill<T>(device(), -infinity, std::vector<T>(3, T(-infinity)));
    expectFill<T>(device(), NAN, std::vector<T>(3, T(NAN)));
  };
  check(f16());
  check(bf16());
  check(float{});
  check(double{});
}

TEST_P(Memory, MaskedStoreLeavesTheRestAlone) {
  auto body = kernel("some", [=](Ptr<int32> y) {
    Tile<int32> i = iota(64);
    Tile<bool> inside = i % 3 == 0;
    store(y + where(inside, cast<int64>(i), nowhere), i, inside);
  });
  GuardedBuffer<int32> y(device(), 64);
  body.launch({1}, y.pointer());
  std::vector<int32> result = y.download();
  for (int i = 0; i < 64; ++i) {
    if (i % 3 == 0)
      EXPECT_EQ(result[i], i);
    else
      EXPECT_TRUE(GuardedBuffer<int32>::isPoison(result[i])) << i;
  }
}

TEST_P(Memory, MaskedStoreOfEachTypeLeavesThePoison) {
  auto check = [&]<class T>(T) {
    auto body = kernel("some", [=](Ptr<T> y, Ptr<bool> flags) {
      Tile<int32> i = iota(8);
      Tile<bool> inside = i < 5;
      Tile<int64> place = where(inside, cast<int64>(i), nowhere);
      store(y + place, cast<T>(i + 1), inside);
      store(y + 8 + i, cast<T>(i + 1), i < 0);
      store(flags + place, i == 2, inside);
    });
    GuardedBuffer<T> y(device(), 16);
    GuardedBuffer<bool> flags(device(), 8);
    body.launch({1}, y.pointer(), flags.pointer());
    std::vector<T> result = y.download();
    std::vector<unsigned char> bytes = flags.download();
    for (int i = 0; i < 16; ++i) {
      if (i < 5) {
        EXPECT_EQ(static_cast<double>(result[i]), i + 1) << name(elementType<T>);
        EXPECT_EQ(bytes[i], i == 2);
      } else {
        EXPECT_TRUE(GuardedBuffer<T>::isPoison(result[i])) << name(elementType<T>) << ' ' << i;
        EXPECT_TRUE(i >= 8 || GuardedBuffer<bool>::isPoison(bytes[i])) << i;
      }
    }
  };
  check(int8{}), check(uint8{}), check(int16{}), check(uint16{});
  check(int32{}), check(uint32{}), check(int64{}), check(uint64{});
  check(f16()), check(bf16()), check(float{}), check(double{});
}

TEST_P(Memory, BoolsWithoutAFillAreFalseAndBytesOtherThanZeroAreTrue) {
  // Another library's bool may be any byte; only 0 is false.
  auto body = kernel("bools", [](Ptr<const bool> x, Ptr<bool> y, Ptr<int32> z) {
    Tile<int32> i = iota(8);
    Tile<bool> inside = i < 5;
    Tile<bool> flag = load(x + where(inside, cast<int64>(i), nowhere), inside);
    store(y + i, flag);
    store(z + i, cast<int32>(flag) + cast<int32>(flag ^ true) * 10);
  });
  Device device = this->device();
  Buffer<uint8> x = device.upload({uint8{0}, uint8{1}, uint8{2}, uint8{0x80}, uint8{0xff}});
  GuardedBuffer<bool> y(device, 8);
  GuardedBuffer<int32> z(device, 8);
  body.launch({1}, DevicePointer<bool>{x.address(), device}, y.pointer(), z.pointer());
  EXPECT_EQ(y.download(), (std::vector<unsigned char>{0, 1, 1, 1, 1, 0, 0, 0}));
  EXPECT_EQ(z.download(), (std::vector<int32>{10, 1, 1, 1, 1, 10, 10, 10}));
}

TEST_P(Memory, OneOfTheValuesIsStoredWhereLanesShareAnAddress) {
  auto check = [&]<class T>(T) {
    auto body = kernel("shared", [](Ptr<T> y, Ptr<T> z) {
      Tile<int32> i = iota(100);
      store(y + i % 7, cast<T>(i));
      store(z + i / 8, cast<T>(i));
    });
    GuardedBuffer<T> y(device(), 7), z(device(), 13);
    body.launch({1}, y.pointer(), z.pointer());
    std::vector<T> strided = y.download(), neighbours = z.download();
    for (int i = 0; i < 7; ++i) {
      auto value = static_cast<int>(strided[i]);
      EXPECT_TRUE(value >= 0 && value < 100 && value % 7 == i) << value << " at " << i;
    }
    for (int i = 0; i < 13; ++i)
      EXPECT_EQ(static_cast<int>(neighbours[i]) / 8, i) << name(elementType<T>);
  };
  check(int8{}), check(uint16{}), check(int32{}), check(uint64{}), check(f16()), check(float{});
}

TEST_P(Memory, UnsignedOffsetsReachTheEndOfTheirType) {
  auto expectMirrored = [&]<class Narrow>(Narrow largest, int count) {
    auto body = kernel("mirror", [=](Ptr<const int32> x, Ptr<const Narrow> at, Ptr<int32> y) {
      Tile<int32> i = iota(count);
      store(y + i, load(x + load(at + i)));
    });
    std::vector<Narrow> at(count);
    std::vector<int32> host(static_cast<std::size_t>(largest) + 1);
    for (int i = 0; i < count; ++i)
      at[i] = static_cast<Narrow>(largest - i);
    std::iota(host.begin(), host.end(), 0);
    Device device = this->device();
    Buffer<int32> x = device.upload(host);
    Buffer<Narrow> offsets = device.upload(at);
    GuardedBuffer<int32> y(device, count);
    body.launch({1}, x, offsets, y.pointer());
    std::vector<int32> result = y.download();
    for (int i = 0; i < count; ++i)
      ASSERT_EQ(result[i], largest - i) << name(elementType<Narrow>);
  };
  expectMirrored(uint8{255}, 256);
  expectMirrored(uint16{65535}, 1024);
}

TEST_P(Memory, AddressesBeyondTwoGibibytesAreReached) {
  // pid · 2^20 passes 2^31 between programs 2047 and 2048.
  const std::size_t bytes = (std::size_t{1} << 31) + (std::size_t{1} << 20);
  Device device = this->device();
  if (device.limits().memoryBytes < static_cast<std::int64_t>(2 * bytes))
    GTEST_SKIP() << "the device has " << device.limits().memoryBytes << " bytes of memory";
  Buffer<uint8> x = device.allocate<uint8>(bytes);
  x.fillBytes(0xa5);
  auto body = kernel("far", [](Ptr<uint8> x) {
    Index program = programId(0);
    returnIf(program < 2047);
    store(x + program * (1 << 20), cast<uint8>(program - 2046));
    // The same as a tile, of 32-bit numbers: the product is wider than they are.
    store(x + program * (1 << 20) + iota(8) + 8, 7);
  });
  body.launch({2049}, x);
  // A piece at a time, since the host may have less memory.
  const std::size_t piece = std::size_t{1} << 24;
  auto read = kernel("copy", [=](Ptr<const uint8> from, Ptr<uint8> to) {
    Tile<int64> i = programId(0) * 4096 + iota(4096);
    store(to + i, load(from + i));
  });
  Buffer<uint8> part = device.allocate<uint8>(piece);
  auto expectedAt = [](std::size_t at) -> int {
    for (std::size_t program : {2047, 2048}) {
      std::size_t start = program << 20;
      if (at == start)
        return static_cast<int>(program - 2046);
      if (at >= start + 8 && at < start + 16)
        return 7;
    }
    return 0xa5;
  };
  for (std::size_t begin = 0; begin < bytes; begin += piece) {
    std::size_t count = std::min(piece, bytes - begin);
    // Most of the buffer is far from what was stored, and its ends tell enough on the slow device.
    bool isNear = begin == 0 || begin + piece > (std::size_t{2047} << 20);
    if (!isNear && isSimulator())
      continue;
    read.launch({count / 4096}, x.devicePointer() + static_cast<std::int64_t>(begin), part);
    std::vector<uint8> values = part.download();
    for (std::size_t i = 0; i < count; ++i)
      ASSERT_EQ(values[i], expectedAt(begin + i)) << "byte " << begin + i;
  }
}

TEST_P(Memory, IndexArithmeticHasSixtyFourBits) {
  auto body = kernel("wide", [](Ptr<int64> y, Index n, Scalar<int32> narrow) {
    Tile<int32> i = iota(4);
    store(y + i, n * n + i);
    store(y + 4 + i, cast<int64>(i) * 3000000000 - n);
    store(y + 8 + i, (programId(0) + 1) * n * (i + 2));
    // A product of int32 wraps; made of an Index it does not.
    store(y + 12 + i, cast<int64>(narrow * narrow));
    store(y + 16 + i, Index(narrow) * narrow + i * 0);
  });
  Device device = this->device();
  for (int64 n : {int64{2147483647}, int64{65536}, int64{-2147483648}, int64{1} << 40}) {
    GuardedBuffer<int64> y(device, 20);
    body.launch({1}, y.pointer(), n, 65536 + 1);
    std::vector<int64> result = y.download();
    auto wrap = [](__int128 value) { return static_cast<int64>(value); };
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(result[i], wrap(static_cast<__int128>(n) * n + i)) << n;
      EXPECT_EQ(result[4 + i], i * int64{3000000000} - n) << n;
      EXPECT_EQ(result[8 + i], wrap(static_cast<__int128>(n) * (i + 2))) << n;
      EXPECT_EQ(result[12 + i], 2 * 65536 + 1) << n;
      EXPECT_EQ(result[16 + i], int64{65537} * 65537) << n;
    }
  }
}

TEST_P(Memory, BoolsAreBytesOfZeroAndOne) {
  auto body = kernel("bools", [=](Ptr<const int32> x, Ptr<bool> y) {
    Tile<int32> i = iota(8);
    Tile<bool> inside = i < 5;
    store(y + i, cast<bool>(load(x + i, inside)), inside);
  });
  Device device = this->device();
  Buffer<int32> x = device.upload({0, 1, 2, 256, -1});
  GuardedBuffer<bool> y(device, 5);
  body.launch({1}, x, y.pointer());
  EXPECT_EQ(y.download(), (std::vector<unsigned char>{0, 1, 1, 1, 1}));
}

TEST_P(Memory, TileOfTwoAxesCoversAMatrix) {
  const std::int64_t rows = 13, cols = 37;
  auto body = kernel("scale", [=](Ptr<const float> x, Ptr<float> y, Index height, Index width) {
    Tile<int64> row = programId(0) * 8 + expand(iota(8), Axis{1});
    Tile<int64> col = programId(1) * 16 + expand(iota(16), Axis{0});
    Tile<bool> inside = row < height && col < width;
    store(y + row * width + col, 2.0f * load(x + row * width + col, inside), inside);
  });
  std::vector<float> host = support::integers<float>(rows * cols, -100, 100, 1);
  Device device = this->device();
  Buffer<float> x = device.upload(host);
  GuardedBuffer<float> y(device, host.size());
  body.launch({(rows + 7) / 8, (cols + 15) / 16}, x, y.pointer(), rows, cols);
  std::vector<float> result = y.download();
  for (std::size_t i = 0; i < host.size(); ++i)
    EXPECT_EQ(result[i], 2 * host[i]) << "element " << i;
}

TEST_P(Memory, TransposesThroughAddresses) {
  const int size = 32;
  auto body = kernel("transpose", [=](Ptr<const int32> x, Ptr<int32> y) {
    Tile<int32> row = expand(iota(size), Axis{1}), col = expand(iota(size), Axis{0});
    store(y + col * size + row, load(x + row * size + col));
  });
  std::vector<int32> host = support::integers<int32>(size * size, -1000, 1000, 1);
  Device device = this->device();
  Buffer<int32> x = device.upload(host);
  GuardedBuffer<int32> y(device, host.size());
  body.launch({1}, x, y.pointer());
  std::vector<int32> result = y.download();
  for (int row = 0; row < size; ++row)
    for (int col = 0; col < size; ++col)
      EXPECT_EQ(result[col * size + row], host[row * size + col]);
}

TEST_P(Memory, TransposesFlatAndTallTiles) {
  // A thread may hold whole columns, and either order of the axes then describes the same layout.
  for (int rows : {1, 2, 4, 8, 16})
    for (int cols : {1, 4, 32, 64, 128}) {
      auto body = kernel("transpose", [=](Ptr<const int32> x, Ptr<int32> y) {
        Tile<int32> row = expand(iota(rows), Axis{1}), col = expand(iota(cols), Axis{0});
        store(y + row * cols + col, load(x + col * rows + row));
      });
      std::vector<int32> host = support::integers<int32>(rows * cols, -1000, 1000, 1);
      Device device = this->device();
      Buffer<int32> x = device.upload(host);
      GuardedBuffer<int32> y(device, host.size());
      body.launch({1}, x, y.pointer());
      std::vector<int32> result = y.download();
      for (int row = 0; row < rows; ++row)
        for (int col = 0; col < cols; ++col)
          ASSERT_EQ(result[row * cols + col], host[col * rows + row]) << rows << "x" << cols;
    }
}

TEST_P(Memory, GathersByLoadedIndices) {
  const int n = 256;
  std::vector<int32> permutation(n);
  for (int i = 0; i < n; ++i)
    permutation[i] = (i * 77 + 13) % n;
  std::vector<float> host = support::uniform<float>(n, -1, 1, 1);
  auto body = kernel("gather", [=](Ptr<const float> x, Ptr<const int32> index, Ptr<float> y) {
    Tile<int32> i = iota(n);
    store(y + i, load(x + load(index + i)));
  });
  Device device = this->device();
  Buffer<float> x = device.upload(host);
  Buffer<int32> index = device.upload(permutation);
  GuardedBuffer<float> y(device, n);
  body.launch({1}, x, index, y.pointer());
  std::vector<float> result = y.download();
  for (int i = 0; i < n; ++i)
    EXPECT_EQ(result[i], host[permutation[i]]);
}

/// Numbers of a type that tell neighbours apart, also where they wrap.
template <class T> std::vector<T> counting(int count) {
  std::vector<T> values(count);
  for (int i = 0; i < count; ++i)
    values[i] = static_cast<T>(i);
  return values;
}

/// What an analysis of addresses may believe contiguous or divisible, and is not, or not
/// everywhere.
template <class T> void expectFormulas(const Device &device) {
  const std::vector<T> host = counting<T>(1024);
  Buffer<T> x = device.upload(host);
  auto expect = [&](auto onDevice, auto onHost) {
    SCOPED_TRACE(sizeof(T));
    auto gather = kernel("gather", [=](Ptr<const T> in, Ptr<T> out) {
      Tile<int32> i = iota(128);
      store(out + i, load(in + onDevice(i)));
    });
    GuardedBuffer<T> y(device, 128);
    gather.launch({1}, x, y.pointer());
    std::vector<T> result = y.download();
    for (int i = 0; i < 128; ++i)
      ASSERT_EQ(result[i], host[onHost(i)]) << "i = " << i;

    // As 64-bit numbers, and for a store: of lanes that share an address, one wins.
    auto scatter = kernel("scatter", [=](Ptr<const T> in, Ptr<T> out) {
      Tile<int32> i = iota(128);
      store(out + onDevice(cast<int64>(i)), load(in + onDevice(cast<int64>(i))));
    });
    GuardedBuffer<T> z(device, 256);
    scatter.launch({1}, x, z.pointer());
    std::vector<T> scattered = z.download();
    std::vector<bool> stored(256);
    for (int i = 0; i < 128; ++i)
      stored[onHost(i)] = true;
    for (int i = 0; i < 256; ++i)
      if (stored[i])
        ASSERT_EQ(scattered[i], host[i]) << "element " << i;
      else
        ASSERT_TRUE(GuardedBuffer<T>::isPoison(scattered[i])) << "element " << i;
  };
  auto both = [&](auto formula) { expect(formula, formula); };
  both([](auto i) { return 64 % (32 + i); });
  both([](auto i) { return (i - 64) / 32 + 2; });
  both([](auto i) { return 127 - i; });
  expect([](auto i) { return min(i, 100); }, [](int i) { return std::min(i, 100); });
  expect([](auto i) { return max(i, 5); }, [](int i) { return std::max(i, 5); });
  expect([](auto i) { return where(i % 2 == 1, i, 2 * i); },
         [](int i) { return i % 2 == 1 ? i : 2 * i; });
  both([](auto i) { return (3 * i) % 64; });
  both([](auto i) { return i ^ 5; });
  both([](auto i) { return i + 1; });
  // Neighbours of these.
  both([](auto i) { return 65 % (31 + i); });
  both([](auto i) { return (i - 63) / 32 + 2; });
  both([](auto i) { return (i - 64) / 16 + 4; });
  both([](auto i) { return 128 - i; });
  expect([](auto i) { return min(i + 3, 96); }, [](int i) { return std::min(i + 3, 96); });
  expect([](auto i) { return max(i, 32); }, [](int i) { return std::max(i, 32); });
  expect([](auto i) { return where(i < 32, i, 2 * i); }, [](int i) { return i < 32 ? i : 2 * i; });
  both([](auto i) { return (4 * i) % 64 + i % 4; });
  both([](auto i) { return i ^ 16; });
  both([](auto i) { return (i & 96) | 7; });
  both([](auto i) { return (i >> 4 << 4) + 15 - (i & 15); });
}

TEST_P(Memory, AddressesFollowAnyIndexFormula) {
  expectFormulas<int32>(device());
  expectFormulas<float>(device());
  expectFormulas<int8>(device());
}

template <class T> void expectStrides(const Device &device) {
  auto body = kernel("stride", [=](Ptr<const T> x, Ptr<T> y, Index stride) {
    Tile<int32> i = iota(64);
    store(y + i, load(x + i * stride));
  });
  const std::vector<T> host = counting<T>(1100);
  Buffer<T> x = device.upload(host);
  for (std::int64_t stride : {1, 2, 16, 3, 0, 15, 17}) {
    GuardedBuffer<T> y(device, 64);
    body.launch({1}, x, y.pointer(), stride);
    std::vector<T> result = y.download();
    for (int i = 0; i < 64; ++i)
      ASSERT_EQ(result[i], host[i * stride]) << "stride " << stride;
  }
}

TEST_P(Memory, StrideArgumentIsAnyNumber) {
  expectStrides<int32>(device());
  expectStrides<float>(device());
  expectStrides<int8>(device());
}

TEST_P(Memory, TilesSmallerThanTheProgramAreStoredOnce) {
  for (int size : {1, 2, 4, 8, 16, 32}) {
    auto body = kernel("small", [=](Ptr<int32> y) {
      Tile<int32> i = iota(size);
      store(y + programId(0) * size + i, i + 1);
    });
    GuardedBuffer<int32> y(device(), 3 * size);
    body.launch({3}, y.pointer());
    std::vector<int32> result = y.download();
    for (int i = 0; i < 3 * size; ++i)
      EXPECT_EQ(result[i], i % size + 1) << "size " << size;
  }
}

TEST_P(Memory, ScalarsLoadAndStore) {
  auto body = kernel("scalars", [=](Ptr<const float> x, Ptr<float> y, Scalar<float> factor) {
    Index i = programId(0);
    store(y + i, load(x + i) * factor);
  });
  Device device = this->device();
  Buffer<float> x = device.upload({1.0f, 2.0f, 3.0f});
  GuardedBuffer<float> y(device, 3);
  body.launch({3}, x, y.pointer(), 0.5f);
  EXPECT_EQ(y.download(), (std::vector<float>{0.5f, 1.0f, 1.5f}));
}

TEST_P(Memory, ProgramsOfThreeAxesKnowTheirPlace) {
  auto body = kernel("places", [=](Ptr<int64> y) {
    Index place = (programId(2) * programCount(1) + programId(1)) * programCount(0) + programId(0);
    store(y + place, programId(0) + 10 * programId(1) + 100 * programId(2));
  });
  GuardedBuffer<int64> y(device(), 2 * 3 * 4);
  body.launch({2, 3, 4}, y.pointer());
  std::vector<int64> result = y.download();
  for (int i = 0; i < 24; ++i)
    EXPECT_EQ(result[i], i % 2 + 10 * (i / 2 % 3) + 100 * (i / 6));
}

} // namespace
