// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: Tile<T>: T must be bool, trowel::int32, trowel::int64, trowel::bf16 or float, or Ptr<T>
// for a tile of pointers
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x) { Tile<double> v; });
