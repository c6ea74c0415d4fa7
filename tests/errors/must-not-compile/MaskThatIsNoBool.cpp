// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: a mask is a bool or a tile of bools: compare first, as in column < columns
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x) { store(x + iota(8), 1.0f, iota(8)); });
