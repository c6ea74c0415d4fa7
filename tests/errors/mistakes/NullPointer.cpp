// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(NullPointer, "k",
               "argument 0 (counted from 0) is a null pointer; pass a buffer or the address of "
               "device memory") {
  DevicePointer<float> null{0, Device::simulator()};
  auto k = kernel("k", [](Ptr<float> x) { store(x, 1.0f); });
  k.launch({1}, null); // mistake
}
