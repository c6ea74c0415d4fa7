// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: exact is for floating-point numbers: integers are never rounded
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<int32> x) { store(x, exact(load(x) * 3 + 1)); });
