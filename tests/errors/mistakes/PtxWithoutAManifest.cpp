// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/errors/Mistake.h"

TROWEL_MISTAKE(PtxWithoutAManifest, "",
               "the PTX has no manifest: no line of it begins with '// trowel:'; trowel-dump "
               "--stage=ptx and Kernel::ptx write it") {
  PtxKernel loaded(Device::simulator(), ".version 8.0\n"); // mistake
}
