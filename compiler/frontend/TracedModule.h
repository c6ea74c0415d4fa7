// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The MLIR half of a TracedKernel.
#pragma once

#include "compiler/frontend/TracedKernel.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace trowel::compiler {

/// The context is the kernel's own and does not use threads. The module holds one func.func with
/// the attribute `tile.kernel`; a compilation clones it.
struct TracedKernel::Module {
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> op;
};

/// A context with the dialects that a trace is made of, and their models.
std::unique_ptr<mlir::MLIRContext> makeTraceContext();

} // namespace trowel::compiler
