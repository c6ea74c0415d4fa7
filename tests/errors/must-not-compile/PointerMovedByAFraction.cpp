// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: a pointer is moved by integers, which count elements: convert with cast<int64>(x)
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x) { store(x + load(x), 1.0f); });
