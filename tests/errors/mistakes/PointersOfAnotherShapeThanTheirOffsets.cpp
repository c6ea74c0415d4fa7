// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(PointersOfAnotherShapeThanTheirOffsets, "k",
               "pointer + offset: shapes 8 and 4x2 do not go together: extents are compared "
               "from the last axis and must be equal, or one of them 1; insert an axis with "
               "expand(x, Axis{k})") {
  kernel("k", [](Ptr<float> x) {
    Tile<int32> offsets = zeros<int32>({4, 2});
    store(x + iota(8) + offsets, 1.0f); // mistake
  }).ptx("sm_80");
}
