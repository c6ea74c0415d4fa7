// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vector_add against the sum in float64, rounded once: equality, for any numbers.
//
// A sum of two floats is exact in float64 or at least rounds to the same float, because a double
// has more than twice the bits; so one rounding of the float64 sum is the correctly rounded float
// sum. Sizes around the block and around a thread's 16 bytes meet each way in which a tail can be
// wrong; blocks of 8 have fewer elements than a warp has threads, so that most of them are
// replicas.
#include "examples/kernels/VectorAdd.h"
#include "tests/golden/GuardedBuffer.h"
#include "tests/support/Comparison.h"
#include "tests/support/OnEveryDevice.h"
#include "tests/support/RandomData.h"

#include <cmath>
#include <limits>

using namespace trowel;
using namespace trowel::golden;

namespace {

class VectorAdd : public support::OnEveryDevice {
protected:
  /// Launches on `x` and `y` from element `offset` on, and compares.
  void expectSum(int block, const std::vector<float> &x, const std::vector<float> &y,
                 std::size_t offset = 0) {
    const std::int64_t n = static_cast<std::int64_t>(x.size() - offset);
    Device device = this->device();
    Buffer<float> deviceX = device.upload(x), deviceY = device.upload(y);
    GuardedBuffer<float> z(device, x.size());
    auto add = examples::vectorAdd(block);
    auto shift = static_cast<std::int64_t>(offset);
    add.launch({(n + block - 1) / block}, deviceX.devicePointer() + shift,
               deviceY.devicePointer() + shift, z.pointer() + shift, n);
    std::vector<float> result = z.download();
    for (std::size_t i = 0; i < offset; ++i)
      EXPECT_TRUE(GuardedBuffer<float>::isPoison(result[i])) << "element before the first";
    auto comparison =
        support::compare<float>(std::span(result).subspan(offset), [&](std::size_t i) {
          return static_cast<double>(x[i + offset]) + static_cast<double>(y[i + offset]);
        });
    EXPECT_TRUE(comparison.agrees()) << "n = " << n << ", block = " << block
                                     << ", offset = " << offset << ": " << comparison.text();
  }
};

TROWEL_ON_EVERY_DEVICE(VectorAdd);

TEST_P(VectorAdd, IsExactForEveryTail) {
  for (int block : {8, 256})
    for (std::size_t n = 0; n <= 33; ++n)
      expectSum(block, support::anyFinite(n, 1), support::anyFinite(n, 2));
}

TEST_P(VectorAdd, IsExactForTheLastOfManyPrograms) {
  for (int block : {8, 256, 1024})
    for (std::size_t n : {1000, 1024, 1025, 2048, 4099})
      expectSum(block, support::anyFinite(n, n), support::anyFinite(n, n + 1));
}

TEST_P(VectorAdd, IsExactForEveryBlock) {
  for (int block = 1; block <= 4096; block *= 2)
    expectSum(block, support::anyFinite(5000, 3), support::anyFinite(5000, 4));
}

TEST_P(VectorAdd, IsExactAtAddressesThatAreNotAligned) {
  for (std::size_t offset : {1, 2, 3, 4, 7})
    expectSum(256, support::anyFinite(1000, 5), support::anyFinite(1000, 6), offset);
}

TEST_P(VectorAdd, TreatsSpecialValuesAsTheHostDoes) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float least = std::numeric_limits<float>::denorm_min();
  const float largest = std::numeric_limits<float>::max();
  const std::vector<float> values = {
      0.0f,    -0.0f,    1.0f,     -1.0f,     least, -least,
      largest, -largest, infinity, -infinity, NAN,   std::numeric_limits<float>::min()};
  std::vector<float> x, y;
  for (float a : values)
    for (float b : values) {
      x.push_back(a);
      y.push_back(b);
    }
  expectSum(256, x, y);
}

TEST_P(VectorAdd, KeepsTheSignOfZero) {
  Device device = this->device();
  Buffer<float> x = device.upload({-0.0f, -0.0f, 0.0f}), y = device.upload({-0.0f, 0.0f, -0.0f});
  Buffer<float> z = device.allocate<float>(3);
  examples::vectorAdd(8).launch({1}, x, y, z, 3);
  std::vector<float> result = z.download();
  EXPECT_TRUE(std::signbit(result[0]));
  EXPECT_FALSE(std::signbit(result[1]));
  EXPECT_FALSE(std::signbit(result[2]));
}

} // namespace
