// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: '<<' and '>>' are for integers, as in C++; convert with cast<int32>(x) first
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x) { store(x, load(x) << 2); });
