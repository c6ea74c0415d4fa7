// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(UnsetBound, "k",
               "range: an operand has no value: its variable was declared and never assigned") {
  kernel("k", [](Ptr<float> x, Index n) {
    Index end;
    for (Index k : range(0, end)) // mistake
      store(x + k, 1.0f);
  }).ptx("sm_80");
}
