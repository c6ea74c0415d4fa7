// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: the bounds of randomInt are integers of the host or int32: convert with cast<int32>(x)
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<int32> y) { store(y, randomInt(1, programId(0), 0, 1.5)); });
