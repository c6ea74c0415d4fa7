// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(InlinePtxWithEffectsInTwoLayouts, "k",
               "what has effects happens once, but its result is wanted in two layouts: promise "
               "that it is pure, or keep to tiles of one shape") {
  kernel("k", [](Ptr<int32> x) {
    Tile<int32> i = iota(32);
    Tile<int32> t = inlinePtx<int32>("nanosleep.u32 $1; mov.b32 $0, $1;", i); // mistake
    store(x + i, t);
    store(x + expand(i, Axis{1}) * 32 + i, expand(t, Axis{1}) + i);
  }).ptx("sm_80");
}
