// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(UnsetTileReduced, "k",
               "sum: an operand has no value: its variable was declared and never assigned") {
  kernel("k", [](Ptr<int32> x) {
    Tile<int32> v;
    store(x, sum(v)); // mistake
  }).ptx("sm_80");
}
