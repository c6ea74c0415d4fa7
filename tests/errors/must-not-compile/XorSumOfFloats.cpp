// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: xorSum is for integers and bools
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x) { store(x, xorSum(load(x + iota(8)))); });
