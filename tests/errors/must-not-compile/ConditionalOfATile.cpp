// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: use if_(condition, ...) for control flow, or where(condition, a, b) to choose between
// values
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x) {
  Tile<float> v = load(x + iota(8));
  store(x + iota(8), v > 0.0f ? v : -v);
});
