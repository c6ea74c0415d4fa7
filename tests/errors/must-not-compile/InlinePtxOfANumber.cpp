// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: an operand of inlinePtx is a number of the host, which has no width
#include <trowel/trowel.h>

using namespace trowel;

auto k =
    kernel("k", [](Ptr<float> x, Index n) { inlinePtx<int32>("add.s32 $0, $1, $2;", iota(8), 1); });
