// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GoogleTest's main, and the timing mode beside it. It says first which devices there are: a run
// that skipped every test on a GPU looks much like one that passed them.
#include "tests/golden/TimingMode.h"
#include "tests/support/OnEveryDevice.h"

#include <trowel/Error.h>

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>

int main(int argc, char **argv) {
  if (argc == 2 && std::strcmp(argv[1], "--time") == 0) {
    try {
      return trowel::golden::printTimings();
    } catch (const trowel::Error &error) {
      std::fprintf(stderr, "%s\n", error.what());
      return 1;
    }
  }
  testing::InitGoogleTest(&argc, argv);
  try {
    const trowel::support::TestGpu &gpu = trowel::support::testGpu();
    std::printf("devices: %s; %s\n", trowel::Device::simulator().describe().c_str(),
                gpu.device ? gpu.device->describe().c_str() : gpu.reason.c_str());
  } catch (const trowel::Error &error) {
    std::printf("devices: %s; %s\n", trowel::Device::simulator().describe().c_str(), error.what());
  }
  return RUN_ALL_TESTS();
}
