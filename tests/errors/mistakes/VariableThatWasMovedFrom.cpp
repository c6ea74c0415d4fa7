// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(VariableThatWasMovedFrom, "k",
               "operator *: an operand has no value: its variable was moved from; copy it instead, "
               "or assign to it first") {
  kernel("k", [](Ptr<int32> x) {
    Tile<int32> v = iota(16);
    Tile<int32> w = std::move(v);
    store(x + iota(16), v * w); // mistake
  }).ptx("sm_80");
}
