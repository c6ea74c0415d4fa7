// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(MisalignedPointer, "k",
               "argument 0 (counted from 0) is the address 0x1002, which is not a multiple of the "
               "4 bytes that "
               "the code relies on for f32; pass the address of a whole element") {
  DevicePointer<float> odd{0x1002, Device::simulator()};
  auto k = kernel("k", [](Ptr<float> x) { store(x, 1.0f); });
  k.launch({1}, odd); // mistake
}
