// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(ExpandToThreeAxes, "k",
               "expand: a tile of rank 3 (shape 2x4x1): tiles of more than 2 axes are not "
               "supported yet") {
  kernel("k", [](Ptr<float> x) {
    Tile<float> v = zeros<float>({2, 4});
    v = expand(v, Axis{2}); // mistake
    store(x, 1.0f);
  }).ptx("sm_80");
}
