// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: launch: an Index parameter takes an integer
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Index n) {});
void run() { k.launch({1}, true); }
