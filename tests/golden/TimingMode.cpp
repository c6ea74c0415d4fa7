// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How fast the example kernels move their bytes on a GPU.
//
// Figures are no tests: a busy or hot machine would fail them, so they are printed and judged
// elsewhere. Each case is timed after 25 launches of warm-up, with the L2 cache flushed before each
// of 100 samples, and the median is printed. Like somebody who tunes by hand, each case tries a few
// block sizes and numbers of warps and keeps the fastest, by a short timing first.
//
// The rate counts the bytes that must move, once: two reads and a write of an addition; one read
// and one write of a GELU, whose bias stays in the cache.
#include "tests/golden/TimingMode.h"

#include "examples/kernels/BiasGelu.h"
#include "examples/kernels/VectorAdd.h"
#include "tests/support/RandomData.h"
#include "tests/support/Timing.h"

#include <cstdio>

namespace trowel::golden {

static void print(const char *op, const std::string &size, const char *dtype, double bytes,
                  double microseconds) {
  std::printf(
      "{\"op\": \"%s\", \"case\": \"%s\", \"dtype\": \"%s\", \"impl\": \"trowel\", \"us\": %.2f, "
      "\"rate\": %.1f, \"unit\": \"GB/s\"}\n",
      op, size.c_str(), dtype, microseconds, bytes / microseconds * 1e-3);
  std::fflush(stdout);
}

/// What a user who tunes by hand would try.
struct Choice {
  int block;
  Options options;
};
static const Choice choices[] = {{1024, {}},           {2048, {}},           {4096, {}},
                                 {8192, {}},           {1024, {.warps = 4}}, {2048, {.warps = 4}},
                                 {4096, {.warps = 8}}, {8192, {.warps = 8}}, {512, {.warps = 2}},
                                 {512, {.warps = 4}},  {1024, {.warps = 8}}, {2048, {.warps = 8}}};

/// The median time of the fastest choice; what each took goes to the error stream.
template <class LaunchOf> static double fastest(const Device &device, LaunchOf launchOf) {
  Choice best{};
  double least = 1e30;
  for (const Choice &choice : choices) {
    double median = support::timeOnGpu(device, launchOf(choice), 5, 30).median;
    std::fprintf(stderr, "  block %d, warps %d: %.2f us\n", choice.block, choice.options.warps,
                 median);
    if (median < least) {
      least = median;
      best = choice;
    }
  }
  return support::timeOnGpu(device, launchOf(best)).median;
}

static void timeAdd(const Device &device, std::int64_t n) {
  auto count = static_cast<std::size_t>(n);
  Buffer<float> x = device.upload(support::uniform<float>(count, -1, 1, 1));
  Buffer<float> y = device.upload(support::uniform<float>(count, -1, 1, 2));
  Buffer<float> z = device.allocate<float>(count);
  double time = fastest(device, [&](const Choice &choice) {
    return [&, block = choice.block, add = examples::vectorAdd(choice.block, choice.options)] {
      add.launch({(n + block - 1) / block}, x, y, z, n);
    };
  });
  print("add", std::to_string(n), "f32", 12.0 * static_cast<double>(n), time);
}

static void timeBiasGelu(const Device &device, std::int64_t rows, std::int64_t cols) {
  auto count = static_cast<std::size_t>(rows * cols);
  Buffer<bf16> x = device.upload(support::uniform<bf16>(count, -4, 4, 1));
  Buffer<bf16> bias =
      device.upload(support::uniform<bf16>(static_cast<std::size_t>(cols), -1, 1, 2));
  Buffer<bf16> y = device.allocate<bf16>(count);
  double time = fastest(device, [&](const Choice &choice) {
    return
        [&, block = choice.block, gelu = examples::biasGelu<bf16>(choice.block, choice.options)] {
          gelu.launch({rows, (cols + block - 1) / block}, x, bias, y, cols);
        };
  });
  print("bias_gelu", std::to_string(rows) + "x" + std::to_string(cols), "bf16",
        4.0 * static_cast<double>(count), time);
}

int printTimings() {
  Device device = Device::best();
  if (device.isSimulator()) {
    std::fprintf(stderr, "--time needs a GPU; this is %s, which has no speed\n",
                 device.describe().c_str());
    return 1;
  }
  timeAdd(device, 1 << 20);
  timeAdd(device, 1 << 26);
  timeBiasGelu(device, 8192, 8192);
  return 0;
}

} // namespace trowel::golden
