// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(ValueSetOnlyInAWhile, "k",
               "store: an operand has no value if the while_ of line 9 makes no trip: give its "
               "variable one before it") {
  kernel("k", [](Ptr<float> x, Index n) {
    Scalar<float> v;
    while_([&] { return n > 0; }, [&] { v = load(x), n -= 1; });
    store(x, v); // mistake
  }).ptx("sm_80");
}
