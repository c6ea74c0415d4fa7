// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives MLIR locations the debug scopes without which LLVM would drop them.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace trowel::compiler {

/// The source line that a location stands for: the first FileLineColLoc in it, for an inlined op
/// the line where it was written. Null if there is none.
mlir::FileLineColLoc sourceLine(mlir::Location location);

/// Makes every op's line come out as `.loc`: gives each function that has lines a subprogram and
/// every op in it a location inside that subprogram. Only locations change.
void attachDebugScopes(mlir::ModuleOp module);

} // namespace trowel::compiler
