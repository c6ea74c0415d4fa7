// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(AssumptionThatIsFalse, "k",
               "assume: the condition is false, as is known while tracing") {
  kernel("k", [](Ptr<float> x) {
    assume(3 % 2 == 0); // mistake
  }).ptx("sm_80");
}
