// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(NarrowIntegerOutOfRange, "k",
               "operator <: 200 does not fit int8: int8 holds -128 to 127; convert the other side "
               "with cast<int32>(x)") {
  kernel("k", [](Ptr<int8> x) {
    store(x, cast<int8>(load(x) < 200)); // mistake
  }).ptx("sm_80");
}
