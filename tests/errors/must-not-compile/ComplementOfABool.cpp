// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: '~' is for integers; the negation of a bool is !x
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<bool> x) { store(x, ~load(x)); });
