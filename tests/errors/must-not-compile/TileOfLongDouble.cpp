// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: Tile<T>: T must be bool, an integer (int8 to int64, uint8 to uint64), f16, bf16, float
// or double, or Ptr<T> for a tile of pointers
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x) { Tile<long double> v; });
