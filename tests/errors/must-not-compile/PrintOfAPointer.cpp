// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: a pointer cannot be printed: print the offset that was added to it, or what it points
// to with load
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x) { print("x =", x); });
