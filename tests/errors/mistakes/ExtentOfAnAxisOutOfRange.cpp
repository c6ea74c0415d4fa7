// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(ExtentOfAnAxisOutOfRange, "k",
               "extent: Axis{-2} of a tile of shape 8: axes from -1 to 0 exist here") {
  kernel("k", [](Ptr<float> x) {
    store(x + iota(8).extent(Axis{-2}), 1.0f); // mistake
  }).ptx("sm_80");
}
