// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(StreamThatWasMovedFromAwaited, "",
               "the stream was moved from, so there is no stream in it; use the object that it was "
               "moved to, or assign another to it") {
  Stream first(Device::simulator()), second = std::move(first);
  first.synchronize(); // mistake
}
