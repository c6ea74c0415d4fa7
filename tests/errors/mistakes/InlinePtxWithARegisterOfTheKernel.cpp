// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(
    InlinePtxWithARegisterOfTheKernel, "k",
    "inlinePtx: the text names '%r1'; of the names that begin with % it may use those of "
    "numbers that are the same in all threads: %ctaid, %nctaid, %ntid, %smid, %nsmid, "
    "%gridid, %nwarpid") {
  kernel("k", [](Ptr<float> x) {
    store(x, inlinePtx<float>("mov.b32 $0, %r1;")); // mistake
  }).ptx("sm_80");
}
