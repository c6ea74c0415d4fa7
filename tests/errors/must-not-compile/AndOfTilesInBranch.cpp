// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: this value exists only on the device, so C++'s if, ?:, while and for
// cannot test it
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x, Index n) {
  if ((iota(8) < n) & (iota(8) > 2))
    store(x, 1.0f);
});
