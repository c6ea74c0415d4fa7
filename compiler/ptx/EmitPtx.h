// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a module of the LLVM and NVVM dialects to PTX text: the whole of stop 7 in one call.
//
//   PtxResult result = emitPtx(module, target);
//   if (auto *failure = std::get_if<PtxFailure>(&result)) ...   // file, line, sentence
//   else launch(std::get<std::string>(result));
//
// May be called from many threads at once, each with an MLIRContext of its own. A failure, also one
// in the middle of LLVM's back end, leaves the process able to compile the next kernel.
#pragma once

#include "compiler/Target.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <variant>

namespace mlir {
class DialectRegistry;
}

namespace trowel::compiler {

/// Why there is no PTX. An empty file and line 0 mean that the place is unknown.
struct PtxFailure {
  std::string file;
  int line = 0;
  std::string text;
};

/// The PTX, or the reason that there is none.
using PtxResult = std::variant<std::string, PtxFailure>;

/// Attribute of a module: the least PTX `.version`, times ten, that its instructions need. The
/// target's is taken where that is higher.
inline constexpr llvm::StringLiteral ptxVersionAttr{"tile.ptx_version"};

/// Seconds that each step took.
struct PtxTimes {
  double translate = 0, optimize = 0, emit = 0;
};

/// What a caller may want to see besides the PTX; null pointers are skipped.
struct PtxInspection {
  /// The optimised LLVM IR as text. Set as soon as it exists, so also if the back end then fails.
  std::string *llvmText = nullptr;
  PtxTimes *times = nullptr;
};

/// Compiles `module`, every function that it defines. Rewrites the module's locations (see
/// DebugScopes.h) and nothing else in it.
PtxResult emitPtx(mlir::ModuleOp module, const Target &target,
                  const PtxInspection &inspection = {});

/// Adds the translations that emitPtx needs. It does so itself where they are missing; a compiler
/// that fills a registry for its MLIRContext anyway saves the time.
void registerPtxTranslations(mlir::DialectRegistry &registry);

} // namespace trowel::compiler
