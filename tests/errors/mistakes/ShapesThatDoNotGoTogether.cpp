// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(ShapesThatDoNotGoTogether, "k",
               "operator +: shapes 64 and 128 do not go together: extents are compared from "
               "the last axis and must be equal, or one of them 1; insert an axis with "
               "expand(x, Axis{k})") {
  kernel("k", [](Ptr<float> x) {
    Tile<int32> a = iota(64), b = iota(128);
    Tile<int32> c = a + b; // mistake
    store(x + c, 1.0f);
  }).ptx("sm_80");
}
