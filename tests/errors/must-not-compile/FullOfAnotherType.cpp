// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: full<T>(shape, scalar): the scalar must have the type T; convert it
// with cast<T>(scalar)
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x, Index n) { Tile<int32> v = full<int32>(8, load(x)); });
