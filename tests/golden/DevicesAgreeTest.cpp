// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The GPU and the software device run the same PTX. Where each instruction is exact or says `.rn`,
// they give the same bits; where one is an approximation, both are within the bound of the
// reference.
//
// Both devices get the PTX of their own target, so the software device is asked for the GPU's: its
// results then come from the very text that the driver compiled. Without a GPU there is nothing to
// compare with.
#include "examples/kernels/BiasGelu.h"
#include "examples/kernels/VectorAdd.h"
#include "tests/golden/GuardedBuffer.h"
#include "tests/support/OnEveryDevice.h"
#include "tests/support/RandomData.h"

#include <cmath>
#include <cstring>

using namespace trowel;
using namespace trowel::golden;

namespace {

class DevicesAgree : public testing::Test {
protected:
  void SetUp() override {
    if (!support::testGpu().device)
      GTEST_SKIP() << support::testGpu().reason;
  }
  Device gpu() const { return *support::testGpu().device; }
  Device simulator() const { return Device::simulator(); }
};

std::vector<float> sumOn(const Device &device, const std::vector<float> &x,
                         const std::vector<float> &y) {
  const auto n = static_cast<std::int64_t>(x.size());
  Buffer<float> deviceX = device.upload(x), deviceY = device.upload(y);
  GuardedBuffer<float> z(device, x.size());
  examples::vectorAdd(1024).launch({(n + 1023) / 1024}, deviceX, deviceY, z.pointer(), n);
  return z.download();
}

template <class T>
std::vector<T> geluOn(const Device &device, const std::vector<T> &x, const std::vector<T> &bias) {
  const auto cols = static_cast<std::int64_t>(bias.size());
  const std::int64_t rows = static_cast<std::int64_t>(x.size()) / cols;
  Buffer<T> deviceX = device.upload(x), deviceBias = device.upload(bias);
  GuardedBuffer<T> y(device, x.size());
  examples::biasGelu<T>(1024).launch({rows, (cols + 1023) / 1024}, deviceX, deviceBias, y.pointer(),
                                     cols);
  return y.download();
}

TEST_F(DevicesAgree, InEveryBitOfASum) {
  std::vector<float> x = support::anyFinite(1 << 20, 1), y = support::anyFinite(1 << 20, 2);
  std::vector<float> onGpu = sumOn(gpu(), x, y), onSimulator = sumOn(simulator(), x, y);
  ASSERT_EQ(onGpu.size(), onSimulator.size());
  EXPECT_EQ(std::memcmp(onGpu.data(), onSimulator.data(), onGpu.size() * sizeof(float)), 0);
}

TEST_F(DevicesAgree, WithinTwiceTheBoundOfAGelu) {
  const std::size_t rows = 64, cols = 8192;
  std::vector<float> x = support::uniform<float>(rows * cols, -8, 8, 1);
  std::vector<float> bias = support::uniform<float>(cols, -1, 1, 2);
  std::vector<float> onGpu = geluOn(gpu(), x, bias), onSimulator = geluOn(simulator(), x, bias);
  std::size_t different = 0;
  for (std::size_t i = 0; i < onGpu.size(); ++i) {
    different += std::memcmp(&onGpu[i], &onSimulator[i], sizeof(float)) != 0;
    ASSERT_LE(std::fabs(static_cast<double>(onGpu[i]) - onSimulator[i]),
              2 * examples::biasGeluBound(x[i], bias[i % cols], ElementType::Float32))
        << "element " << i;
  }
  RecordProperty("elementsWithOtherBits", std::to_string(different));
}

} // namespace
