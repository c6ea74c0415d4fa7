// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(
    ValueReadInALoopBeforeItIsSet, "k",
    "operator +: an operand has no value: its variable was declared and never assigned") {
  kernel("k", [](Ptr<float> x, Index n) {
    Scalar<float> v;
    for (Index k : range(0, n))
      v = v + 1.0f; // mistake
  }).ptx("sm_80");
}
