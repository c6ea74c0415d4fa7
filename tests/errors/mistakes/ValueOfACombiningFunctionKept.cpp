// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(ValueOfACombiningFunctionKept, "k",
               "operator +: an operand was made inside the combining function of line 9 and is "
               "read after it: only what it returns stays") {
  kernel("k", [](Ptr<int32> x) {
    std::vector<Scalar<int32>> kept;
    Scalar<int32> total = reduce(iota(8), [&](auto a, auto b) {
      kept.push_back(a);
      return a + b;
    });
    store(x, total + kept[0]); // mistake
  }).ptx("sm_80");
}
