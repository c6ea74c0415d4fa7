// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(ValueOfAnotherShape, "k",
               "store: the value has the shape 4x8, but the pointer has 8: it must have that "
               "shape, or one that repeats to it along axes of extent 1") {
  kernel("k", [](Ptr<float> x) {
    store(x + iota(8), zeros<float>({4, 8})); // mistake
  }).ptx("sm_80");
}
