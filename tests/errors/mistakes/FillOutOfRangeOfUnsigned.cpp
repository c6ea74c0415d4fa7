// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(FillOutOfRangeOfUnsigned, "k",
               "load: -1 does not fit uint8: uint8 holds 0 to 255; convert the other side with "
               "cast<int32>(x)") {
  kernel("k", [](Ptr<uint8> x) {
    Tile<int32> i = iota(8);
    store(x + i, load(x + i, i < 5, -1)); // mistake
  }).ptx("sm_80");
}
