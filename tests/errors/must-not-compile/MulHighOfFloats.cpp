// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: mulHigh is for integers: the product of floats is rounded, not cut in two
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> y) { store(y, mulHigh(load(y), 2.0f)); });
