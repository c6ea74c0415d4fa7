// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: a Ptr<const T> is only loaded from: make the parameter a Ptr<T> to store through it
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<const float> x) { store(x, 1.0f); });
