// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: multipleOf is for integers and pointers
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x, Index n) { multipleOf(load(x), 4); });
