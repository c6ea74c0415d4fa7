// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: the extent of a tile must be an integer of the host, known while tracing: capture it in
// the lambda
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x, Index n) { store(x + iota(n), 1.0f); });
