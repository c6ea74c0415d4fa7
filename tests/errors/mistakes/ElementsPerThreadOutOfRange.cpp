// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(ElementsPerThreadOutOfRange, "k",
               "Options::elementsPerThread is -4: it must be a power of two from 1 to 256, or"
               " 0 to leave the choice to the compiler") {
  auto body = [](Ptr<float> x) { store(x, 1.0f); };
  kernel("k", body, Options{.elementsPerThread = -4}); // mistake
}
