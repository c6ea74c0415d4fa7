// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: the condition of where is a bool or a tile of bools: compare first, as in v > 0
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x) { store(x, where(load(x), 1.0f, 0.0f)); });
