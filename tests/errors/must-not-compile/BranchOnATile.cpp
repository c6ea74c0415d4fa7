// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: this condition is a tile, but a program takes one path: choose element by element with
// where(condition, a, b), or mask loads and stores
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x) {
  Tile<float> v = load(x + iota(8));
  if_(v > 0.0f, [&] { store(x + iota(8), v); });
});
