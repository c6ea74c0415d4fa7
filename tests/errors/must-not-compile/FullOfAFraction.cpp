// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: a fraction does not fit an integer tile: use full<float>, or convert it
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x, Index n) { Tile<int32> v = full<int32>(8, 0.5); });
