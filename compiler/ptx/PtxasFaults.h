// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spells instructions that ptxas translates wrongly as others of the same meaning.
#pragma once

#include <string>

namespace trowel::compiler {

/// PTX as LLVM prints it, with each integer neg, abs, min and max of which ptxas makes something
/// else replaced. Other lines stay as they are.
std::string avoidPtxasFaults(const std::string &ptx);

} // namespace trowel::compiler
