// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's optimiser, set up so that it keeps the language's promises.
#pragma once

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace trowel::compiler {

/// Runs the O3 pipeline for the machine. Results of floating arithmetic do not change.
void optimizeLlvm(llvm::Module &module, llvm::TargetMachine &machine);

} // namespace trowel::compiler
