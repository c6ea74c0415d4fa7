// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(InlinePtxThatReturns, "k",
               "inlinePtx: 'ret' would end or leave the thread in the middle of its tiles") {
  kernel("k", [](Ptr<float> x) {
    store(x, inlinePtx<float>("mov.f32 $0, 0f00000000; ret;")); // mistake
  }).ptx("sm_80");
}
