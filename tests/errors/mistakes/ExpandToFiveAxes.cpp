// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(ExpandToFiveAxes, "k",
               "expand: a tile of rank 5 (shape 2x4x2x2x1): a tile has at most 4 axes; let more "
               "programs take the rest") {
  kernel("k", [](Ptr<float> x) {
    Tile<float> v = zeros<float>({2, 4, 2, 2});
    v = expand(v, Axis{4}); // mistake
    store(x, 1.0f);
  }).ptx("sm_80");
}
