// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(ArgmaxAlongAnAxisOutOfRange, "k",
               "argmax: Axis{-3} of a tile of shape 8x4: axes from -2 to 1 exist here") {
  kernel("k", [](Ptr<int32> x) {
    Tile<int32> v = expand(iota(8), Axis{1}) + expand(iota(4), Axis{0});
    store(x + iota(8), argmax(v, Axis{-3})); // mistake
  }).ptx("sm_80");
}
