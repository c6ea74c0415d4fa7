// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cases under which the example kernels are timed, for the benchmark and the golden tests'
// timing mode.
//
//   for (const TimedCase &row : allTimedCases())
//     std::puts(jsonLine(row, row.time(device)).c_str());
#pragma once

#include <trowel/trowel.h>

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace trowel::bench {

struct TimedCase {
  /// The operation and its sizes, in the words of tests/bench/peers.py.
  std::string op;
  std::string size;
  std::string dtype;
  /// What a call does: bytes that must move, counted once, or floating-point operations.
  double work;
  /// "GB/s" or "TFLOP/s".
  std::string unit;
  /// Times the fastest of the configurations that somebody who tunes by hand would try, on random
  /// data. The time of each goes to the error stream.
  std::function<BenchmarkResult(const Device &device)> time;
};

/// Times each call, and the fastest again, as an autotuner would. `count` calls
/// are made by `callOf(index)`; `nameOf(index)` is for the error stream.
BenchmarkResult timeFastest(const Device &device, int count,
                            const std::function<std::function<void()>(int)> &callOf,
                            const std::function<std::string(int)> &nameOf);

/// The cases of the kernels that work on rows.
std::vector<TimedCase> rowCases();

std::span<const TimedCase> allTimedCases();

/// One JSON object: {"op", "case", "dtype", "impl": "trowel", "us", "rate", "unit", "low_us",
/// "high_us"}; low and high enclose nine samples in ten.
std::string jsonLine(const TimedCase &timed, const BenchmarkResult &result);

} // namespace trowel::bench
