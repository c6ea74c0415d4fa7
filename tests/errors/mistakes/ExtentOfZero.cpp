// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(ExtentOfZero, "k",
               "full: extent 0 of axis 1 (shape 8x0): an extent must be at least 1") {
  kernel("k", [](Ptr<float> x) {
    store(x, 1.0f);
    Tile<float> none = zeros<float>({8, 0}); // mistake
  }).ptx("sm_80");
}
