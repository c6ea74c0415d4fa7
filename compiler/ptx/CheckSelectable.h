// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds, before LLVM's back end meets it, what the NVPTX back end cannot turn into instructions.
#pragma once

#include "compiler/ptx/EmitPtx.h"

#include <optional>

namespace llvm {
class Module;
}

namespace trowel::compiler {

/// The first instruction that NVPTX does not select, with its C++ line and the way out.
std::optional<PtxFailure> findUnselectable(const llvm::Module &module, const Target &target);

} // namespace trowel::compiler
