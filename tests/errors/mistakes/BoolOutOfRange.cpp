// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(BoolOutOfRange, "k",
               "full: 2 does not fit bool: bool holds 0 and 1; compare with != 0 first") {
  kernel("k", [](Ptr<bool> x) {
    store(x + iota(8), full<bool>(8, 2)); // mistake
  }).ptx("sm_80");
}
