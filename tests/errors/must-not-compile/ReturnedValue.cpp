// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: a kernel returns nothing: it writes its results with store(pointer, value)
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x) { return load(x); });
