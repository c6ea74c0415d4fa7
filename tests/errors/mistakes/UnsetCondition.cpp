// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(UnsetCondition, "k",
               "if_: an operand has no value: its variable was declared and never assigned") {
  kernel("k", [](Ptr<float> x) {
    Scalar<bool> condition;
    if_(condition, [&] { store(x, 1.0f); }); // mistake
  }).ptx("sm_80");
}
