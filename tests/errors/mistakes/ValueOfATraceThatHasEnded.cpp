// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(ValueOfATraceThatHasEnded, "second",
               "store: an operand belongs to a trace that has ended: values live only inside "
               "the call of the lambda that made them, so declare the variable inside the "
               "lambda") {
  Tile<float> kept;
  kernel("first", [&](Ptr<float> x) { kept = load(x + iota(8)); }).ptx("sm_80");
  kernel("second", [&](Ptr<float> x) {
    store(x + iota(8), kept); // mistake
  }).ptx("sm_80");
}
