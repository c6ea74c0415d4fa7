// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: the fill of a load must have the pointer's element type: convert it with cast<T>(fill)
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<int32> x, Index n) {
  Tile<int32> v = load(x + iota(8), iota(8) < n, 0.5f);
  store(x + iota(8), v);
});
