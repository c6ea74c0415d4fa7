// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(RandomIntOfAnEmptyRange, "k",
               "randomInt: the range from 3 to below 3 has no integer: the second bound must be "
               "greater than the first") {
  kernel("k", [](Ptr<int32> y) {
    store(y, randomInt(1, programId(0), 3, 3)); // mistake
  }).ptx("sm_80");
}
