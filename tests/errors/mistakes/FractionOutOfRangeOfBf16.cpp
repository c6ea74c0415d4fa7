// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(FractionOutOfRangeOfBf16, "k",
               "full: 3.4028234663852886e+38 does not fit bf16: the largest bf16 is "
               "3.3895314e38; write INFINITY where infinity is meant") {
  kernel("k", [](Ptr<bf16> x) {
    store(x + iota(8), full<bf16>(8, 3.4028235e38f)); // mistake
  }).ptx("sm_80");
}
