// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: a bool has no absolute value
#include <trowel/trowel.h>

using namespace trowel;

auto k =
    kernel("k", [](Ptr<float> x, Index n) { Tile<float> v = where(abs(iota(8) < n), 1.0f, 0.0f); });
