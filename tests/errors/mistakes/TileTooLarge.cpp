// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(TileTooLarge, "k",
               "full: a tile of 1024x2048 = 2097152 elements: a tile has at most 1048576; let "
               "more programs take smaller tiles") {
  kernel("k", [](Ptr<float> x) {
    Tile<float> v = zeros<float>({1024, 2048}); // mistake
    store(x, 1.0f);
  }).ptx("sm_80");
}
