// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(
    CombiningFunctionThatMakesATile, "k",
    "scan: the combining function makes a tile: it gets two elements, and computes with scalars") {
  kernel("k", [](Ptr<int32> x) {
    auto combine = [&](auto a, auto b) { return a + b + sum(iota(4)); };
    store(x + iota(8), scan(iota(8), Axis{0}, combine)); // mistake
  }).ptx("sm_80");
}
