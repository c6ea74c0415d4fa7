// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: seed and offset of a random number are integers
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> y) { store(y, randomUniform(1, load(y))); });
