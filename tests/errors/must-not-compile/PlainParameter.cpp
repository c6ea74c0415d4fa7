// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: a kernel's parameters are Ptr<T>, Index and Scalar<T>, which differ from launch to
// launch; a plain C++ value is known while tracing: capture it in the lambda instead
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x, int n) { store(x + n, 1.0f); });
