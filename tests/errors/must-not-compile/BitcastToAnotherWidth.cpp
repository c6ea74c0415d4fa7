// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: bitcast<T>(x) keeps the bits, so T must be as wide as the elements of x
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x) { auto bits = bitcast<int64>(load(x)); });
