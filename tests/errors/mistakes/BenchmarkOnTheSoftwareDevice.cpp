// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(BenchmarkOnTheSoftwareDevice, "",
               "benchmark: Trowel software device (sim) has no speed to measure; run on a GPU "
               "(Device::cuda(0), or TROWEL_DEVICE=cuda)") {
  Device device = Device::simulator();
  benchmark(device, [] {}); // mistake
}
