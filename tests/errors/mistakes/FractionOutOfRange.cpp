// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(FractionOutOfRange, "k",
               "operator *: 1e+300 does not fit float: the largest float is 3.4028235e38; "
               "write INFINITY where infinity is meant") {
  kernel("k", [](Ptr<float> x) {
    store(x, load(x) * 1e300); // mistake
  }).ptx("sm_80");
}
