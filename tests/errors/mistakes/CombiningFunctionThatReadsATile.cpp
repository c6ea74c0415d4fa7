// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(CombiningFunctionThatReadsATile, "k",
               "reduce: the combining function makes a tile: it gets two elements, and computes "
               "with scalars") {
  kernel("k", [](Ptr<int32> x) {
    Tile<int32> other = iota(4);
    auto combine = [&](auto a, auto b) { return a + b + sum(other * 2); };
    store(x, reduce(iota(8), combine)); // mistake
  }).ptx("sm_80");
}
