// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks the compiler, and turns its failures into errors at the C++ line.
#pragma once

#include "compiler/Options.h"
#include "compiler/frontend/TracedKernel.h"
#include "runtime/base/KernelImage.h"

namespace trowel::jit {

/// The options of a compilation. Refuses a target that does not exist, at the line of the call that
/// names it.
compiler::CompileOptions optionsFor(const compiler::TracedKernel &kernel, const std::string &target,
                                    compiler::ArgumentFacts facts);

// Each uses the trace's MLIR context, so one of them at a time may run for a trace.

KernelImage compileTrace(const compiler::TracedKernel &kernel,
                         const compiler::CompileOptions &options);
/// `stage` is "tile", "layout", "llvm-dialect", "llvm" or "ptx"; or "time", for what each
/// step took: a line each, with the step, a tab and seconds.
std::string stageOfTrace(const compiler::TracedKernel &kernel,
                         const compiler::CompileOptions &options, const std::string &stage);
std::string layoutsOfTrace(const compiler::TracedKernel &kernel,
                           const compiler::CompileOptions &options);

} // namespace trowel::jit
