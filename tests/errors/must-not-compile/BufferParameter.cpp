// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: a kernel's parameters are Ptr<T>, Index and Scalar<T>
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Buffer<float> x) {});
