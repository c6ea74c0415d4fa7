// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: the mask of printWhere is a bool or a tile of bools: compare first, as in v > 0
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x) { printWhere(iota(8), "x =", load(x)); });
