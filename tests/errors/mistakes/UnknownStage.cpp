// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(UnknownStage, "k",
               "there is no stage 'asm': the stages are tile, layout, llvm-dialect, llvm and "
               "ptx") {
  auto k = kernel("k", [](Ptr<float> x) { store(x, 1.0f); });
  k.stage("asm", "sm_80"); // mistake
}
