// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(MoreOpsThanAKernelHas, "k",
               "operator +: the kernel has 20001 operations up to here, and a kernel has at most"
               " 20000: a C++ loop is unrolled while the kernel is traced; loop on the device with"
               " range") {
  kernel("k", [](Ptr<float> x) {
    Tile<float> sum = load(x + iota(8));
    for (int i = 0; i < 1'000'000; ++i)
      sum = sum + sum; // mistake
    store(x + iota(8), sum);
  }).ptx("sm_80");
}
