// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: use if_(condition, ...) for control flow
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x, Scalar<bool> last) {
  if (!last)
    store(x, 1.0f);
});
