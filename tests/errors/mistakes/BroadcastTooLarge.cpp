// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(BroadcastTooLarge, "k",
               "operator +: a tile of 1024x2048 = 2097152 elements: a tile has at most "
               "1048576; let more programs take smaller tiles") {
  kernel("k", [](Ptr<float> x) {
    Tile<int32> rows = expand(iota(1024), Axis{1}), columns = iota(2048);
    Tile<int32> both = rows + columns; // mistake
    store(x + both, 1.0f);
  }).ptx("sm_80");
}
