// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: a body is a lambda without parameters: write [&] { … }
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x, Index n) { if_(n > 0, n); });
