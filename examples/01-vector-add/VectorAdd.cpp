// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lesson 1: adding two vectors.
//
// The kernel is ten lines in examples/kernels/VectorAdd.cpp. Here it is launched: a device,
// buffers, a grid. The first launch traces the lambda, compiles the trace to PTX for the device at
// hand and loads it; later ones only launch. One float addition is correctly rounded on every
// device, so the result is compared for equality, with a sum in float64 rounded once.
//
// On a GPU the vectors have 2^26 elements, 805 MB in all, so that the memory and nothing else is
// measured. The software device runs the same PTX instruction by instruction, on a quarter of that,
// and counts: each access of a warp moves 512 bytes in 16 sectors of 32 bytes, the fewest that it
// can.
#include "examples/kernels/VectorAdd.h"
#include "tests/support/Comparison.h"
#include "tests/support/RandomData.h"
#include "tests/support/Timing.h"

#include <cstdio>

using namespace trowel;

int main() {
  try {
    Device device = Device::best();
    const std::int64_t n = device.isSimulator() ? 1 << 24 : 1 << 26;
    const int block = 1024;
    const std::int64_t programs = (n + block - 1) / block;
    std::printf("vector_add of %lld f32 on %s\n", static_cast<long long>(n),
                device.describe().c_str());

    std::vector<float> hostX = support::uniform<float>(n, -1, 1, 1);
    std::vector<float> hostY = support::uniform<float>(n, -1, 1, 2);
    Buffer<float> x = device.upload(hostX), y = device.upload(hostY), z = device.allocate<float>(n);

    auto add = examples::vectorAdd(block);
    add.launch({programs}, x, y, z, n);

    std::vector<float> result = z.download();
    support::Comparison comparison = support::compare<float>(
        result, [&](std::size_t i) { return static_cast<double>(hostX[i]) + hostY[i]; });
    std::printf("  %s: %s\n", comparison.agrees() ? "right" : "WRONG", comparison.text().c_str());

    if (device.isSimulator())
      std::printf("%s", device.report().text().c_str());
    std::string speed = support::speedText(device, 12.0 * static_cast<double>(n),
                                           [&] { add.launch({programs}, x, y, z, n); });
    std::printf("  %s\n", speed.c_str());
    return comparison.agrees() ? 0 : 1;
  } catch (const Error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
