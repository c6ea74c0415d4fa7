// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(NegativeGrid, "k", "grid axis x is -1; an extent is 0 or more") {
  Buffer<float> x = Device::simulator().allocate<float>(1);
  auto k = kernel("k", [](Ptr<float> x) { store(x, 1.0f); });
  k.launch({-1}, x); // mistake
}
