// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(EventThatWasMovedFrom, "",
               "the event was moved from, so there is no event in it; use the object that it was "
               "moved to, or assign another to it") {
  Device device = Device::simulator();
  Event first(device), second = std::move(first);
  first.record(Stream::defaultOf(device)); // mistake
}
