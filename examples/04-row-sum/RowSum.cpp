// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lesson 4: rows that do not fit a program.
//
// A loop adds a row block by block into a tile, and the tile is combined once, behind the loop. The
// online softmax does the same for a largest element and a sum that depends on it: it corrects the
// sum when a larger element comes (examples/kernels/Softmax.cpp).
//
// A sum of n elements passes through ceil(n / block) additions in a place of the tile and
// log2(block) between places, each of which rounds: that many times 2^-24 of the sum of absolute
// values.
#include "examples/kernels/RowSum.h"

#include "examples/kernels/Softmax.h"
#include "tests/support/Lesson.h"
#include "tests/support/RandomData.h"
#include "tests/support/Timing.h"

#include <cmath>
#include <cstdio>

using namespace trowel;
using support::tell;

static bool runSum(const Device &device, std::int64_t rows, std::int64_t cols) {
  const int block = 4096;
  std::printf("sums of %lld rows of %lld f32 on %s\n", static_cast<long long>(rows),
              static_cast<long long>(cols), device.describe().c_str());
  std::vector<float> host = support::uniform<float>(rows * cols, -1, 1, 1);
  Buffer<float> x = device.upload(host), s = device.allocate<float>(rows);
  auto rowSum = examples::rowSum<float>(block);
  rowSum.launch({rows}, x, s, cols);

  std::vector<double> sums(rows), sizes(rows);
  for (std::int64_t i = 0; i < rows * cols; ++i) {
    sums[i / cols] += host[i];
    sizes[i / cols] += std::fabs(host[i]);
  }
  double additions = static_cast<double>((cols + block - 1) / block) + 12;
  bool right =
      tell("are", support::compare<float>(
                      s.download(), [&](std::size_t row) { return sums[row]; },
                      [&](std::size_t row) {
                        return support::Bound{.absolute = additions * 0x1p-24 * sizes[row]};
                      }));
  double bytes = 4.0 * static_cast<double>(rows * cols);
  std::printf("  %s\n", support::speedText(device, bytes, [&] {
                          rowSum.launch({rows}, x, s, cols);
                        }).c_str());
  return right;
}

static bool runSoftmax(const Device &device, std::int64_t rows, std::int64_t cols) {
  std::printf("softmax of %lld rows of %lld bf16 on %s\n", static_cast<long long>(rows),
              static_cast<long long>(cols), device.describe().c_str());
  std::vector<bf16> host = support::uniform<bf16>(rows * cols, -4, 4, 2);
  Buffer<bf16> x = device.upload(host), y = device.allocate<bf16>(rows * cols);
  auto softmax = examples::onlineSoftmax<bf16>(1024, 4);
  softmax.launch({rows}, x, y, cols);

  std::vector<double> sums(rows);
  for (std::int64_t i = 0; i < rows * cols; ++i)
    sums[i / cols] += std::exp(static_cast<double>(host[i]));
  bool right = tell(
      "is",
      support::compare<bf16>(
          y.download(),
          [&](std::size_t i) { return std::exp(static_cast<double>(host[i])) / sums[i / cols]; },
          [&](std::size_t) { return support::Bound{.relative = 0x1p-8 + 0x1p-16}; }));
  double bytes = 6.0 * static_cast<double>(rows * cols);
  std::printf("  %s\n", support::speedText(device, bytes, [&] {
                          softmax.launch({rows}, x, y, cols);
                        }).c_str());
  return right;
}

int main() {
  return support::runLesson([](const Device &device) {
    const std::int64_t rows = device.isSimulator() ? 16 : 4096;
    bool right = runSum(device, rows, 65536);
    right = runSoftmax(device, rows, 50257) && right;
    return right;
  });
}
