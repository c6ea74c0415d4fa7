// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: the condition of a while_ is computed before each trip: write it as a lambda, [&] {
// return n > 0; }
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x, Index n) { while_(n > 0, [&] { n -= 1; }); });
