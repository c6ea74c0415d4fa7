// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: the words of philox4x32 are uint32: convert with cast<uint32>(x)
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<uint32> y) { store(y, philox4x32(programId(0), 0, 0, 0, 0, 0)[0]); });
