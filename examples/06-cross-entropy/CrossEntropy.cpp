// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lesson 6: the loss of a language model, a reduction with a row of 50257 scores.
//
// One pass over the scores, as in the online softmax of lesson 4, and one load of the label's score
// through an index that is itself loaded. Rows of 50257 begin at any address, so elements move one
// by one; `trowel-dump cross_entropy` shows the wide form that even pitches get.
//
// The result is off by the roundings of a sum of exponentials and of one logarithm, all relative to
// numbers below log(cols) + 8: 2^-20 of that covers them.
#include "examples/kernels/CrossEntropy.h"
#include "tests/support/Lesson.h"
#include "tests/support/RandomData.h"
#include "tests/support/Timing.h"

#include <cmath>
#include <cstdio>

using namespace trowel;
using support::tell;

template <class T> static bool run(const Device &device, std::int64_t rows, std::int64_t cols) {
  std::printf("cross-entropy of %lld x %lld %s on %s\n", static_cast<long long>(rows),
              static_cast<long long>(cols), name(elementType<T>), device.describe().c_str());
  std::vector<T> host = support::uniform<T>(rows * cols, -4, 4, 1);
  std::vector<std::int64_t> labels(rows);
  for (std::int64_t row = 0; row < rows; ++row)
    labels[row] = row * 7919 % cols;
  Buffer<T> scores = device.upload(host);
  Buffer<std::int64_t> label = device.upload(labels);
  Buffer<float> losses = device.allocate<float>(rows);
  auto crossEntropy = examples::crossEntropyRows<T>(1024, 4);
  crossEntropy.launch({rows}, scores, label, losses, cols);

  std::vector<double> sums(rows);
  for (std::int64_t i = 0; i < rows * cols; ++i)
    sums[i / cols] += std::exp(static_cast<double>(host[i]));
  double bound = (std::log(static_cast<double>(cols)) + 8) * 0x1p-20;
  bool right = tell("is", support::compare<float>(
                              losses.download(),
                              [&](std::size_t row) {
                                return std::log(sums[row]) -
                                       static_cast<double>(host[row * cols + labels[row]]);
                              },
                              [&](std::size_t) { return support::Bound{.absolute = bound}; }));
  double bytes = sizeof(T) * static_cast<double>(rows * cols);
  std::string speed = support::speedText(
      device, bytes, [&] { crossEntropy.launch({rows}, scores, label, losses, cols); });
  std::printf("  %s\n", speed.c_str());
  return right;
}

int main() {
  return support::runLesson([](const Device &device) {
    const std::int64_t rows = device.isSimulator() ? 16 : 8192;
    bool right = run<float>(device, rows, 50257);
    right = run<bf16>(device, rows, 50257) && right;
    return right;
  });
}
