// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(ReduceAlongTheOnlyAxis, "k",
               "max: the tile of shape 8 has one axis, so along it there is one number: leave the "
               "axis out, max(x), which gives a Scalar") {
  kernel("k", [](Ptr<int32> x) {
    store(x + iota(8), max(iota(8), Axis{0})); // mistake
  }).ptx("sm_80");
}
