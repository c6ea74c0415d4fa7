// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(
    LoopOverANamedRangeLeftByBreak, "k",
    "range: the loop is left from inside (by break, return or an exception), but its body is "
    "traced once and stands for all trips: loop with while_, or end the program with returnIf") {
  kernel("k", [](Ptr<float> x, Index n) {
    auto all = range(0, n); // mistake
    for (Index k : all)
      break;
    store(x, 2.0f);
  }).ptx("sm_80");
}
