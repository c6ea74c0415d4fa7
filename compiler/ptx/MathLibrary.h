// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libclc's mathematical functions, for those that hardware and lowering do not have.
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace trowel::compiler {

/// Defines the functions of libclc that the module declares, and what they need, as internal
/// functions that the optimiser inlines. Declarations of other names stay as they are.
void linkMathLibrary(llvm::Module &module);

} // namespace trowel::compiler
