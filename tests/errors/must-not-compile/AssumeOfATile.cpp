// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: this condition is a tile: assume takes one bool of the program
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x, Index n) { assume(iota(8) < n); });
