// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(InlinePtxWithoutAText, "k", "inlinePtx: the text is a null pointer") {
  kernel("k", [](Ptr<float> x) {
    store(x, inlinePtx<float>(nullptr)); // mistake
  }).ptx("sm_80");
}
