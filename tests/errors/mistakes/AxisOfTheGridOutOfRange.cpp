// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(AxisOfTheGridOutOfRange, "k",
               "programId: axis 3 of the grid: a grid has the axes 0, 1 and 2") {
  kernel("k", [](Ptr<float> x) {
    store(x + programId(3), 1.0f); // mistake
  }).ptx("sm_80");
}
