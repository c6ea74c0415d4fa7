// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(ReservedName, "", "the name 'WARP_SZ' is reserved in PTX: use another") {
  kernel("WARP_SZ", [](Ptr<float> x) { store(x, 1.0f); }); // mistake
}
