// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(UnsetMask, "k",
               "store: an operand has no value: its variable was declared and never assigned") {
  kernel("k", [](Ptr<float> x) {
    Tile<bool> never;
    Tile<bool> always = !never;
    store(x + iota(8), 1.0f, always); // mistake
  }).ptx("sm_80");
}
