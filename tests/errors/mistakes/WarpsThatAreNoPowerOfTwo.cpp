// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(WarpsThatAreNoPowerOfTwo, "k",
               "Options::warps is 3: it must be a power of two from 1 to 32, or 0 to leave the"
               " choice to the compiler") {
  auto body = [](Ptr<float> x) { store(x, 1.0f); };
  kernel("k", body, Options{.warps = 3}); // mistake
}
