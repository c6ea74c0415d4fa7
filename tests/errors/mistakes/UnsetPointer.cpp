// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(UnsetPointer, "k",
               "pointer + offset: an operand has no value: its variable was declared and never"
               " assigned") {
  kernel("k", [](Ptr<float> x, Index n) {
    Ptr<float> p;
    store(p + n, 1.0f); // mistake
  }).ptx("sm_80");
}
