// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: a kernel is a lambda with one call operator whose parameters have types
#include <trowel/trowel.h>

using namespace trowel;

void body(Ptr<float> x);
auto k = kernel("k", body);
