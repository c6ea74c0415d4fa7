// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(NegativeExtent, "k",
               "iota: extent -8 of axis 0 (shape -8): an extent must be at least 1") {
  int block = -8;
  kernel("k", [=](Ptr<float> x) {
    store(x + iota(block), 1.0f); // mistake
  }).ptx("sm_80");
}
