// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(WhileLeftByACaughtException, "k",
               "the body of a loop or branch was left by an exception, which the kernel has "
               "caught: catch it inside the body, or outside the kernel") {
  kernel("k", [](Ptr<float> x, Index n) {
    try {
      while_([&] { return n > 0; }, [&] { throw 7; }); // mistake
    } catch (int) {
    }
    store(x, 1.0f);
  }).ptx("sm_80");
}
