// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(SoftmaxAlongAnAxisOutOfRange, "k",
               "max: Axis{1} of a tile of shape 8: axes from -1 to 0 exist here") {
  kernel("k", [](Ptr<float> x) {
    store(x + iota(8), softmax(load(x + iota(8)), Axis{1})); // mistake
  }).ptx("sm_80");
}
