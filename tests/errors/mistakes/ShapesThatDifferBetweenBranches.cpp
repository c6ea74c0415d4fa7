// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(ShapesThatDifferBetweenBranches, "k",
               "operator *: an operand has the shape 8 on one path through the if_ of line 9 and "
               "the shape 16 on another: use a variable for each shape") {
  kernel("k", [](Ptr<int32> x, Index n) {
    Tile<int32> v = iota(16);
    if_(n > 0, [&] { v = iota(8); });
    store(x + iota(16), v * 2); // mistake
  }).ptx("sm_80");
}
