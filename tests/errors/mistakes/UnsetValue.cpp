// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(UnsetValue, "k",
               "operator +: an operand has no value: its variable was declared and never "
               "assigned") {
  kernel("k", [](Ptr<float> x) {
    Tile<float> sum;
    sum += load(x + iota(8)); // mistake
    store(x + iota(8), sum);
  }).ptx("sm_80");
}
