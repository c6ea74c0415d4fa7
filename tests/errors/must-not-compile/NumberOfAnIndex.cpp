// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: this value exists only on the device and cannot be read as a number of the host:
// convert with cast<T>(x), or capture a host value in the lambda
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x, Index n) { store(x + static_cast<int>(n), 1.0f); });
