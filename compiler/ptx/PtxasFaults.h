// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes integer `neg` and `abs` so that ptxas keeps the sign of the least number.
#pragma once

#include <string>

namespace trowel::compiler {

/// PTX as LLVM prints it, with each neg.s16 and abs.s16, s32 and s64 replaced by instructions of
/// the same meaning. Other lines stay as they are.
std::string keepSigns(const std::string &ptx);

} // namespace trowel::compiler
