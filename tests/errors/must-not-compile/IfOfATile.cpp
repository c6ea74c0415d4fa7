// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: this value exists only on the device, so C++'s if, ?:, while and for cannot test it:
// use if_(condition, ...) for control flow, or where(condition, a, b) to choose between values
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x) {
  Tile<float> v = load(x + iota(8));
  if (v > 0.0f)
    store(x + iota(8), v);
});
