// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

static void recurse(Ptr<float> x, Index n) {
  while_([&] { return n > 0; }, [&] { recurse(x, n); }); // mistake
}

TROWEL_MISTAKE(WhileNestedTooDeep, "k",
               "while_: it stands inside 128 loops and branches, and a kernel nests at most 128: a "
               "C++ function that calls itself is unrolled while the kernel is traced; loop on the "
               "device with while_") {
  kernel("k", [](Ptr<float> x, Index n) { recurse(x, n); }).ptx("sm_80");
}
