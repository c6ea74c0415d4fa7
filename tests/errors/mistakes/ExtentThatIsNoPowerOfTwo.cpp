// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(ExtentThatIsNoPowerOfTwo, "k",
               "iota: extent 3000 of axis 0 (shape 3000): extents that are not powers of two "
               "are not supported yet; use 4096 and mask the rest") {
  kernel("k", [](Ptr<float> x) {
    store(x + iota(3000), 1.0f); // mistake
  }).ptx("sm_80");
}
