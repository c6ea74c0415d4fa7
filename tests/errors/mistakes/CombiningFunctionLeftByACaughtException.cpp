// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(CombiningFunctionLeftByACaughtException, "k",
               "a combining function was left by an exception, which the kernel has caught: catch "
               "it inside the function, or outside the kernel") {
  kernel("k", [](Ptr<int32> x) {
    auto combine = [](auto a, auto) {
      throw 1;
      return a;
    };
    try {
      store(x, reduce(iota(8), combine)); // mistake
    } catch (int) {
    }
    store(x, 1);
  }).ptx("sm_80");
}
