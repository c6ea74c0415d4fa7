// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(StagesOfALoop, "k",
               "Options::stages is 3: loops are not pipelined yet, so a loop has 1 stage; leave the"
               " option at 1, or at 0") {
  auto body = [](Ptr<float> x) { store(x, 1.0f); };
  kernel("k", body, Options{.stages = 3}); // mistake
}
