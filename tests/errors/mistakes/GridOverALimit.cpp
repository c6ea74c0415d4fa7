// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(GridOverALimit, "k",
               "grid axis y is 65536; Trowel software device (sim) allows at most 65535: put "
               "the long extent on axis x (up to 2147483647), or let each program do more") {
  Buffer<float> x = Device::simulator().allocate<float>(1);
  auto k = kernel("k", [](Ptr<float> x) { store(x, 1.0f); });
  k.launch({1, 65536}, x); // mistake
}
