// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(
    NegativeStages, "k",
    "Options::stages is -1: loops are not pipelined yet, so a loop has 1 stage; leave the"
    " option at 1, or at 0") {
  auto body = [](Ptr<float> x) { store(x, 1.0f); };
  kernel("k", body, Options{.stages = -1}); // mistake
}
