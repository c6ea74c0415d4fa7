// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: a tile's elements are spread over the threads of a program, so none is
// read alone
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x, Index n) {
  Tile<float> v = zeros<float>(8);
  store(x, v[3]);
});
