// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(MaskLargerThanItsPointers, "k",
               "store: the mask has the shape 4x8, but the pointer has 8: it must have that "
               "shape, or one that repeats to it along axes of extent 1") {
  kernel("k", [](Ptr<float> x) {
    Tile<bool> mask = zeros<bool>({4, 8});
    store(x + iota(8), 1.0f, mask); // mistake
  }).ptx("sm_80");
}
