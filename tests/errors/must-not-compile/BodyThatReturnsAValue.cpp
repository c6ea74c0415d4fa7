// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: a body returns nothing: assign to a variable from outside instead
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x, Index n) { if_(n > 0, [&] { return load(x); }); });
