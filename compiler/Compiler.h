// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A traced kernel in, a kernel image out.
//
//   CompileResult result = compile(module, {.target = "sm_90a"});
//   if (auto *failure = std::get_if<CompileFailure>(&result)) ...
#pragma once

#include "compiler/Options.h"
#include "runtime/base/KernelImage.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <variant>
#include <vector>

namespace trowel::compiler {

/// Why there is no image, at the C++ line (or the line of the .mlir file) where that is known.
struct CompileFailure {
  std::string file;
  int line = 0;
  std::string kernel;
  std::string text;
};

using CompileResult = std::variant<KernelImage, CompileFailure>;

/// Compiles a module of one kernel. The module is left as it is. Calls for modules of different
/// contexts may run at once; the caller sees to it that one context is used by one thread at a
/// time.
CompileResult compile(mlir::ModuleOp traced, const CompileOptions &options);

/// What a kernel can be looked at as.
enum class Stage { Tile, Layout, LlvmDialect, Llvm, Ptx };
using StageResult = std::variant<std::string, CompileFailure>;

/// The kernel as text after that stage. `Ptx` is the PTX with its manifest in front.
StageResult compileToStage(mlir::ModuleOp traced, const CompileOptions &options, Stage stage);

/// A picture of the layout of every tile that a kernel loads or stores, as text.
StageResult describeLayouts(mlir::ModuleOp traced, const CompileOptions &options);

/// A step of a compilation and what it took, by the monotonic clock.
struct StepTime {
  std::string step;
  double seconds = 0;
};
using TimesResult = std::variant<std::vector<StepTime>, CompileFailure>;

/// Compiles, and tells what each pass and the steps behind them took, in their order. The last one
/// is what lies between: the verifier above all.
TimesResult timeSteps(mlir::ModuleOp traced, const CompileOptions &options);
/// A line for each step: its name, a tab, its seconds.
std::string timesText(const std::vector<StepTime> &times);

/// Reads a module from the text of a .mlir file.
using ParseResult = std::variant<mlir::OwningOpRef<mlir::ModuleOp>, CompileFailure>;
ParseResult parseModule(mlir::MLIRContext &context, const std::string &text,
                        const std::string &fileName);

/// The dialects of all stages, with the models and translations that the passes need.
void registerDialects(mlir::DialectRegistry &registry);

} // namespace trowel::compiler
