// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: a compound assignment may not change its variable's type
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<int32> x) {
  Tile<int32> v = load(x + iota(8));
  v *= 0.5;
  store(x + iota(8), v);
});
