// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(NestedLaunch, "inner",
               "launch while kernel 'outer' is being traced: a kernel cannot start another; "
               "call a C++ function that both use") {
  Buffer<float> y = Device::simulator().allocate<float>(1);
  auto inner = kernel( // mistake
      "inner", [](Ptr<float> x) { store(x, 1.0f); });
  kernel("outer", [&](Ptr<float> x) {
    inner.launch({1}, y);
    store(x, 2.0f);
  }).ptx("sm_80");
}
