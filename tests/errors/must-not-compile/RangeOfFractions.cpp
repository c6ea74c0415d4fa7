// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: the bounds and the step of a range are integers of the host, Index or integer scalars
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x) {
  for (Index k : range(0.0, 1.0, 0.1))
    store(x + k, 1.0f);
});
