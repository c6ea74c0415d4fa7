// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(PrintOfShapesThatDoNotGoTogether, "k",
               "print: shapes 8 and 16 do not go together: extents are compared from the last axis "
               "and must be equal, or one of them 1; insert an axis with expand(x, Axis{k})") {
  kernel("k", [] {
    print("x =", iota(8), "y =", iota(16)); // mistake
  }).ptx("sm_80");
}
