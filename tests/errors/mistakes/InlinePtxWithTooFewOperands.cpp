// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(
    InlinePtxWithTooFewOperands, "k",
    "inlinePtx: the text names $2, but there is one operand: $0 is the result, $1 the operand") {
  kernel("k", [](Ptr<float> x) {
    store(x, inlinePtx<float>("add.rn.f32 $0, $1, $2;", load(x))); // mistake
  }).ptx("sm_80");
}
