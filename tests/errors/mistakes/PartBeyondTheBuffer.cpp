// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(PartBeyondTheBuffer, "",
               "a part of 8 elements from number 12 on does not lie within memory of 16 elements; "
               "first + count must be at most its size") {
  Buffer<float> x = Device::simulator().allocate<float>(16);
  x.subspan(12, 8).fillBytes(0); // mistake
}
