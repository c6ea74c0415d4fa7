// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(ValueSetOnlyInALoop, "k",
               "store: an operand has no value if the loop of line 9 makes no trip: give its "
               "variable one before it") {
  kernel("k", [](Ptr<float> x, Index n) {
    Scalar<float> v;
    for (Index k : range(0, n))
      v = load(x + k);
    store(x, v); // mistake
  }).ptx("sm_80");
}
