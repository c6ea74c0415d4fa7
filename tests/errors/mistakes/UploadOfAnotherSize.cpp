// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(UploadOfAnotherSize, "",
               "upload: the host range has 3 elements, the buffer has 4; they must be equal") {
  Buffer<float> x = Device::simulator().allocate<float>(4);
  x.upload(std::vector<float>(3)); // mistake
}
