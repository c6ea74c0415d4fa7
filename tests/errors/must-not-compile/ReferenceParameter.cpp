// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: a kernel's parameters are its own variables: write Ptr<T> x, not
// Ptr<T> &x
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> &x) { store(x, 1.0f); });
