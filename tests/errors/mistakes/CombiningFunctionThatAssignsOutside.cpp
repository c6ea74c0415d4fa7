// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(
    CombiningFunctionThatAssignsOutside, "k",
    "reduce: the combining function assigns to a variable from outside: it stands for every "
    "meeting of two elements, in any order, so it may only return what the two are together") {
  kernel("k", [](Ptr<int32> x) {
    Scalar<int32> meetings = 0;
    auto combine = [&](auto a, auto b) {
      meetings += 1;
      return a + b;
    };
    store(x, reduce(iota(8), combine)); // mistake
  }).ptx("sm_80");
}
