// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(ReductionOutsideAKernel, "",
               "sum outside a kernel: values of the device exist only while the lambda given "
               "to kernel(…) is traced") {
  sum(Tile<int32>()); // mistake
}
