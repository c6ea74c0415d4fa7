// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: a condition is a bool or a tile of bools: compare first, as in n > 0
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Index n) { check(n, "there is a row"); });
