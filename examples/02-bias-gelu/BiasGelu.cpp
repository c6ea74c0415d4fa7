// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lesson 2: bias and GELU, fused, over the rows of a matrix.
//
// One kernel template serves two element types (examples/kernels/BiasGelu.cpp): what is stored in
// bf16 is computed in float, and rounded once when it is stored. The grid has two axes, rows and
// blocks of columns.
//
// The result is compared with float64. How far it may be off is not tuned until it fits:
// BiasGelu.cpp derives it from the roundings on the way, and a bf16 result may be off by its own
// rounding besides.
#include "examples/kernels/BiasGelu.h"
#include "tests/support/Comparison.h"
#include "tests/support/RandomData.h"
#include "tests/support/Timing.h"

#include <cstdio>

using namespace trowel;

template <class T> static bool run(const Device &device, std::int64_t rows, std::int64_t cols) {
  const int block = 8192 / sizeof(T); // 16 bf16 a thread are in flight, enough to hide the memory
  const Grid grid{rows, (cols + block - 1) / block};
  std::printf("bias_gelu of %lld x %lld %s on %s\n", static_cast<long long>(rows),
              static_cast<long long>(cols), name(elementType<T>), device.describe().c_str());

  std::vector<T> hostX = support::uniform<T>(rows * cols, -4, 4, 1);
  std::vector<T> hostBias = support::uniform<T>(cols, -1, 1, 2);
  Buffer<T> x = device.upload(hostX), bias = device.upload(hostBias);
  Buffer<T> y = device.allocate<T>(rows * cols);

  auto kernel = examples::biasGelu<T>(block);
  kernel.launch(grid, x, bias, y, cols);

  std::vector<T> result = y.download();
  auto reference = [&](std::size_t i) {
    return examples::biasGeluReference(hostX[i], hostBias[i % cols]);
  };
  auto bound = [&](std::size_t i) {
    return support::Bound{
        .absolute = examples::biasGeluBound(hostX[i], hostBias[i % cols], elementType<T>)};
  };
  support::Comparison comparison = support::compare<T>(result, reference, bound);
  std::printf("  %s: %s\n", comparison.agrees() ? "right" : "WRONG", comparison.text().c_str());

  double bytes = static_cast<double>(sizeof(T)) * static_cast<double>(2 * rows * cols + cols);
  std::string speed =
      support::speedText(device, bytes, [&] { kernel.launch(grid, x, bias, y, cols); });
  std::printf("  %s\n", speed.c_str());
  return comparison.agrees();
}

int main() {
  try {
    Device device = Device::best();
    // 8192 x 8192 on a GPU; a few rows of the same length where each instruction is imitated.
    const std::int64_t rows = device.isSimulator() ? 1024 : 8192, cols = 8192;
    bool right = run<bf16>(device, rows, cols);
    right = run<float>(device, rows, cols) && right;
    return right ? 0 : 1;
  } catch (const Error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
