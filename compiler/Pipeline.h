// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of the passes.
#pragma once

#include "compiler/Options.h"

#include "mlir/Pass/PassManager.h"

namespace trowel::compiler {

/// From a traced kernel to one in which every tile has a layout.
void buildLayoutPipeline(mlir::OpPassManager &manager, const CompileOptions &options);
/// From there to the LLVM and NVVM dialects.
void buildLoweringPipeline(mlir::OpPassManager &manager, const CompileOptions &options);

/// Makes the passes and `tile-layout-pipeline` known to command lines.
void registerPassesAndPipelines();

} // namespace trowel::compiler
