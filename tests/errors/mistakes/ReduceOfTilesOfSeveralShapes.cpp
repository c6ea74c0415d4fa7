// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(
    ReduceOfTilesOfSeveralShapes, "k",
    "reduce: the tiles have the shapes 8 and 16: what is combined together has one shape") {
  kernel("k", [](Ptr<int32> x) {
    auto take = [](auto a, auto) { return a; };
    auto [a, b] = reduce(std::tuple{iota(8), iota(16)}, take); // mistake
    store(x, a + b);
  }).ptx("sm_80");
}
