// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(CombiningFunctionThatPrints, "k",
               "reduce: the combining function loads, stores, prints or returns early: it stands "
               "for every meeting of two elements, and may only compute") {
  kernel("k", [](Ptr<int32> x) {
    auto combine = [&](auto a, auto b) {
      print("a =", a);
      return a + b;
    };
    store(x, reduce(iota(8), combine)); // mistake
  }).ptx("sm_80");
}
