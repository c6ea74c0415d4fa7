// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(CarriedTileOfAWhileThatChangesItsShape, "k",
               "a variable that the loop of line 10 carries changes from int32 of shape 8 to int32 "
               "of shape 1x8: the next trip would read what it was not traced for; use another "
               "variable, or give it its last shape before the loop") {
  kernel("k", [](Ptr<int32> x, Index n) {
    Tile<int32> sum = iota(8);
    while_([&] { return n > 0; },
           [&] {
             sum = expand(sum, Axis{0}); // mistake
             n -= 1;
           });
  }).ptx("sm_80");
}
