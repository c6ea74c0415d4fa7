// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: drop the word mutable
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [n = 0](Ptr<float> x) mutable { store(x + ++n, 1.0f); });
