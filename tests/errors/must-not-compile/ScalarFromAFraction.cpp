// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: a fraction does not fit an integer scalar: use Scalar<float>, or convert it
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<int32> x) {
  Scalar<int32> half = 0.5;
  store(x, half);
});
