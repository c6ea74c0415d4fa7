// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(InlinePtxOfShapesThatDoNotGoTogether, "k",
               "inlinePtx: shapes 8 and 9 do not go together: extents are compared from the last "
               "axis and must be equal, or one of them 1; insert an axis with expand(x, Axis{k})") {
  kernel("k", [](Ptr<float> x) {
    inlinePtx<int32>("add.s32 $0, $1, $2;", iota(8), iota(9)); // mistake
  }).ptx("sm_80");
}
