// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: a pointer plus or minus a tile is a tile of pointers: assign it to a Tile<Ptr<T>>
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x) {
  x += iota(8);
  store(x, 1.0f);
});
