// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: fmax is for floating-point numbers: use max for integers and bools
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x, Index n) { Tile<int32> v = fmax(iota(8), 3); });
