// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(NegativeArgumentForUnsigned, "",
               "launch: the argument -1 does not fit u32, which holds no negative number: pass "
               "another, or make the parameter a Scalar of a signed type") {
  Buffer<uint32> x = Device::simulator().allocate<uint32>(1);
  auto k = kernel("k", [](Ptr<uint32> x, Scalar<uint32> v) { store(x, v); });
  k.launch({1}, x, -1); // mistake
}
