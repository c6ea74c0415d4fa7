// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(OccupancyOfNoThreads, "k",
               "occupancy: -1 threads were asked about; on Trowel software device (sim) this code "
               "runs with 1 to 32: compile the kernel with other Options{.warps} and ask again") {
  Device device = Device::simulator();
  auto k = kernel("k", [](Ptr<float> x) { store(x, 1.0f); });
  device.occupancy(k, -1); // mistake
}
