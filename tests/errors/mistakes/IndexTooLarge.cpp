// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(IndexTooLarge, "",
               "launch: the argument 18446744073709551615 does not fit an Index, which holds "
               "at most 9223372036854775807: pass a smaller integer") {
  Buffer<float> x = Device::simulator().allocate<float>(1);
  auto k = kernel("k", [](Ptr<float> x, Index i) { store(x + i, 1.0f); });
  k.launch({1}, x, ~0ull); // mistake
}
