// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(ValueSetInOneBranchOnly, "k",
               "store: an operand has no value on one path through the if_ of line 9: give its "
               "variable one before it, or in both branches") {
  kernel("k", [](Ptr<float> x, Index n) {
    Scalar<float> v;
    if_(n > 0, [&] { v = 1.0f; });
    store(x, v); // mistake
  }).ptx("sm_80");
}
