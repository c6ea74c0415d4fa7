// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Timing by events.
//
// A sample is: flush, mark, call, mark. All samples are queued before anything waits. The GPU works
// through them while the CPU is ahead, so what lies between two marks is the work and not the
// driver's time to launch it, as long as a flush takes longer than a call costs the CPU (60 us
// against 5 us on an H200).
//
// The flush overwrites four times the L2 cache, at least 256 MiB. Reading would do to push other
// lines out, but written lines must also travel to memory, and that is what the caches of a real
// program are full of. Both are how the timing functions of Triton and PyTorch work, so that
// figures compare.
//
// Median and percentiles, not mean and deviation: a sample that met another process is far off and
// says nothing about the code.
#include "trowel/Benchmark.h"

#include "trowel/Buffer.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace trowel {

/// Bytes that, overwritten, push everything else out of the L2 cache.
static std::size_t flushBytes(const Device &device) {
  return static_cast<std::size_t>(
      std::max<std::int64_t>(std::int64_t(256) << 20, 4 * device.limits().l2Bytes));
}

/// Keeps the device busy for a while. One that waited for its host runs at a lower clock, and takes
/// milliseconds to be back: a vector add of 2^20 took 8.2 to 8.6 us on an H200 behind a pause, and
/// 7.8 in the middle of work.
static void raiseClocks(const Stream &stream, Buffer<uint8> &flushed,
                        const std::source_location &at) {
  auto begin = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(50)) {
    for (int i = 0; i < 16; ++i)
      flushed.fillBytes(stream, 0, at);
    stream.synchronize(at);
  }
}

static void checkBenchmark(const Device &device, const BenchmarkOptions &options,
                           const std::source_location &at) {
  detail::CallSite here(at);
  if (device.isSimulator())
    throw Error(fmt::format("benchmark: {} has no speed to measure; run on a GPU "
                            "(Device::cuda(0), or TROWEL_DEVICE=cuda)",
                            device.describe()));
  if (options.samples < 1)
    throw Error(
        fmt::format("benchmark: asked for {} samples; at least 1 is needed", options.samples));
  if (options.warmUps < 0)
    throw Error(fmt::format("benchmark: asked for {} warm-ups; 0 is the fewest", options.warmUps));
}

BenchmarkResult detail::runBenchmark(const Stream &stream, void (*call)(void *), void *callable,
                                     const BenchmarkOptions &options,
                                     const std::source_location &at) {
  Device device = stream.device();
  checkBenchmark(device, options, at);

  for (int i = 0; i < options.warmUps; ++i)
    call(callable);

  Buffer<uint8> flushed;
  if (options.flushL2)
    flushed = device.allocate<uint8>(flushBytes(device), at);
  if (options.flushL2 && options.warmUps > 0)
    raiseClocks(stream, flushed, at);
  std::vector<Event> begins, ends;
  for (int i = 0; i < options.samples; ++i) {
    begins.emplace_back(device, at);
    ends.emplace_back(device, at);
  }
  for (int i = 0; i < options.samples; ++i) {
    if (options.flushL2)
      flushed.fillBytes(stream, 0, at);
    begins[i].record(stream, at);
    call(callable);
    ends[i].record(stream, at);
  }
  stream.synchronize(at);

  std::vector<double> times;
  for (int i = 0; i < options.samples; ++i)
    times.push_back(Event::microseconds(begins[i], ends[i], at));
  std::sort(times.begin(), times.end());
  auto quantile = [&](double part) {
    return times[static_cast<std::size_t>(part * (times.size() - 1) + 0.5)];
  };
  return {quantile(0.5), quantile(0.05), quantile(0.95), options.samples};
}

} // namespace trowel
