// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(CarriedPointersThatChangeTheirShape, "k",
               "a variable that the loop of line 10 carries changes from Ptr<float> of shape 8 "
               "to Ptr<float> of shape 16x8: the next trip would read what it was not traced "
               "for; use another variable, or give it its last shape before the loop") {
  kernel("k", [](Ptr<float> x, Index n) {
    Tile<Ptr<float>> p = x + iota(8);
    for (Index k : range(0, n))
      p = p + expand(iota(16), Axis{1}); // mistake
    store(p, 1.0f);
  }).ptx("sm_80");
}
