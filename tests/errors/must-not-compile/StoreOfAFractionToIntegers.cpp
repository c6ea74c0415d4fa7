// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: a stored value must have the pointer's element type: convert it with cast<T>(value)
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<int32> x) { store(x, 0.5f); });
