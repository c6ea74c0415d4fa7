// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: cast<T>(x): T must be bool, an integer (int8 to int64, uint8 to
// uint64), f16, bf16, float or double
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x, Index n) { store(x + iota(8), cast<const float>(iota(8))); });
