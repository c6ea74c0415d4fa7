// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a trace to the compiler and back.
//
// This is the one file of the launch path that sees MLIR. The compiler returns failures as values,
// with the file as the trace's locations name it; here they become exceptions with the file as the
// user's C++ compiler named it, so that an editor can jump to it.
//
// A trace is recorded with the few dialects that it needs, which keeps recording fast. What the
// passes and the translation to LLVM need besides is added when the trace is first compiled; adding
// it again does nothing.

#include "runtime/jit/CompileTrace.h"

#include "compiler/Compiler.h"
#include "compiler/Target.h"
#include "compiler/frontend/TracedModule.h"
#include "trowel/Error.h"

#include <fmt/format.h>

#include <chrono>

namespace trowel::jit {

namespace {

using compiler::CompileFailure;
using compiler::Stage;
using compiler::TracedKernel;

struct StageName {
  const char *name;
  Stage stage;
};
constexpr StageName stageNames[] = {{"tile", Stage::Tile},
                                    {"layout", Stage::Layout},
                                    {"llvm-dialect", Stage::LlvmDialect},
                                    {"llvm", Stage::Llvm},
                                    {"ptx", Stage::Ptx}};

mlir::ModuleOp moduleOf(const TracedKernel &kernel) {
  mlir::DialectRegistry registry;
  compiler::registerDialects(registry);
  kernel.module->context->appendDialectRegistry(registry);
  return *kernel.module->op;
}

/// The value of a result, or the failure as an exception.
template <class Value>
Value valueOf(std::variant<Value, CompileFailure> result, const TracedKernel &kernel) {
  if (auto *failure = std::get_if<CompileFailure>(&result)) {
    auto full = kernel.fullFileNames.find(failure->file);
    throw Error(full == kernel.fullFileNames.end() ? failure->file : full->second, failure->line,
                kernel.name, failure->text);
  }
  return std::get<Value>(std::move(result));
}

} // namespace

compiler::CompileOptions optionsFor(const TracedKernel &kernel, const std::string &target,
                                    compiler::ArgumentFacts facts) {
  // A mistake in the call that names the target, and not in the kernel.
  if (Result<const compiler::Target *> found = compiler::findTarget(target); !found)
    throw Error({}, 0, kernel.name, found.error());
  compiler::CompileOptions options;
  options.target = target;
  options.warps = kernel.options.warps;
  options.elementsPerThread = kernel.options.elementsPerThread;
  options.facts = std::move(facts);
  return options;
}

KernelImage compileTrace(const TracedKernel &kernel, const compiler::CompileOptions &options) {
  return valueOf(compiler::compile(moduleOf(kernel), options), kernel);
}

std::string stageOfTrace(const TracedKernel &kernel, const compiler::CompileOptions &options,
                         const std::string &stage) {
  for (const StageName &row : stageNames)
    if (stage == row.name)
      return valueOf(compiler::compileToStage(moduleOf(kernel), options, row.stage), kernel);
  if (stage == "time") {
    auto start = std::chrono::steady_clock::now();
    mlir::ModuleOp module = moduleOf(kernel);
    std::chrono::duration<double> loading = std::chrono::steady_clock::now() - start;
    return compiler::timesText({{"trace", kernel.seconds}, {"load dialects", loading.count()}}) +
           compiler::timesText(valueOf(compiler::timeSteps(module, options), kernel));
  }
  throw Error(
      {}, 0, kernel.name,
      fmt::format("there is no stage '{}': the stages are tile, layout, llvm-dialect, llvm and "
                  "ptx",
                  stage));
}

std::string layoutsOfTrace(const TracedKernel &kernel, const compiler::CompileOptions &options) {
  return valueOf(compiler::describeLayouts(moduleOf(kernel), options), kernel);
}

} // namespace trowel::jit
