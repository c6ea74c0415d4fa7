// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which arguments of a kernel an address may be computed from.
#pragma once

#include "mlir/IR/Value.h"
#include "llvm/ADT/SetVector.h"

namespace trowel::compiler {

/// The arguments of the kernel, pointers all, from which `pointer` may be computed, through
/// arithmetic, selections, loops and branches. The order follows the code.
llvm::SmallSetVector<mlir::BlockArgument, 4> argumentsBehind(mlir::Value pointer);

} // namespace trowel::compiler
