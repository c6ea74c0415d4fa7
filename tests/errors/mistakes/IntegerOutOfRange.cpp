// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(IntegerOutOfRange, "k",
               "operator +: 3000000000 does not fit int32: int32 holds -2147483648 to "
               "2147483647; convert the other side with cast<int64>(x)") {
  kernel("k", [](Ptr<float> x) {
    store(x + (iota(8) + 3000000000), 1.0f); // mistake
  }).ptx("sm_80");
}
