// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(UnsignedOutOfRange, "k",
               "operator <: 18446744073709551615 does not fit int64: int64 holds "
               "-9223372036854775808 to 9223372036854775807") {
  kernel("k", [](Ptr<float> x, Index n) {
    store(x, 1.0f, n < ~0ull); // mistake
  }).ptx("sm_80");
}
