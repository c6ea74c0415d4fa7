// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lesson 3: softmax, a reduction over a row that fits one program.
//
// The kernel is one line over a tile of a row's length, whatever that is: 3000 is as good as 4096.
// `max(v)` and `sum(e)` combine a row's elements in the registers of each thread, then across the
// lanes of a warp, then across warps through shared memory, and every thread has the result. See
// `trowel-dump softmax --stage=ptx`: two loads, two times five shuffles and a barrier, two stores.
//
// Each result is compared with float64. In float it is off by the exponential (2 ulp), the
// rounding of v − max (at most 8 · 2^-24, since |v| ≤ 4), of the sum, the quotient and the product;
// in bf16 by its own rounding, 2^-8 at most, beside which the rest is nothing.
#include "examples/kernels/Softmax.h"
#include "tests/support/Lesson.h"
#include "tests/support/RandomData.h"
#include "tests/support/Timing.h"

#include <cmath>
#include <cstdio>

using namespace trowel;
using support::tell;

template <class T> static bool run(const Device &device, std::int64_t rows, std::int64_t cols) {
  std::printf("softmax of %lld x %lld %s on %s\n", static_cast<long long>(rows),
              static_cast<long long>(cols), name(elementType<T>), device.describe().c_str());
  std::vector<T> host = support::uniform<T>(rows * cols, -4, 4, 1);
  Buffer<T> x = device.upload(host), y = device.allocate<T>(rows * cols);
  auto softmax = examples::softmaxRows<T>(static_cast<int>(cols));
  softmax.launch({rows}, x, y);

  std::vector<double> sums(rows);
  for (std::int64_t i = 0; i < rows * cols; ++i)
    sums[i / cols] += std::exp(static_cast<double>(host[i]));
  double relative = sizeof(T) == 2 ? 0x1p-8 + 0x1p-16 : (4 + 8 + 32 + 4) * 0x1p-24;
  bool right = tell("is", support::compare<T>(
                              y.download(),
                              [&](std::size_t i) {
                                return std::exp(static_cast<double>(host[i])) / sums[i / cols];
                              },
                              [&](std::size_t) { return support::Bound{.relative = relative}; }));
  double bytes = 2.0 * sizeof(T) * static_cast<double>(rows * cols);
  std::printf("  %s\n",
              support::speedText(device, bytes, [&] { softmax.launch({rows}, x, y); }).c_str());
  return right;
}

int main() {
  return support::runLesson([](const Device &device) {
    const std::int64_t rows = device.isSimulator() ? 64 : 8192;
    bool right = run<float>(device, rows, 4096);
    right = run<bf16>(device, rows, 4096) && right;
    right = run<bf16>(device, rows, 3000) && right;
    return right;
  });
}
