// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of rows, and the layers of the language, against float64 references.
//
// Bounds follow from the operations, in units of u = 2^-24: a sum, product or conversion is off by
// a factor of at most 1 + u, exp, division, log by 4 u (2 ulp), rsqrt by 8 u, fast::exp(x) by
// (4 + 2.4 |x|) u. A sum of n terms in a tree adds log2(n) u, in a loop a u for each step. What is
// stored as bf16 is rounded once more. Half a place
// of bf16 is 2^-8 of the least numbers of a binade. A term of second order is below a tenth of
// these.
#include "examples/kernels/CrossEntropy.h"
#include "examples/kernels/Norms.h"
#include "examples/kernels/RowSum.h"
#include "examples/kernels/Softmax.h"
#include "tests/golden/GuardedBuffer.h"
#include "tests/golden/TileIndex.h"
#include "tests/support/Comparison.h"
#include "tests/support/OnEveryDevice.h"
#include "tests/support/RandomData.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace trowel;
using namespace trowel::golden;

namespace {

class RowKernels : public support::OnEveryDevice {};
TROWEL_ON_EVERY_DEVICE(RowKernels);

constexpr double u = 0x1p-24;
constexpr int rows = 2;
constexpr int testedColumns[] = {1, 3, 100, 1000, 1024, 3000, 4096, 5001};

double depthOf(double count) { return std::ceil(std::log2(std::max(count, 1.0))); }

/// A row of a matrix in double, and what is computed from it.
struct Row {
  template <class T> Row(const std::vector<T> &matrix, std::size_t cols, std::size_t row) {
    for (std::size_t i = 0; i < cols; ++i)
      x.push_back(static_cast<double>(matrix[row * cols + i]));
    n = static_cast<double>(cols);
    for (double v : x) {
      largest = std::max(largest, v);
      least = std::min(least, v);
      sum += v;
      magnitude += std::fabs(v);
      squares += v * v;
    }
    for (double v : x) {
      exponentials += std::exp(v - largest);
      deviations += (v - sum / n) * (v - sum / n);
    }
  }
  double softmax(std::size_t i) const { return std::exp(x[i] - largest) / exponentials; }
  double logSumExp() const { return largest + std::log(exponentials); }

  std::vector<double> x;
  double n = 0, largest = -INFINITY, least = INFINITY, sum = 0, magnitude = 0, squares = 0;
  double exponentials = 0, deviations = 0;
};

/// Compares rows of results with `reference(row, i)`, within `bound(row, i)` and, in bf16, a
/// rounding.
template <class T, class Reference, class BoundOf>
void expectRows(const std::vector<T> &result, std::size_t perRow, const std::string &what,
                Reference reference, BoundOf bound) {
  auto referenceOf = [&](std::size_t i) { return reference(i / perRow, i % perRow); };
  auto boundOf = [&](std::size_t i) {
    double absolute = bound(i / perRow, i % perRow);
    if constexpr (std::is_same_v<T, bf16>)
      absolute += std::fabs(referenceOf(i)) * 0x1.02p-8;
    return support::Bound{.absolute = absolute};
  };
  auto comparison = support::compare<T>(std::span<const T>(result), referenceOf, boundOf);
  EXPECT_TRUE(comparison.agrees())
      << what << " of " << name(elementType<T>) << ": " << comparison.text();
}

/// A random matrix on the host and the device, and its rows.
template <class T> struct Matrix {
  Matrix(const Device &device, std::size_t cols, double low, double high)
      : cols(cols), host(support::uniform<T>(rows * cols, low, high, cols)),
        buffer(device.upload(host)) {
    for (std::size_t row = 0; row < rows; ++row)
      all.emplace_back(host, cols, row);
  }
  std::size_t cols;
  std::vector<T> host;
  Buffer<T> buffer;
  std::vector<Row> all;
};

//===- the kernels ----------------------------------------------------------------------------===//

/// How far a term exp(x − largest) may be off, by either exponential.
double termError(const Row &row, bool isFast) {
  double distance = row.largest - row.least;
  return ((isFast ? 4 + 2.4 * distance : 4) + distance) * u;
}

template <class T> void expectSoftmax(const Device &device, int cols) {
  Matrix<T> x(device, cols, -8, 8);
  GuardedBuffer<T> y(device, rows * cols);
  examples::softmaxRows<T>(cols).launch({rows}, x.buffer, y.pointer());
  expectRows<T>(
      y.download(), cols, "softmax of rows of " + std::to_string(cols),
      [&](std::size_t row, std::size_t i) { return x.all[row].softmax(i); },
      [&](std::size_t row, std::size_t i) {
        // Twice the terms, the sum, 1 / sum and a product.
        const Row &r = x.all[row];
        double terms = 2 * termError(r, std::is_same_v<T, bf16>);
        return 1.1 * r.softmax(i) * (terms + (depthOf(cols) + 4 + 1) * u);
      });
}

TEST_P(RowKernels, SoftmaxIsWithinItsBound) {
  for (int cols : testedColumns) {
    expectSoftmax<float>(device(), cols);
    expectSoftmax<bf16>(device(), cols);
  }
}

/// What the two passes of an online softmax add to the error of a sum of exponentials.
double onlineError(const Row &row, int width, int depth) {
  double steps = std::ceil(row.n / (width * depth)), distance = row.largest - row.least;
  // Corrections multiply; their distances add up to the whole one. The last is that between places.
  return 2 * (4 * (steps + 1) + 3.4 * distance) * u + 2 * (steps + 1) * u +
         (depthOf(depth) + depthOf(width)) * u;
}

template <class T> void expectOnlineSoftmax(const Device &device, int cols, int width, int depth) {
  Matrix<T> x(device, cols, -8, 8);
  GuardedBuffer<T> y(device, rows * cols);
  examples::onlineSoftmax<T>(width, depth).launch({rows}, x.buffer, y.pointer(), cols);
  expectRows<T>(
      y.download(), cols,
      "online softmax of rows of " + std::to_string(cols) + " by " + std::to_string(width),
      [&](std::size_t row, std::size_t i) { return x.all[row].softmax(i); },
      [&](std::size_t row, std::size_t i) {
        const Row &r = x.all[row];
        return 1.1 * r.softmax(i) *
               (2 * termError(r, true) + onlineError(r, width, depth) + (4 + 1) * u);
      });
}

TEST_P(RowKernels, OnlineSoftmaxIsWithinItsBound) {
  for (int cols : testedColumns) {
    expectOnlineSoftmax<float>(device(), cols, 256, 2);
    expectOnlineSoftmax<bf16>(device(), cols, 1024, 4);
  }
}

template <class T> void expectRowSum(const Device &device, int cols, int block) {
  Matrix<T> x(device, cols, -2, 2);
  GuardedBuffer<float> sums(device, rows);
  examples::rowSum<T>(block).launch({rows}, x.buffer, sums.pointer(), cols);
  expectRows<float>(
      sums.download(), 1, "sums of rows of " + std::to_string(cols),
      [&](std::size_t row, std::size_t) { return x.all[row].sum; },
      [&](std::size_t row, std::size_t) {
        return 1.1 * (std::ceil(1.0 * cols / block) + depthOf(block)) * u * x.all[row].magnitude;
      });
}

TEST_P(RowKernels, RowSumIsWithinItsBound) {
  for (int cols : testedColumns) {
    expectRowSum<float>(device(), cols, 1024);
    expectRowSum<bf16>(device(), cols, 2048);
  }
}

/// The bound of (x − mean) · scale · weight + bias, where scale = 1 / sqrt(variance + 1e-5).
double normBound(const Row &row, std::size_t i, double weight, double bias) {
  double variance = row.deviations / row.n, scale = 1 / std::sqrt(variance + 1e-5);
  double mean = (depthOf(row.n) + 4) * u * row.magnitude / row.n;
  double centered = std::fabs(row.x[i] - row.sum / row.n);
  double relativeVariance = (depthOf(row.n) + 2 + 1 + 4 + 1) * u + mean * mean / (variance + 1e-5);
  double result = centered * scale * std::fabs(weight);
  return 1.1 * (std::fabs(weight) * scale * mean +
                result * (relativeVariance / 2 + (1 + 8 + 3) * u) + std::fabs(bias) * u);
}

template <class T> void expectLayerNorm(const Device &device, int cols) {
  Matrix<T> x(device, cols, -1, 3);
  std::vector<T> weight = support::uniform<T>(cols, -2, 2, 21),
                 bias = support::uniform<T>(cols, -1, 1, 22);
  Buffer<T> w = device.upload(weight), b = device.upload(bias);
  GuardedBuffer<T> y(device, rows * cols);
  examples::layerNormRows<T>(cols).launch({rows}, x.buffer, w, b, y.pointer());
  auto number = [](T value) { return static_cast<double>(value); };
  expectRows<T>(
      y.download(), cols, "layer normalisation of rows of " + std::to_string(cols),
      [&](std::size_t row, std::size_t i) {
        const Row &r = x.all[row];
        return (r.x[i] - r.sum / r.n) / std::sqrt(r.deviations / r.n + 1e-5) * number(weight[i]) +
               number(bias[i]);
      },
      [&](std::size_t row, std::size_t i) {
        return normBound(x.all[row], i, number(weight[i]), number(bias[i]));
      });
}

TEST_P(RowKernels, LayerNormIsWithinItsBound) {
  for (int cols : testedColumns) {
    expectLayerNorm<float>(device(), cols);
    expectLayerNorm<bf16>(device(), cols);
  }
}

template <class T> void expectRmsNorm(const Device &device, int cols) {
  Matrix<T> x(device, cols, -2, 2);
  std::vector<T> weight = support::uniform<T>(cols, -2, 2, 21);
  Buffer<T> w = device.upload(weight);
  GuardedBuffer<T> y(device, rows * cols);
  examples::rmsNormRows<T>(cols).launch({rows}, x.buffer, w, y.pointer());
  auto reference = [&](std::size_t row, std::size_t i) {
    const Row &r = x.all[row];
    return r.x[i] / std::sqrt(r.squares / r.n + 1e-5) * static_cast<double>(weight[i]);
  };
  expectRows<T>(y.download(), cols, "RMS normalisation of rows of " + std::to_string(cols),
                reference, [&](std::size_t row, std::size_t i) {
                  // Half of what the mean of squares is off by, rsqrt and two products.
                  double relative = (depthOf(cols) + 1 + 4 + 1) / 2 + 8 + 2;
                  return 1.1 * std::fabs(reference(row, i)) * relative * u;
                });
}

TEST_P(RowKernels, RmsNormIsWithinItsBound) {
  for (int cols : testedColumns) {
    expectRmsNorm<float>(device(), cols);
    expectRmsNorm<bf16>(device(), cols);
  }
}

template <class T> void expectCrossEntropy(const Device &device, int cols, int width, int depth) {
  Matrix<T> x(device, cols, -8, 8);
  std::vector<int64> labels{cols - 1, cols / 3};
  Buffer<int64> deviceLabels = device.upload(labels);
  GuardedBuffer<float> losses(device, rows);
  examples::crossEntropyRows<T>(width, depth)
      .launch({rows}, x.buffer, deviceLabels, losses.pointer(), cols);
  expectRows<float>(
      losses.download(), 1, "cross-entropy of rows of " + std::to_string(cols),
      [&](std::size_t row, std::size_t) {
        return x.all[row].logSumExp() - x.all[row].x[labels[row]];
      },
      [&](std::size_t row, std::size_t) {
        const Row &r = x.all[row];
        double total = termError(r, true) + onlineError(r, width, depth);
        double logarithm = std::fabs(std::log(r.exponentials));
        double last = std::fabs(r.logSumExp() - r.x[labels[row]]);
        return 1.1 * (total + 4 * u * logarithm + u * std::fabs(r.logSumExp()) + u * last);
      });
}

TEST_P(RowKernels, CrossEntropyIsWithinItsBound) {
  for (int cols : testedColumns) {
    expectCrossEntropy<float>(device(), cols, 256, 2);
    expectCrossEntropy<bf16>(device(), cols, 1024, 4);
  }
}

TEST_P(RowKernels, TakeRowsOfNoElements) {
  Buffer<float> x = device().upload({1.0f});
  GuardedBuffer<float> sums(device(), 3), none(device(), 0);
  examples::rowSum<float>(256).launch({3}, x, sums.pointer(), 0);
  EXPECT_EQ(sums.download(), (std::vector<float>{0, 0, 0}));
  examples::onlineSoftmax<float>(256, 2).launch({3}, x, none.pointer(), 0);
  none.download();
}

TEST_P(RowKernels, KeepInfinitiesAndNaNInTheirRow) {
  const int cols = 3000;
  std::vector<float> host = support::uniform<float>(4 * cols, -2, 2, 1);
  for (int i = 0; i < cols; ++i)
    host[cols + i] = -INFINITY;
  host[2 * cols + 7] = std::numeric_limits<float>::quiet_NaN();
  host[3 * cols + 2999] = -INFINITY;
  Buffer<float> x = device().upload(host);
  for (bool isOnline : {false, true}) {
    GuardedBuffer<float> y(device(), host.size());
    if (isOnline)
      examples::onlineSoftmax<float>(256, 2).launch({4}, x, y.pointer(), cols);
    else
      examples::softmaxRows<float>(cols).launch({4}, x, y.pointer());
    std::vector<float> result = y.download();
    for (int i = 0; i < cols; ++i) {
      ASSERT_GT(result[i], 0.0f) << isOnline;
      ASSERT_TRUE(std::isnan(result[cols + i])) << isOnline;
      ASSERT_TRUE(std::isnan(result[2 * cols + i])) << isOnline;
      ASSERT_EQ(result[3 * cols + i] > 0, i != 2999) << isOnline;
    }
  }
}

//===- the layers -----------------------------------------------------------------------------===//

TEST_P(RowKernels, SoftmaxOfAPartOfARowCountsThatPartAlone) {
  for (int warps : {1, 4, 8}) {
    auto body = kernel(
        "part",
        [](Ptr<const float> x, Ptr<float> y, Index n) {
          Tile<int32> i = iota(128);
          store(y + i, softmax(load(x + i, i < n, -INFINITY)));
        },
        Options{.warps = warps});
    std::vector<float> ones(100, 3.0f);
    Buffer<float> x = device().upload(ones);
    for (int n : {100, 1, 0}) {
      GuardedBuffer<float> y(device(), 128);
      body.launch({1}, x, y.pointer(), n);
      std::vector<float> result = y.download();
      for (int i = 0; i < 128; ++i)
        if (n == 0)
          ASSERT_TRUE(std::isnan(result[i]));
        else if (i < n)
          ASSERT_NEAR(result[i], 1.0 / n, 16 * u / n);
        else
          ASSERT_EQ(result[i], 0.0f);
    }
  }
}

TEST_P(RowKernels, LayersWorkAlongEitherAxis) {
  const int a = 5, b = 12;
  for (int axis : {0, 1}) {
    auto body = kernel(
        "layers",
        [=](Ptr<const float> x, Ptr<const int32> label, Ptr<float> y) {
          Tile<int32> index = indexOf({a, b});
          Tile<float> v = load(x + index);
          int count = a * b, other = axis == 0 ? b : a;
          store(y + index, softmax(v, Axis{axis}));
          store(y + count + index, layerNorm(v, 2.0f, 1.0f, Axis{axis}));
          store(y + 2 * count + index, rmsNorm(v, 0.5f, Axis{axis}));
          Tile<int32> line = iota(other);
          store(y + 3 * count + expand(line, Axis{axis}), logSumExp(v, Axis{axis}));
          Tile<int32> labels = expand(load(label + line), Axis{axis});
          store(y + 4 * count + expand(line, Axis{axis}), crossEntropy(v, labels, Axis{axis}));
        },
        Options{.warps = 4});
    std::vector<float> host = support::uniform<float>(a * b, -3, 3, 2);
    Lines lines({a, b}, axis);
    std::vector<int32> label(lines.count);
    for (int i = 0; i < lines.count; ++i)
      label[i] = i * 5 % lines.extent;
    Buffer<float> x = device().upload(host);
    Buffer<int32> labels = device().upload(label);
    GuardedBuffer<float> y(device(), 4 * a * b + lines.count);
    body.launch({1}, x, labels, y.pointer());
    std::vector<float> result = y.download();
    for (int line = 0; line < lines.count; ++line) {
      std::vector<float> values;
      for (int i = 0; i < lines.extent; ++i)
        values.push_back(host[lines.element(line, i)]);
      Row row(values, lines.extent, 0);
      for (int i = 0; i < lines.extent; ++i) {
        int at = lines.element(line, i);
        EXPECT_NEAR(result[at], row.softmax(i), 64 * u * row.softmax(i)) << axis;
        double normal = (row.x[i] - row.sum / row.n) / std::sqrt(row.deviations / row.n + 1e-5);
        EXPECT_NEAR(result[a * b + at], normal * 2 + 1, normBound(row, i, 2, 1)) << axis;
        double rms = 0.5 * row.x[i] / std::sqrt(row.squares / row.n + 1e-5);
        EXPECT_NEAR(result[2 * a * b + at], rms, 32 * u * std::fabs(rms)) << axis;
      }
      double total = row.logSumExp();
      EXPECT_NEAR(result[3 * a * b + line], total, 64 * u * (1 + std::fabs(total))) << axis;
      EXPECT_NEAR(result[4 * a * b + line], total - row.x[label[line]],
                  64 * u * (4 + std::fabs(total)))
          << axis;
    }
  }
}

} // namespace
