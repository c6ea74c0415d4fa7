// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(WrongNumberOfArguments, "k", "the kernel takes 2 arguments, 1 was given") {
  AnyKernel k = kernel("k", [](Ptr<float> x, Index i) { store(x + i, 1.0f); });
  Buffer<float> x = Device::simulator().allocate<float>(1);
  k.launch({1}, {x}); // mistake
}
