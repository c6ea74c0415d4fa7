// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: the hardware approximates no function of double: leave out fast::
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<double> x) { store(x, fast::exp(load(x))); });
