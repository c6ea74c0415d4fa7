// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(BufferThatWasMovedFrom, "",
               "the buffer has no device: it was default-constructed or moved from; make it "
               "with device.allocate<T>(count) or device.upload(values)") {
  auto k = kernel("k", [](Ptr<float> x) { store(x, 1.0f); });
  Buffer<float> x = Device::simulator().allocate<float>(1), y = std::move(x);
  k.launch({1}, x); // mistake
}
