// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How fast the example kernels are, from the program that also shows that they are right: one file
// to copy to a machine with a GPU. The cases are those of trowel-bench, less the one that needs
// 8 GiB.
//
// Figures are no tests: a busy or hot machine would fail them, so they are printed and judged
// elsewhere.
#include "tests/golden/TimingMode.h"

#include "tests/bench/TimedCases.h"

#include <cstdio>
#include <string_view>

namespace trowel::golden {

int printTimings() {
  Device device = Device::best();
  if (device.isSimulator()) {
    std::fprintf(stderr, "--time needs a GPU; this is %s, which has no speed\n",
                 device.describe().c_str());
    return 1;
  }
  for (const bench::TimedCase &row : bench::allTimedCases())
    if (row.op != "copy") {
      std::puts(bench::jsonLine(row, row.time(device)).c_str());
      std::fflush(stdout);
    }
  return 0;
}

} // namespace trowel::golden
