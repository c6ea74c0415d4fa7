// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(CarriedVariableThatLosesItsValue, "k",
               "range: a variable that the body reads has no value at its end, so that the next "
               "trip would have none") {
  kernel("k", [](Ptr<float> x, Index n) {
    Scalar<float> v = 1.0f, unset;
    for (Index k : range(0, n)) { // mistake
      store(x + k, v);
      v = unset;
    }
  }).ptx("sm_80");
}
