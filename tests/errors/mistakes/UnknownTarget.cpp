// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(UnknownTarget, "k",
               "unknown target 'sm_42': Trowel compiles for sm_80, sm_86, sm_89, sm_90a, "
               "sm_100a, sm_120") {
  auto k = kernel("k", [](Ptr<float> x) { store(x, 1.0f); });
  k.ptx("sm_42"); // mistake
}
