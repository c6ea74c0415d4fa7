// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: launch: the number of arguments differs from the number of the
// kernel's parameters
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x) { store(x, 1.0f); });
void run(Buffer<float> &x) { k.launch({1}, x, 1); }
