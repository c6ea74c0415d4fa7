// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(MaskOfAnotherShape, "k",
               "load: the mask has the shape 64, but the pointer has 128: it must have that "
               "shape, or one that repeats to it along axes of extent 1") {
  kernel("k", [](Ptr<float> x) {
    Tile<float> v = load(x + iota(128), iota(64) < 3); // mistake
    store(x + iota(128), v);
  }).ptx("sm_80");
}
