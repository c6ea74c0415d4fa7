// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes in their order, with what is true from each line on. What each does is said in
// transforms/Passes.td; this page is where the order is decided.

#include "compiler/Pipeline.h"

#include "compiler/transforms/Passes.h"

#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace trowel::compiler {

/// Adds a pass and, where assertions are on, the check that layouts fit together behind it.
static void add(OpPassManager &manager, std::unique_ptr<Pass> pass) {
  manager.addPass(std::move(pass));
#ifndef NDEBUG
  manager.addPass(createVerifyLayouts());
#endif
}

void buildLayoutPipeline(OpPassManager &manager, const CompileOptions &options) {
  OpPassManager &kernel = manager.nest<func::FuncOp>();

  SpecializeArgumentsOptions facts;
  facts.facts.assign(options.facts.begin(), options.facts.end());
  add(kernel, createSpecializeArguments(facts));
  // From here on what is known of the arguments is in the kernel, as attributes and constants.

  add(kernel, createSpreadAssumptions());
  // From here on what the author promised is known of values, not of conditions.

  add(kernel, createCombine());
  // From here on no sum is left that a product fuses with, and work on equal elements is scalar.

  add(kernel, createPadExtents());
  // From here on padding never reaches memory, and layouts may map powers of two alone.

  add(kernel, createNarrowIndex());
  add(kernel, createCSEPass());
  // From here on integers have 64 bits only where their values need them, or loops carry them.

  add(kernel, createCoalesce());
  // From here on every access knows how many elements one instruction moves.

  CoarsenOptions coarsen;
  coarsen.warps = options.warps;
  coarsen.elementsPerThread = options.elementsPerThread;
  add(kernel, createCoarsen(coarsen));
  // From here on the number of warps is known.

  add(kernel, createAssignLayouts());
  add(kernel, createCSEPass());
  // From here on every tile has a layout.

  add(kernel, createHoistLoads());
  // From here on loads start early; their order is that of the program but for reductions.

  add(kernel, createOrderMemory());
  // From here on threads meet wherever one reads or overwrites what another wrote.

  add(kernel, createAllocateShared());
  add(kernel, createInsertBarriers());
  // From here on every op that moves data has its place in shared memory, and no thread writes
  // there before the others have read.

  add(kernel, createNumberRecords());
  // From here on every print and check has the number by which the manifest knows it.
}

void buildLoweringPipeline(OpPassManager &manager, const CompileOptions &options) {
  LowerToNvvmOptions lower;
  lower.targetName = options.target;
  manager.addPass(createLowerToNvvm(lower));
  // From here on there are only the LLVM and NVVM dialects; compiler/ptx takes over.
}

void registerPassesAndPipelines() {
  registerCompilerPasses();
  PassPipelineRegistration<>("tile-layout-pipeline",
                             "everything up to layouts, without options or facts",
                             [](OpPassManager &manager) { buildLayoutPipeline(manager, {}); });
}

} // namespace trowel::compiler
