// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: '&', '|' and '^' are for bools and integers
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x) { store(x, load(x) & load(x)); });
