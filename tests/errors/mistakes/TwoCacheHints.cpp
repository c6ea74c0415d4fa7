// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(TwoCacheHints, "k",
               "load: Cache::streaming and Evict::last do not go together: an instruction has room "
               "for one of them") {
  kernel("k", [](Ptr<float> x) {
    load(x, Access{.cache = Cache::streaming, .evict = Evict::last}); // mistake
  }).ptx("sm_80");
}
