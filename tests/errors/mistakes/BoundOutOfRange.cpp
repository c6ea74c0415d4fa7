// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(BoundOutOfRange, "k",
               "range: 18446744073709551615 does not fit int64: int64 holds -9223372036854775808 "
               "to 9223372036854775807") {
  kernel("k", [](Ptr<float> x) {
    for (Index k : range(0, ~0ull)) // mistake
      store(x + k, 1.0f);
  }).ptx("sm_80");
}
