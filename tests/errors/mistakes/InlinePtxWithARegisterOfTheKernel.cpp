// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(InlinePtxWithARegisterOfTheKernel, "k",
               "inlinePtx: the text names '%r1', which it does not declare: operands are $1, $2 …, "
               "other registers are declared in the text, as in .reg .b32 t") {
  kernel("k", [](Ptr<float> x) {
    store(x, inlinePtx<float>("mov.b32 $0, %r1;")); // mistake
  }).ptx("sm_80");
}
