// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: full repeats one number: give it a scalar
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x, Index n) { Tile<int32> v = full<int32>(8, iota(8)); });
