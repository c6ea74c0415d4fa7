// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: launch: an Index parameter takes an integer
#include <trowel/trowel.h>

using namespace trowel;

void f(const Kernel<Index> &k) { k.launch({1}, 1.0); }
