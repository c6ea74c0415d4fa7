// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: the combining function takes two elements and returns one: [](auto a, auto b) { return
// a + b; }
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<int32> x) { store(x, reduce(iota(8), [](auto a) { return a; })); });
