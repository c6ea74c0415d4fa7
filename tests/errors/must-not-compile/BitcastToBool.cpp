// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: bitcast<T>(x): T must be an integer (int8 to int64, uint8 to uint64),
// f16, bf16, float or double
#include <trowel/trowel.h>

using namespace trowel;

auto k =
    kernel("k", [](Ptr<float> x, Index n) { Tile<bool> v = bitcast<bool>(cast<int8>(iota(8))); });
