// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(ShiftCountOutOfRange, "k",
               "operator <<: 256 does not fit uint8: uint8 holds 0 to 255; convert the other side "
               "with cast<int32>(x)") {
  kernel("k", [](Ptr<uint8> x) {
    store(x, load(x) << 256); // mistake
  }).ptx("sm_80");
}
