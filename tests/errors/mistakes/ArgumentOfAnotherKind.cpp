// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(
    ArgumentOfAnotherKind, "k",
    "argument 1 (counted from 0) is a scalar of type f64; the kernel takes an Index there") {
  AnyKernel k = kernel("k", [](Ptr<float> x, Index i) { store(x + i, 1.0f); });
  Buffer<float> x = Device::simulator().allocate<float>(1);
  k.launch({1}, {x, 0.5}); // mistake
}
