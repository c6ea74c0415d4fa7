// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(ValueMadeInAWhileAndKept, "k",
               "store: an operand was made inside the while_ of line 10 and is read after it: "
               "assign it there to a variable that has a value before") {
  kernel("k", [](Ptr<float> x, Index n) {
    std::vector<Scalar<float>> kept;
    // In the body as well as in the condition.
    while_([&] { return n > 0; },
           [&] {
             kept.push_back(load(x + n));
             n -= 1;
           });
    store(x, kept[0]); // mistake
  }).ptx("sm_80");
}
