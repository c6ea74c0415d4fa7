// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How fast a launch is, as a sentence for people.
//
//   std::puts(speedText(device, 12.0 * n, [&] { add.launch({blocks}, x, y, z, n); }).c_str());
//
// A header, so that it works with either of the two libraries.
#pragma once

#include <trowel/Benchmark.h>

#include <chrono>
#include <cstdio>
#include <string>

namespace trowel::support {

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
  BenchmarkResult result = benchmark(device, launch);
  std::snprintf(
      line, sizeof line,
      "%.1f us, %.0f GB/s (median of %d after warm-up, L2 flushed; 90 %% within %.1f to %.1f us)",
      result.median, result.perSecond(bytes) * 1e-9, result.samples, result.low, result.high);
  return line;
}

} // namespace trowel::support
