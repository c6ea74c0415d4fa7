// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The timed cases of kernels that work on rows, in the sizes of tests/bench/peers.py.
//
// The rate counts the matrix once for each time that it must be read or written; weights, labels
// and what is one number a row are left out, as the peers do. Each case tries a few configurations:
// numbers of warps where a row fits a program, and also blocks where it does not.
#include "tests/bench/TimedCases.h"

#include "examples/kernels/CrossEntropy.h"
#include "examples/kernels/Norms.h"
#include "examples/kernels/RowSum.h"
#include "examples/kernels/Softmax.h"
#include "tests/support/RandomData.h"

namespace trowel::bench {

namespace {
struct Choice {
  int block; // 0 where the row is the block
  int warps;
  int depth = 1; // of the block, where that has one
};
constexpr Choice wholeRows[] = {{0, 1}, {0, 2}, {0, 4}, {0, 8}, {0, 16}, {0, 32}};
constexpr Choice blocks[] = {{1024, 4}, {2048, 4},  {2048, 8}, {4096, 4},
                             {4096, 8}, {4096, 16}, {8192, 8}, {8192, 16}};
constexpr Choice deepBlocks[] = {{2048, 4, 2},  {2048, 8, 2}, {4096, 4, 4},  {4096, 8, 2},
                                 {4096, 8, 4},  {4096, 8, 8}, {4096, 16, 8}, {8192, 8, 4},
                                 {8192, 16, 4}, {8192, 16, 2}};

/// `callOf(choice)` is a callable that launches. Choices that are refused, as too many elements for
/// a thread are, are left out.
template <class CallOf>
BenchmarkResult timeChoices(const Device &device, std::span<const Choice> choices,
                            std::int64_t cols, const CallOf &callOf) {
  std::vector<Choice> possible;
  for (const Choice &choice : choices) {
    std::int64_t perThread = (choice.block ? choice.block : cols) / (32 * choice.warps);
    if (perThread <= 64 && (choice.block != 0 || perThread >= 2))
      possible.push_back(choice);
  }
  return timeFastest(
      device, static_cast<int>(possible.size()),
      [&](int index) { return std::function<void()>(callOf(possible[index])); },
      [&](int index) {
        return "block " + std::to_string(possible[index].block) + ", warps " +
               std::to_string(possible[index].warps) + ", depth " +
               std::to_string(possible[index].depth);
      });
}

template <class T> Buffer<T> randomMatrix(const Device &device, std::int64_t count) {
  return device.upload(support::uniform<T>(static_cast<std::size_t>(count), -2, 2, 1));
}

template <class T>
BenchmarkResult timeSoftmax(const Device &device, std::int64_t rows, std::int64_t cols) {
  Buffer<T> x = randomMatrix<T>(device, rows * cols), y = device.allocate<T>(rows * cols);
  return timeChoices(device, wholeRows, cols, [&](const Choice &choice) {
    return [&, k = examples::softmaxRows<T>(static_cast<int>(cols), {.warps = choice.warps})] {
      k.launch({rows}, x, y);
    };
  });
}

template <class T>
BenchmarkResult timeRowSum(const Device &device, std::int64_t rows, std::int64_t cols) {
  Buffer<T> x = randomMatrix<T>(device, rows * cols);
  Buffer<float> sums = device.allocate<float>(rows);
  return timeChoices(device, blocks, cols, [&](const Choice &choice) {
    return [&, k = examples::rowSum<T>(choice.block, {.warps = choice.warps})] {
      k.launch({rows}, x, sums, cols);
    };
  });
}

template <class T>
BenchmarkResult timeLayerNorm(const Device &device, std::int64_t rows, std::int64_t cols) {
  Buffer<T> x = randomMatrix<T>(device, rows * cols), y = device.allocate<T>(rows * cols);
  Buffer<T> weight = randomMatrix<T>(device, cols), bias = randomMatrix<T>(device, cols);
  return timeChoices(device, wholeRows, cols, [&](const Choice &choice) {
    return [&, k = examples::layerNormRows<T>(static_cast<int>(cols), {.warps = choice.warps})] {
      k.launch({rows}, x, weight, bias, y);
    };
  });
}

template <class T>
BenchmarkResult timeRmsNorm(const Device &device, std::int64_t rows, std::int64_t cols) {
  Buffer<T> x = randomMatrix<T>(device, rows * cols), y = device.allocate<T>(rows * cols);
  Buffer<T> weight = randomMatrix<T>(device, cols);
  return timeChoices(device, wholeRows, cols, [&](const Choice &choice) {
    return [&, k = examples::rmsNormRows<T>(static_cast<int>(cols), {.warps = choice.warps})] {
      k.launch({rows}, x, weight, y);
    };
  });
}

template <class T>
BenchmarkResult timeCrossEntropy(const Device &device, std::int64_t rows, std::int64_t cols) {
  Buffer<T> x = randomMatrix<T>(device, rows * cols);
  std::vector<std::int64_t> labels(rows);
  for (std::int64_t row = 0; row < rows; ++row)
    labels[row] = row * 7919 % cols;
  Buffer<std::int64_t> label = device.upload(labels);
  Buffer<float> loss = device.allocate<float>(rows);
  return timeChoices(device, deepBlocks, cols, [&](const Choice &choice) {
    return [&, k = examples::crossEntropyRows<T>(choice.block / choice.depth, choice.depth,
                                                 {.warps = choice.warps})] {
      k.launch({rows}, x, label, loss, cols);
    };
  });
}

using Time = BenchmarkResult (*)(const Device &, std::int64_t, std::int64_t);
struct Operation {
  const char *op;
  /// How often the matrix moves.
  int passes;
  Time inF32, inBf16;
  std::vector<std::pair<std::int64_t, std::int64_t>> sizes;
};
} // namespace

std::vector<TimedCase> rowCases() {
  const Operation operations[] = {
      {"softmax",
       2,
       timeSoftmax<float>,
       timeSoftmax<bf16>,
       {{16384, 1024}, {8192, 4096}, {8192, 8192}, {4096, 32768}, {4096, 3000}}},
      {"rowsum", 1, timeRowSum<float>, timeRowSum<bf16>, {{8192, 4096}, {4096, 65536}}},
      {"rmsnorm",
       2,
       timeRmsNorm<float>,
       timeRmsNorm<bf16>,
       {{16384, 1024}, {8192, 4096}, {8192, 8192}}},
      {"cross_entropy",
       1,
       timeCrossEntropy<float>,
       timeCrossEntropy<bf16>,
       {{8192, 50257}, {4096, 128256}}},
      {"layernorm",
       2,
       timeLayerNorm<float>,
       timeLayerNorm<bf16>,
       {{16384, 1024}, {8192, 4096}, {8192, 8192}, {4096, 16384}}},
  };
  std::vector<TimedCase> cases;
  for (const Operation &operation : operations)
    for (bool isWide : {true, false})
      for (auto [rows, cols] : operation.sizes) {
        Time time = isWide ? operation.inF32 : operation.inBf16;
        double bytes = static_cast<double>(rows * cols) * (isWide ? 4 : 2) * operation.passes;
        cases.push_back({operation.op, std::to_string(rows) + "x" + std::to_string(cols),
                         isWide ? "f32" : "bf16", bytes, "GB/s",
                         [=, rows = rows, cols = cols](const Device &device) {
                           return time(device, rows, cols);
                         }});
      }
  return cases;
}

} // namespace trowel::bench
