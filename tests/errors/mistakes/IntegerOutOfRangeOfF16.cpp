// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(IntegerOutOfRangeOfF16, "k",
               "operator +: -65520 does not fit f16: the largest f16 is 65504; write INFINITY "
               "where infinity is meant") {
  kernel("k", [](Ptr<f16> x) {
    store(x, load(x) + 65519);
    store(x, load(x) + -65520); // mistake
  }).ptx("sm_80");
}
