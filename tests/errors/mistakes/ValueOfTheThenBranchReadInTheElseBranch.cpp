// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(ValueOfTheThenBranchReadInTheElseBranch, "k",
               "store: an operand was made inside the if_ of line 9 and is read after it: assign "
               "it there to a variable that has a value before") {
  kernel("k", [](Ptr<float> x, Index n) {
    std::vector<Scalar<float>> kept;
    if_(n > 0, [&] { kept.push_back(load(x)); }).else_([&] {
      store(x, kept[0]); // mistake
    });
  }).ptx("sm_80");
}
