// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: this condition is a value of the host, which is known while tracing: use if or while of
// C++
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<float> x) {
  bool large = true;
  if_(large, [&] { store(x, 1.0f); });
});
