// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GoogleTest's main, and the timing mode beside it.
#include "tests/golden/TimingMode.h"

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
  return RUN_ALL_TESTS();
}
