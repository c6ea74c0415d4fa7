// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a compiled kernel is found by.
#pragma once

#include "runtime/jit/Facts.h"

namespace trowel::jit {

/// All that the PTX of a kernel depends on, as one line that can be read: the versions of Trowel
/// and LLVM, the trace, the target, the options and the facts. Equal keys mean equal bytes.
std::string variantKey(const std::string &traceKey, const Options &options,
                       const std::string &target, const Facts &facts);

} // namespace trowel::jit
