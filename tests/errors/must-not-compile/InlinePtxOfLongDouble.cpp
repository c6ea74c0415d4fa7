// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: inlinePtx<R>(…): R must be bool
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x, Index n) { inlinePtx<long double>("mov.b32 $0, 1;"); });
