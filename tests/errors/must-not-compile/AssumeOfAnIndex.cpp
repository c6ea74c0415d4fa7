// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: assume takes a Scalar<bool>: compare first, as in n > 0
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x, Index n) { assume(n); });
