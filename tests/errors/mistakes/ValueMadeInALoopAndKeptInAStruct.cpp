// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(ValueMadeInALoopAndKeptInAStruct, "k",
               "store: an operand was made inside the loop of line 12 and is read after it: "
               "assign it there to a variable that has a value before") {
  kernel("k", [](Ptr<float> x, Index n) {
    struct Row {
      Scalar<float> first;
    };
    std::vector<Row> kept;
    for (Index k : range(0, n))
      kept.push_back({load(x + k)});
    store(x, kept[0].first); // mistake
  }).ptx("sm_80");
}
