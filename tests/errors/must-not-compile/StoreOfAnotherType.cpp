// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: a stored value must have the pointer's element type: convert it with cast<T>(value)
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<bf16> x) {
  Tile<float> v = zeros<float>(8);
  store(x + iota(8), v);
});
