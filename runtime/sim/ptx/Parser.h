// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a PTX text into its syntax.
#pragma once

#include "runtime/base/Result.h"
#include "runtime/sim/ptx/Syntax.h"

namespace trowel::sim::ptx {

/// The module that `text` describes. The failure's sentence begins with "PTX line N: ".
Result<Module> parse(std::string text);

} // namespace trowel::sim::ptx
