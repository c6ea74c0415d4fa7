// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(LoopOutsideAKernel, "",
               "range outside a kernel: values of the device exist only while the lambda given to "
               "kernel(…) is traced") {
  for (Index k : range(0, 3)) // mistake
    continue;
}
