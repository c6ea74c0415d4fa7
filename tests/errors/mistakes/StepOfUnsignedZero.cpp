// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(StepOfUnsignedZero, "k",
               "range: the step is 0, but a loop counts up, by at least 1; to count down, "
               "compute end - 1 - k in the body") {
  kernel("k", [](Ptr<float> x, Index n) {
    for (Index k : range(0, n, 0u)) // mistake
      store(x + k, 1.0f);
  }).ptx("sm_80");
}
