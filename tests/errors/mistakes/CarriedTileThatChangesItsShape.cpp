// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(CarriedTileThatChangesItsShape, "k",
               "a variable that the loop of line 10 carries changes from float of shape 8 to float "
               "of shape 16x8: the next trip would read what it was not traced for; use another "
               "variable, or give it its last shape before the loop") {
  kernel("k", [](Ptr<float> x, Index n) {
    Tile<float> sum = zeros<float>(8);
    for (Index k : range(0, n))
      sum = sum + zeros<float>({16, 8}); // mistake
    store(x + iota(8), sum);
  }).ptx("sm_80");
}
