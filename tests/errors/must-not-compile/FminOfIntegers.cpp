// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: fmin is for floating-point numbers: use min for integers and bools
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<int32> x) { store(x, fmin(load(x), 3)); });
