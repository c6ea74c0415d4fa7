// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(BufferWithoutADevice, "",
               "the buffer has no device: it was default-constructed or moved from; make it "
               "with device.allocate<T>(count) or device.upload(values)") {
  auto k = kernel("k", [](Ptr<float> x) { store(x, 1.0f); });
  Buffer<float> none;
  k.launch({1}, none); // mistake
}
