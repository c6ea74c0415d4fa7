// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: '~' is for integers; convert with cast<int32>(x) first
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x, Index n) { store(x, ~load(x)); });
