// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(NegativeNumberForUnsigned, "k",
               "operator +: -1 does not fit uint32: uint32 holds 0 to 4294967295; convert the "
               "other side with cast<int64>(x)") {
  kernel("k", [](Ptr<uint32> x) {
    store(x, load(x) + -1); // mistake
  }).ptx("sm_80");
}
