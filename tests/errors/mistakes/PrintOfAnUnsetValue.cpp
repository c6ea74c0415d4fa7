// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(PrintOfAnUnsetValue, "k",
               "print: an operand has no value: its variable was declared and never "
               "assigned") {
  kernel("k", [] {
    Tile<float> v;
    print("v =", v); // mistake
  }).ptx("sm_80");
}
