// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: a fill that is a tile needs a tile of pointers: add an iota to the pointer
#include <trowel/trowel.h>

using namespace trowel;

auto k =
    kernel("k", [](Ptr<float> x, Index n) { Scalar<float> v = load(x, n > 0, zeros<float>(8)); });
