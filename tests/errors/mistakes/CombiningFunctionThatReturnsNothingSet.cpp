// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(CombiningFunctionThatReturnsNothingSet, "k",
               "reduce: an operand has no value: its variable was declared and never assigned") {
  kernel("k", [](Ptr<int32> x) {
    auto combine = [](auto, auto) { return Scalar<int32>(); };
    store(x, reduce(iota(8), combine)); // mistake
  }).ptx("sm_80");
}
