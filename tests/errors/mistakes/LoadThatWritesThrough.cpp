// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(
    LoadThatWritesThrough, "k",
    "load: Cache::writeThrough is for stores: a load may be Cache::global or Cache::streaming") {
  kernel("k", [](Ptr<float> x) {
    load(x, Access{.cache = Cache::writeThrough}); // mistake
  }).ptx("sm_80");
}
