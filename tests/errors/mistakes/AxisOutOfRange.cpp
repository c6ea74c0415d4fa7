// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(AxisOutOfRange, "k",
               "expand: Axis{2} of a tile of shape 8: axes from -2 to 1 exist here") {
  kernel("k", [](Ptr<float> x) {
    Tile<int32> lane = iota(8);
    store(x + expand(lane, Axis{2}), 1.0f); // mistake
  }).ptx("sm_80");
}
