// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(ValueMadeInAConditionAndKept, "k",
               "store: an operand was made inside the while_ of line 10 and is read after it: "
               "assign it there to a variable that has a value before") {
  kernel("k", [](Ptr<float> x, Index n) {
    std::vector<Scalar<float>> kept;
    Scalar<int32> i = 0;
    while_(
        [&] {
          kept.push_back(load(x + i));
          return i < n;
        },
        [&] { i += 1; });
    store(x, kept[0]); // mistake
  }).ptx("sm_80");
}
