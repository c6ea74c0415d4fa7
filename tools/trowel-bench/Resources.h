// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the example kernels take of a multiprocessor.
#pragma once

#include "examples/kernels/Registry.h"

#include <string>

namespace trowel::bench {

/// One JSON object: {"op": "resources", "kernel", "from", "registers", "local_bytes",
/// "shared_bytes"}. On a GPU the driver says it; elsewhere the assembler `ptxas` does, for
/// `target`, where one is on the PATH; without it registers and local bytes are "unknown".
std::string resourcesLine(const Device &device, const examples::NamedKernel &kernel,
                          const std::string &target);

} // namespace trowel::bench
