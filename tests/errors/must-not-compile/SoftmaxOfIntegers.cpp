// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: a layer computes with floating-point numbers: convert with cast<float>(x) first
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x) { store(x + iota(8), softmax(iota(8))); });
