// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(ExtentTooLarge, "k",
               "iota: extent 9223372036854775807 of axis 0 (shape 9223372036854775807): a tile"
               " has at most 1048576 elements; let more programs take smaller tiles") {
  kernel("k", [](Ptr<float> x) {
    store(x + iota(~std::size_t{0}), 1.0f); // mistake
  }).ptx("sm_80");
}
