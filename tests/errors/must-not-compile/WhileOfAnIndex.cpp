// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: C++'s if, ?:, while and for cannot test it
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x, Index n) {
  while (n > 0)
    n -= 1;
});
