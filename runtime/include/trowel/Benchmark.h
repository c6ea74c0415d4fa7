// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long work takes on a GPU: warm-up, events around each sample, the L2 cache flushed before it,
// the median and the spread.
//
//   BenchmarkResult add = benchmark([&] { k.launch({rows}, x, y); });
//   std::printf("%.1f us, %.0f GB/s\n", add.median, add.perSecond(8.0 * rows) * 1e-9);
#pragma once

#include "trowel/Stream.h"

namespace trowel {

struct BenchmarkOptions {
  /// Calls before the first sample: they compile, load and fill caches of instructions. Behind them
  /// the device is kept busy for 50 ms, so that its clock is up (unless flushL2 is off).
  int warmUps = 25;
  /// Calls that are timed, each by itself.
  int samples = 100;
  /// Whether a buffer larger than the L2 cache is overwritten before each sample, so that inputs
  /// come from memory, as they do in a program that does something else between two calls.
  bool flushL2 = true;
};

/// Times of one call in microseconds, as the device's clock has them.
struct BenchmarkResult {
  double median = 0;
  /// The 5th and the 95th of a hundred: nine in ten samples lie between them.
  double low = 0;
  double high = 0;
  int samples = 0;

  /// How much of `work` (bytes, operations) is done in a second, by the median.
  ///
  ///   double bytesPerSecond = timing.perSecond(12.0 * count);
  ///   double gigabytes = bytesPerSecond * 1e-9;
  double perSecond(double work) const { return work / (median * 1e-6); }
};

namespace detail {
TROWEL_API BenchmarkResult runBenchmark(const Stream &stream, void (*call)(void *), void *callable,
                                        const BenchmarkOptions &options,
                                        const std::source_location &at);
} // namespace detail

/// Times `call`, which puts work into `stream` and does not wait for it. Nothing waits for the
/// device until the last sample, so that calls queue up and their cost on the CPU does not show.
/// Refuses the software device, which has no speed. Exceptions of `call` pass through.
///
///   BenchmarkResult timing = benchmark(stream, [&] { k.launch(stream, {rows}, x, y); });
///   auto warm = benchmark(stream, [&] { k.launch(stream, {rows}, x); }, {.flushL2 = false});
template <class Call>
BenchmarkResult benchmark(const Stream &stream, Call &&call, const BenchmarkOptions &options = {},
                          std::source_location at = std::source_location::current()) {
  using Target = std::remove_reference_t<Call> *;
  Target target = &call;
  return detail::runBenchmark(
      stream, [](void *callable) { (**static_cast<Target *>(callable))(); }, &target, options, at);
}

/// The same in the default stream of a device.
///
///   BenchmarkResult timing = benchmark(device, [&] { k.launch({rows}, x, y); });
///   std::printf("%.1f us (%.1f to %.1f)\n", timing.median, timing.low, timing.high);
template <class Call>
BenchmarkResult benchmark(const Device &device, Call &&call, const BenchmarkOptions &options = {},
                          std::source_location at = std::source_location::current()) {
  return benchmark(Stream::defaultOf(device), call, options, at);
}

/// The same on `Device::best()`.
///
///   double time = benchmark([&] { k.launch({rows}, x, y); }).median;
///   std::printf("%.1f us\n", time);
template <class Call>
BenchmarkResult benchmark(Call &&call, const BenchmarkOptions &options = {},
                          std::source_location at = std::source_location::current())
  requires(std::is_invocable_v<Call &>)
{
  return benchmark(Device::best(at), call, options, at);
}

} // namespace trowel
