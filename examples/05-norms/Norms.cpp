// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lesson 5: normalisation of rows and its gradients.
//
// Forward a row stays in registers for its mean, its variance and its result. Backward a program
// takes several rows in a loop and keeps what they contribute to the weight's gradient in a tile
// that the loop carries; a second kernel adds these tiles. `dweight += d * n` in the body is all
// that says so (examples/kernels/NormsBackward.cpp).
//
// All is compared with float64. The bounds are multiples of 2^-24 (for bf16 of its own rounding,
// 2^-8) of the largest terms that were added: n and weight are below 2 and 1 here, gradients
// below 4.
#include "examples/kernels/Norms.h"

#include "examples/kernels/NormsBackward.h"
#include "tests/support/Lesson.h"
#include "tests/support/RandomData.h"
#include "tests/support/Timing.h"

#include <cmath>
#include <cstdio>

using namespace trowel;
using support::tell;

namespace {
constexpr std::int64_t cols = 1024;
constexpr int depth = 16;

/// What float64 makes of the same inputs.
struct Reference {
  std::vector<double> y, dx, dweight, dbias;

  template <class T>
  Reference(const std::vector<T> &x, const std::vector<T> &weight, const std::vector<T> &bias,
            const std::vector<T> &dy, bool centers)
      : y(x.size()), dx(x.size()), dweight(cols), dbias(cols) {
    for (std::size_t row = 0; row < x.size() / cols; ++row) {
      auto at = [&](const std::vector<T> &m, std::int64_t c) -> double {
        return m[row * cols + c];
      };
      double mean = 0, square = 0, ofG = 0, ofGn = 0;
      for (std::int64_t c = 0; c < cols; ++c)
        mean += centers ? at(x, c) / cols : 0;
      for (std::int64_t c = 0; c < cols; ++c)
        square += (at(x, c) - mean) * (at(x, c) - mean) / cols;
      double r = 1 / std::sqrt(square + 1e-5);
      for (std::int64_t c = 0; c < cols; ++c) {
        double n = (at(x, c) - mean) * r, w = weight[c];
        y[row * cols + c] = n * w + (centers ? static_cast<double>(bias[c]) : 0);
        ofG += centers ? at(dy, c) * w / cols : 0;
        ofGn += at(dy, c) * w * n / cols;
        dweight[c] += at(dy, c) * n;
        dbias[c] += at(dy, c);
      }
      for (std::int64_t c = 0; c < cols; ++c)
        dx[row * cols + c] = r * (at(dy, c) * weight[c] - ofG - (at(x, c) - mean) * r * ofGn);
    }
  }
};

support::Comparison compareWith(const std::vector<double> &reference, auto result, double bound) {
  using T = typename decltype(result)::value_type;
  double relative = sizeof(T) == 2 ? 0x1p-8 : 0;
  return support::compare<T>(
      result, [&](std::size_t i) { return reference[i]; },
      [&](std::size_t i) {
        return support::Bound{.absolute = bound + relative * std::fabs(reference[i])};
      });
}
} // namespace

template <class T> static bool run(const Device &device, std::int64_t rows) {
  std::printf("normalisation of %lld x %lld %s on %s\n", static_cast<long long>(rows),
              static_cast<long long>(cols), name(elementType<T>), device.describe().c_str());
  std::vector<T> hostX = support::uniform<T>(rows * cols, -2, 2, 1),
                 hostWeight = support::uniform<T>(cols, -1, 1, 2),
                 hostBias = support::uniform<T>(cols, -1, 1, 3),
                 hostDy = support::uniform<T>(rows * cols, -1, 1, 4);
  Buffer<T> x = device.upload(hostX), weight = device.upload(hostWeight),
            bias = device.upload(hostBias), dy = device.upload(hostDy);
  Buffer<T> y = device.allocate<T>(rows * cols), dx = device.allocate<T>(rows * cols);
  const std::int64_t programs = cdiv(rows, std::int64_t{depth});
  Buffer<float> weightParts = device.allocate<float>(programs * cols),
                biasParts = device.allocate<float>(programs * cols),
                dweight = device.allocate<float>(cols), dbias = device.allocate<float>(cols);
  auto columnSums = examples::columnSums(256);
  const double computed = 64 * 0x1p-24, summed = static_cast<double>(rows) * 4 * 0x1p-24 * 4;

  Reference layer(hostX, hostWeight, hostBias, hostDy, /*centers=*/true);
  auto forward = examples::layerNormRows<T>(cols);
  forward.launch({rows}, x, weight, bias, y);
  bool right = tell("layernorm is", compareWith(layer.y, y.download(), computed));
  auto backward = examples::layerNormBackward<T>(cols, depth);
  backward.launch({programs}, x, weight, dy, dx, weightParts, biasParts, rows);
  columnSums.launch({cdiv(cols, std::int64_t{256})}, weightParts, dweight, programs, cols);
  columnSums.launch({cdiv(cols, std::int64_t{256})}, biasParts, dbias, programs, cols);
  right = tell("  its dx is", compareWith(layer.dx, dx.download(), computed)) && right;
  right = tell("  its dweight is", compareWith(layer.dweight, dweight.download(), summed)) && right;
  right = tell("  its dbias is", compareWith(layer.dbias, dbias.download(), summed)) && right;
  double bytes = 3.0 * sizeof(T) * static_cast<double>(rows * cols);
  std::string speed = support::speedText(device, bytes, [&] {
    backward.launch({programs}, x, weight, dy, dx, weightParts, biasParts, rows);
  });
  std::printf("  its gradients: %s\n", speed.c_str());

  Reference rms(hostX, hostWeight, hostBias, hostDy, /*centers=*/false);
  examples::rmsNormRows<T>(cols).launch({rows}, x, weight, y);
  right = tell("rmsnorm is", compareWith(rms.y, y.download(), computed)) && right;
  examples::rmsNormBackward<T>(cols, depth)
      .launch({programs}, x, weight, dy, dx, weightParts, rows);
  columnSums.launch({cdiv(cols, std::int64_t{256})}, weightParts, dweight, programs, cols);
  right = tell("  its dx is", compareWith(rms.dx, dx.download(), computed)) && right;
  right = tell("  its dweight is", compareWith(rms.dweight, dweight.download(), summed)) && right;
  return right;
}

int main() {
  return support::runLesson([](const Device &device) {
    const std::int64_t rows = device.isSimulator() ? 100 : 16384;
    bool right = run<float>(device, rows);
    right = run<bf16>(device, rows) && right;
    return right;
  });
}
