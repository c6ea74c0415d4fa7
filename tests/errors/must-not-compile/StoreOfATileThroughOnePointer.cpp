// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: a tile of values needs a tile of pointers: add an iota to the pointer
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x) { store(x, zeros<float>(8)); });
