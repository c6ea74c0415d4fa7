// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(ExpOfDouble, "k",
               "exp: there is no such function of double yet: convert with cast<float>(x)") {
  kernel("k", [](Ptr<double> x) {
    store(x, exp(load(x))); // mistake
  }).ptx("sm_80");
}
