// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(ValueMadeInALoopAndKept, "k",
               "pointer + offset: an operand was made inside the loop of line 10 and is read after "
               "it: assign it there to a variable that has a value before") {
  kernel("k", [](Ptr<float> x, Index n) {
    std::vector<Index> kept;
    // What a container takes up is made where it is put in.
    for (Index k : range(0, n))
      kept.push_back(k);
    store(x + kept[0], 1.0f); // mistake
  }).ptx("sm_80");
}
