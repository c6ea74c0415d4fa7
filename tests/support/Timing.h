// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long a launch takes on a GPU: events around it, warm-up, the L2 cache flushed, the median.
//
//   Timing t = timeOnGpu(device, [&] { add.launch({blocks}, x, y, z, n); });
//   std::puts(speedText(device, 12.0 * n, [&] { add.launch({blocks}, x, y, z, n); }).c_str());
//
// A header, so that it works with either of the two libraries.
#pragma once

#include <trowel/Device.h>
#include <trowel/Stream.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

namespace trowel::support {

struct Timing {
  double median = 0;
  /// The 5th and 95th of a hundred, in microseconds as the median.
  double low = 0, high = 0;
  int samples = 0;
};

/// Times `launch`, which puts work on the default stream and does not wait. Between two samples a
/// large buffer is overwritten, so that inputs come from memory and not from the L2 cache; nothing
/// waits for the GPU until the end, so that launches queue up and their cost on the CPU does not
/// show.
template <class Launch>
Timing timeOnGpu(const Device &device, Launch launch, int warmUps = 25, int samples = 100) {
  Stream stream = Stream::defaultOf(device);
  std::size_t flushBytes =
      static_cast<std::size_t>(std::max<std::int64_t>(256 << 20, 4 * device.limits().l2Bytes));
  Buffer<int32> flush = device.allocate<int32>(flushBytes / sizeof(int32));
  for (int i = 0; i < warmUps; ++i)
    launch();
  std::vector<Event> begins, ends;
  for (int i = 0; i < samples; ++i) {
    begins.emplace_back(device);
    ends.emplace_back(device);
    flush.fillBytes(0);
    begins.back().record(stream);
    launch();
    ends.back().record(stream);
  }
  stream.synchronize();
  std::vector<double> times;
  for (int i = 0; i < samples; ++i)
    times.push_back(Event::microseconds(begins[i], ends[i]));
  std::sort(times.begin(), times.end());
  return {times[samples / 2], times[samples * 5 / 100], times[samples * 95 / 100], samples};
}

/// One sentence on how fast `launch` moves `bytes`; on the software device, how long it took, which
/// is no speed of anything.
template <class Launch> std::string speedText(const Device &device, double bytes, Launch launch) {
  char line[200];
  if (device.isSimulator()) {
    auto begin = std::chrono::steady_clock::now();
    launch();
    device.synchronize();
    std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    std::snprintf(line, sizeof line,
                  "took %.2f s on the software device, which says nothing about a GPU's speed",
                  taken.count());
    return line;
  }
  Timing timing = timeOnGpu(device, launch);
  std::snprintf(
      line, sizeof line,
      "%.1f us, %.0f GB/s (median of %d after warm-up, L2 flushed; 90 %% within %.1f to %.1f us)",
      timing.median, bytes / timing.median * 1e-3, timing.samples, timing.low, timing.high);
  return line;
}

} // namespace trowel::support
