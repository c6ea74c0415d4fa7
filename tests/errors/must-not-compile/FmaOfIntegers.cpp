// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: fma is for floating-point numbers: write a * b + c for integers
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<int32> x) { store(x, fma(load(x), 3, 1)); });
