// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: a kernel is a lambda with one call operator whose parameters have types: write
// Ptr<float> x, not auto x
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](auto x) { store(x, 1.0f); });
