// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(PromisedMultipleOfZero, "k",
               "multipleOf: a multiple of 0: the number must be at least 1") {
  kernel("k", [](Ptr<float> x) {
    store(x + multipleOf(programId(0), 0), 1.0f); // mistake
  }).ptx("sm_80");
}
