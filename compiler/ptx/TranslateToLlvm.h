// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where MLIR ends: LLVM and NVVM dialects to LLVM IR.
#pragma once

#include "mlir/IR/BuiltinOps.h"

#include <memory>

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
} // namespace llvm

namespace trowel::compiler {

/// The module in LLVM IR, for the machine, with lines. Null if it does not translate; the reason
/// then went to the MLIRContext as a diagnostic.
std::unique_ptr<llvm::Module> translateToLlvm(mlir::ModuleOp module, llvm::LLVMContext &context,
                                              const llvm::TargetMachine &machine);

} // namespace trowel::compiler
