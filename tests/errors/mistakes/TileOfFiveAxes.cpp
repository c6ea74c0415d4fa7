// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(TileOfFiveAxes, "k",
               "full: a tile of rank 5 (shape 2x2x2x2x2): a tile has at most 4 axes; let more "
               "programs take the rest") {
  kernel("k", [](Ptr<float> x) {
    Tile<float> v = zeros<float>({2, 2, 2, 2, 2}); // mistake
    store(x, 1.0f);
  }).ptx("sm_80");
}
