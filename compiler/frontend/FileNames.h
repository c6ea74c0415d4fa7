// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a trace calls the files of its lines, once it is complete.
#pragma once

#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <string>

namespace trowel::compiler {

/// Cuts the files of all locations to what lies below `root`, elsewhere to as many last parts of
/// the path as no other file of the module ends with. Returns what each name was before.
std::map<std::string, std::string> shortenFileNames(mlir::ModuleOp module, llvm::StringRef root);

} // namespace trowel::compiler
