// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(PrintOfTooManyValues, "k",
               "print: 17 values of the device in one message, which has at most 16: write "
               "several") {
  kernel("k", [] {
    Index i = programId(0);
    print("", i, i, i, i, i, i, i, i, i, i, i, i, i, i, i, i, i); // mistake
  }).ptx("sm_80");
}
