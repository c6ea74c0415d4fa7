// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(ReduceOfATileTooLarge, "k",
               "combines a tile of 1048576 elements, which is 1024 elements a thread with 32 "
               "warps; the limit is 256 a thread. Use a smaller tile and a larger grid") {
  kernel("k", [](Ptr<int32> x) {
    store(x, sum(iota(1 << 20))); // mistake
  }).ptx("sm_80");
}
