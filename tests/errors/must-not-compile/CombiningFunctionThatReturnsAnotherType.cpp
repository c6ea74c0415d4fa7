// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: the combining function must return an element of the tile's type; convert it with
// cast<T>(…)
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<int32> x) {
  store(x, reduce(iota(8), [](auto a, auto b) { return a + 0.5f * b; }));
});
