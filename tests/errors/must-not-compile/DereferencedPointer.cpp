// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: a Ptr<T> points into the device's memory: read with load(x), write
// with store(x, value)
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x, Index n) { Scalar<float> v = *x; });
