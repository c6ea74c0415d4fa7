// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(
    LoopLeftByReturn, "k",
    "range: the loop is left from inside (by break, return or an exception), but its body is "
    "traced once and stands for all trips: loop with while_, or end the program with returnIf") {
  kernel("k", [](Ptr<float> x, Index n) {
    store(x, 2.0f);
    for (Index k : range(0, n)) { // mistake
      store(x + k, 1.0f);
      return;
    }
  }).ptx("sm_80");
}
