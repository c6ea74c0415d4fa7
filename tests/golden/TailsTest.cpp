// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ends of arrays and shifted bases: the elements are right, nothing beyond is touched, and all but
// the vector that a bound cuts moves 16 bytes a thread.
//
// How many accesses of how many bytes were made is counted by the software device.
#include "tests/golden/GuardedBuffer.h"
#include "tests/support/OnEveryDevice.h"

#include <trowel/trowel.h>

#include <numeric>

using namespace trowel;
using namespace trowel::golden;

namespace {

class Tails : public support::OnEveryDevice {};
TROWEL_ON_EVERY_DEVICE(Tails);

template <class T> auto negate(int block) {
  return kernel("negate", [=](Ptr<const T> x, Ptr<T> y, Index n) {
    Tile<int64> i = programId(0) * block + iota(block);
    Tile<bool> inside = i < n;
    store(y + i, 0 - load(x + i, inside, 1), inside);
  });
}

template <class T> std::vector<T> numbers(std::int64_t n) {
  std::vector<T> host(n);
  for (std::int64_t i = 0; i < n; ++i)
    host[i] = static_cast<T>(i % 100 + 1);
  return host;
}

/// Negates n elements that begin `shift` bytes behind an aligned address.
template <class T> void expectNegated(const Device &device, std::int64_t n, std::int64_t shift) {
  auto body = negate<T>(1024);
  const std::int64_t skipped = shift / static_cast<std::int64_t>(sizeof(T));
  std::vector<T> host = numbers<T>(n + skipped);
  Buffer<T> x = device.upload(host);
  GuardedBuffer<T> y(device, n + skipped);
  DevicePointer<T> from = x.devicePointer() + skipped, to = y.pointer() + skipped;
  body.launch({cdiv(n, 1024)}, from, to, n);
  std::vector<T> result = y.download();
  for (std::int64_t i = 0; i < n + skipped; ++i) {
    if (i < skipped)
      ASSERT_TRUE(GuardedBuffer<T>::isPoison(result[i])) << i;
    else
      ASSERT_EQ(static_cast<double>(result[i]), static_cast<double>(T(0) - host[i]))
          << "element " << i - skipped << " of " << n << " " << name(elementType<T>) << ", "
          << shift << " bytes from an aligned base";
  }
}

TEST_P(Tails, OfEachLengthAndTypeAreRight) {
  for (std::int64_t n = 0; n <= 33; ++n) {
    expectNegated<int8>(device(), n, 0);
    expectNegated<bf16>(device(), n, 0);
    expectNegated<float>(device(), n, 0);
    expectNegated<int64>(device(), n, 0);
  }
  for (std::int64_t n : {1000, 1023, 1024, 1025, 2047, 3001}) {
    expectNegated<int8>(device(), n, 0);
    expectNegated<f16>(device(), n, 0);
    expectNegated<int32>(device(), n, 0);
    expectNegated<double>(device(), n, 0);
  }
  expectNegated<float>(device(), (1 << 20) + 7, 0);
  expectNegated<bf16>(device(), (1 << 20) + 3, 0);
}

TEST_P(Tails, BehindShiftedBasesAreRight) {
  for (std::int64_t shift : {4, 8, 12})
    for (std::int64_t n : {1, 5, 16, 33, 1000, 1024, 2049}) {
      expectNegated<int8>(device(), n, shift);
      expectNegated<bf16>(device(), n, shift);
      expectNegated<float>(device(), n, shift);
      if (shift == 8)
        expectNegated<int64>(device(), n, shift);
    }
  for (std::int64_t shift : {1, 2, 3, 6, 13}) {
    expectNegated<int8>(device(), 1001, shift);
    if (shift % 2 == 0)
      expectNegated<f16>(device(), 1001, shift);
  }
  expectNegated<float>(device(), (1 << 20) + 1, 4);
}

TEST_P(Tails, OfRowsAndColumnsAreRight) {
  for (std::int64_t rows : {1, 7, 8, 13})
    for (std::int64_t cols : {1, 4, 15, 16, 31, 64, 100}) {
      // A pitch of multiples of 16 keeps rows aligned, whatever their length.
      const std::int64_t pitch = 112;
      auto body = kernel("rows", [=](Ptr<const bf16> x, Ptr<bf16> y, Index h, Index w) {
        Tile<int32> r = expand(iota(8), Axis{1}), c = expand(iota(64), Axis{0});
        Tile<int64> row = programId(0) * 8 + r, col = programId(1) * 64 + c;
        Tile<bool> inside = row < h && col < w;
        store(y + row * pitch + col, load(x + row * pitch + col, inside) * 2, inside);
      });
      std::vector<bf16> host = numbers<bf16>(rows * pitch);
      Buffer<bf16> x = device().upload(host);
      GuardedBuffer<bf16> y(device(), rows * pitch);
      body.launch({cdiv(rows, 8), cdiv(cols, 64)}, x, y.pointer(), rows, cols);
      std::vector<bf16> result = y.download();
      for (std::int64_t i = 0; i < rows * pitch; ++i) {
        if (i % pitch < cols)
          ASSERT_EQ(static_cast<float>(result[i]), 2 * static_cast<float>(host[i])) << i;
        else
          ASSERT_TRUE(GuardedBuffer<bf16>::isPoison(result[i])) << i;
      }
    }
}

auto doubledRows() {
  return kernel("rows", [](Ptr<const bf16> x, Ptr<bf16> y, Index pitch, Index width) {
    Index start = programId(0) * pitch;
    for (Index first : range(0, width, 1024)) {
      Tile<int64> column = first + iota(1024);
      Tile<bf16> v = load(x + start + column, column < width);
      store(y + start + column, v * 2, column < width);
    }
  });
}

TEST_P(Tails, OfRowsOfAnyPitchAreRight) {
  auto body = doubledRows();
  for (std::int64_t pitch : {1, 2, 4, 8, 12, 16, 3000, 3001, 3002, 3004})
    for (std::int64_t width : {pitch, pitch - pitch / 7}) {
      std::vector<bf16> host = numbers<bf16>(5 * pitch);
      Buffer<bf16> x = device().upload(host);
      GuardedBuffer<bf16> y(device(), 5 * pitch);
      body.launch({5}, x, y.pointer(), pitch, width);
      std::vector<bf16> result = y.download();
      for (std::int64_t i = 0; i < 5 * pitch; ++i) {
        if (i % pitch < width)
          ASSERT_EQ(static_cast<float>(result[i]), 2 * static_cast<float>(host[i]))
              << i << ' ' << pitch;
        else
          ASSERT_TRUE(GuardedBuffer<bf16>::isPoison(result[i])) << i << ' ' << pitch;
      }
    }
}

TEST_P(Tails, MayBeginAnywhere) {
  // Both ends of a window cut vectors; of a true mask at both ends of one, the middle may be false.
  auto body = kernel("window", [](Ptr<const int32> x, Ptr<int32> y, Index begin, Index end) {
    Tile<int32> i = iota(256);
    Tile<bool> inside = begin <= i && i < end;
    store(y + i, load(x + i, inside, -1), inside);
    store(y + 256 + i, load(x + i, i < begin || i >= end, -1));
  });
  std::vector<int32> host(256);
  std::iota(host.begin(), host.end(), 0);
  Buffer<int32> x = device().upload(host);
  for (int begin : {0, 1, 2, 5, 100, 253})
    for (int end : {0, 1, 3, 6, 103, 255, 256}) {
      GuardedBuffer<int32> y(device(), 512);
      body.launch({1}, x, y.pointer(), begin, end);
      std::vector<int32> result = y.download();
      for (int i = 0; i < 256; ++i) {
        bool inside = begin <= i && i < end;
        if (inside)
          ASSERT_EQ(result[i], i);
        else
          ASSERT_TRUE(GuardedBuffer<int32>::isPoison(result[i])) << i;
        ASSERT_EQ(result[256 + i], inside ? -1 : i) << begin << ' ' << end;
      }
    }
}

TEST_P(Tails, OfCountersThatWrapAreRight) {
  // The numbers count up through the greatest int32: in the middle of a vector the mask is false.
  auto body = kernel("wraps",
                     [](Ptr<const int32> x, Ptr<int32> y, Scalar<int32> from, Scalar<int32> below) {
                       Tile<int32> i = iota(64);
                       store(y + i, load(x + i, from + i < below, -1));
                     });
  std::vector<int32> host(64);
  std::iota(host.begin(), host.end(), 0);
  Buffer<int32> x = device().upload(host);
  const int32 greatest = 0x7fffffff;
  for (int32 back : {0, 1, 2, 3, 5, 30})
    for (int32 below : {greatest, greatest - 1, greatest - 2, -greatest, 0}) {
      GuardedBuffer<int32> y(device(), 64);
      body.launch({1}, x, y.pointer(), greatest - back, below);
      std::vector<int32> result = y.download();
      for (int i = 0; i < 64; ++i) {
        auto number = static_cast<int32>(static_cast<uint32>(greatest - back) + i);
        ASSERT_EQ(result[i], number < below ? i : -1) << i << ' ' << back << ' ' << below;
      }
    }
}

// What the software device counts.

template <class T> Report reportOf(std::int64_t n, std::int64_t shift) {
  Device device = Device::simulator();
  auto body = negate<T>(1024);
  const std::int64_t skipped = shift / static_cast<std::int64_t>(sizeof(T));
  Buffer<T> x = device.upload(numbers<T>(n + skipped));
  Buffer<T> y = device.allocate<T>(n + skipped);
  device.resetReport();
  body.launch({cdiv(n, 1024)}, x.devicePointer() + skipped, y.devicePointer() + skipped, n);
  Report report = device.report();
  device.resetReport();
  return report;
}

/// Loads and stores of so many bytes a thread make so many requests, and all others `others`.
template <class T>
void expectRequests(std::int64_t n, std::int64_t shift, const std::string &form,
                    std::uint64_t requests, std::uint64_t others) {
  Report report = reportOf<T>(n, shift);
  for (bool store : {false, true}) {
    std::uint64_t wide = 0, rest = 0, sectors = 0;
    for (const AccessReport &access : report.accesses) {
      if (access.store != store)
        continue;
      (access.instruction.ends_with(form) ? wide : rest) += access.requests;
      sectors += access.sectors;
    }
    EXPECT_EQ(wide, requests) << report.text();
    EXPECT_EQ(rest, others) << report.text();
    // Each sector is asked for once by each warp that wants a part of it.
    std::uint64_t least = (n * sizeof(T) + 31) / 32;
    EXPECT_LE(sectors, least + (shift ? 2 * (requests + others) : others)) << report.text();
  }
}

TEST(TailCounters, AreThoseOfWholeVectorsExceptForTheOneThatIsCut) {
  // 1024 floats are 8 requests of 32 threads with 16 bytes each.
  expectRequests<float>(1 << 16, 0, ".v4.b32", 512, 0);
  expectRequests<float>((1 << 16) + 1, 0, ".v4.b32", 512, 1);
  expectRequests<float>((1 << 16) - 1, 0, ".v4.b32", 512, 3);
  expectRequests<bf16>((1 << 16) + 7, 0, ".v4.b32", 256, 7);
  expectRequests<int8>((1 << 16) + 15, 0, ".v4.b32", 128, 15);
  expectRequests<double>((1 << 15) + 1, 0, ".v2.b64", 512, 1);
}

TEST(TailCounters, BehindAShiftedBaseAreAsWideAsItsAlignmentAllows) {
  expectRequests<float>(1 << 16, 8, ".v2.b32", 1024, 0);
  expectRequests<float>(1 << 16, 4, ".b32", 2048, 0);
  expectRequests<bf16>(1 << 16, 8, ".v2.b32", 512, 0);
  expectRequests<bf16>(1 << 16, 4, ".b32", 1024, 0);
  expectRequests<bf16>((1 << 16) + 1, 4, ".b32", 1024, 1);
  expectRequests<bf16>(1 << 16, 2, ".b16", 2048, 0);
}

TEST(TailCounters, OfRowsAreAsWideAsTheirPitchAllows) {
  // A row of 3000 is three tiles, in which 128 threads hold 8 neighbours each.
  struct Case {
    std::int64_t pitch;
    const char *form;
    std::uint64_t requests;
  };
  for (Case given : {Case{3000, ".v4.b32", 12}, Case{3008, ".v4.b32", 12},
                     Case{3004, ".v2.b32", 24}, Case{3002, ".b16", 94}}) {
    Device device = Device::simulator();
    Buffer<bf16> x = device.upload(numbers<bf16>(4 * given.pitch));
    Buffer<bf16> y = device.allocate<bf16>(4 * given.pitch);
    device.resetReport();
    doubledRows().launch({4}, x, y, given.pitch, given.pitch);
    std::uint64_t made = 0;
    for (const AccessReport &access : device.report().accesses)
      if (access.store && access.instruction.ends_with(given.form))
        made += access.requests;
    EXPECT_EQ(made, 4 * given.requests) << given.pitch << ' ' << device.report().text();
    device.resetReport();
  }
}

} // namespace
