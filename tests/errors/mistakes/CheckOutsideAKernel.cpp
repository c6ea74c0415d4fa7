// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(CheckOutsideAKernel, "",
               "check outside a kernel: values of the device exist only while the lambda given "
               "to kernel(…) is traced") {
  Scalar<bool> holds;
  check(holds, "it holds"); // mistake
}
