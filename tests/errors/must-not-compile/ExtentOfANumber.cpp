// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: an axis is written Axis{1}, never as a number alone
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x, Index n) { store(x + iota(8).extent(0), 1.0f); });
