// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bias_gelu against its float64 reference, within the bound that its source derives.
//
// With every bf16 number as an input, nothing is left to luck in that type.
#include "examples/kernels/BiasGelu.h"
#include "tests/golden/GuardedBuffer.h"
#include "tests/support/Comparison.h"
#include "tests/support/OnEveryDevice.h"
#include "tests/support/RandomData.h"

#include <cmath>

using namespace trowel;
using namespace trowel::golden;

namespace {

class BiasGelu : public support::OnEveryDevice {
protected:
  template <class T>
  void expectGelu(int block, const std::vector<T> &x, const std::vector<T> &bias) {
    const auto cols = static_cast<std::int64_t>(bias.size());
    const std::int64_t rows = cols ? static_cast<std::int64_t>(x.size()) / cols : 0;
    Device device = this->device();
    Buffer<T> deviceX = device.upload(x), deviceBias = device.upload(bias);
    GuardedBuffer<T> y(device, x.size());
    auto kernel = examples::biasGelu<T>(block);
    kernel.launch({rows, (cols + block - 1) / block}, deviceX, deviceBias, y.pointer(), cols);
    std::vector<T> result = y.download();
    auto argument = [&](std::size_t i) { return static_cast<double>(x[i]); };
    auto biasOf = [&](std::size_t i) { return static_cast<double>(bias[i % bias.size()]); };
    auto reference = [&](std::size_t i) {
      return examples::biasGeluReference(argument(i), biasOf(i));
    };
    auto bound = [&](std::size_t i) {
      return support::Bound{.absolute =
                                examples::biasGeluBound(argument(i), biasOf(i), elementType<T>)};
    };
    auto comparison = support::compare<T>(std::span<const T>(result), reference, bound);
    EXPECT_TRUE(comparison.agrees()) << rows << " x " << cols << " " << name(elementType<T>)
                                     << ", block = " << block << ": " << comparison.text();
  }

  template <class T> void expectGelu(int block, std::size_t rows, std::size_t cols) {
    expectGelu<T>(block, support::uniform<T>(rows * cols, -6, 6, cols),
                  support::uniform<T>(cols, -1, 1, cols + 1));
  }
};

TROWEL_ON_EVERY_DEVICE(BiasGelu);

TEST_P(BiasGelu, IsWithinItsBoundForEveryTail) {
  for (int block : {8, 256})
    for (std::size_t cols = 0; cols <= 33; ++cols) {
      expectGelu<float>(block, 3, cols);
      expectGelu<bf16>(block, 3, cols);
    }
}

TEST_P(BiasGelu, IsWithinItsBoundForTheLastOfManyPrograms) {
  for (int block : {8, 256, 2048})
    for (std::size_t cols : {1000, 1024, 2056}) {
      expectGelu<float>(block, 4, cols);
      expectGelu<bf16>(block, 4, cols);
    }
}

TEST_P(BiasGelu, IsWithinItsBoundForEveryBf16) {
  std::vector<bf16> x(65536);
  for (std::size_t bits = 0; bits < x.size(); ++bits)
    x[bits] = bf16::fromBits(static_cast<std::uint16_t>(bits));
  expectGelu<bf16>(1024, x, std::vector<bf16>(4096, bf16(0.0f)));
}

TEST_P(BiasGelu, IsWithinItsBoundWhereTheSumCancels) {
  std::vector<float> x = support::uniform<float>(4096, -12, 0, 1);
  expectGelu<float>(1024, x, std::vector<float>(1024, 0.0f));
}

} // namespace
