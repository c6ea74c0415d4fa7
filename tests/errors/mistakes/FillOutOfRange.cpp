// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(FillOutOfRange, "k",
               "load: 3000000000 does not fit int32: int32 holds -2147483648 to 2147483647; "
               "convert the other side with cast<int64>(x)") {
  kernel("k", [](Ptr<int32> x, Index n) {
    Tile<int32> lane = iota(8);
    Tile<int32> v = load(x + lane, lane < n, 3000000000); // mistake
    store(x + lane, v);
  }).ptx("sm_80");
}
