// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(InlinePtxWithoutAnInstruction, "k", "inlinePtx: the text has no instruction") {
  kernel("k", [](Ptr<float> x) {
    store(x, inlinePtx<float>("")); // mistake
  }).ptx("sm_80");
}
