// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(StreamThatWasMovedFrom, "",
               "the stream was moved from, so there is no stream in it; use the object that it was "
               "moved to, or assign another to it") {
  Device device = Device::simulator();
  auto k = kernel("k", [](Ptr<float> x) { store(x, 1.0f); });
  Buffer<float> x = device.allocate<float>(1);
  Stream first(device), second = std::move(first);
  k.launch(first, {1}, x); // mistake
}
