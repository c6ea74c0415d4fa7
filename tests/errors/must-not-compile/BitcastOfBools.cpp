// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: bitcast of bools: convert with cast<T>(x)
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x, Index n) { Tile<int8> v = bitcast<int8>(iota(8) < 3); });
