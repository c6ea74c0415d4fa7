// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives the ops of a trace an order that does not depend on the C++ compiler.
#pragma once

#include "mlir/IR/Block.h"

namespace trowel::compiler {

/// Reorders the ops of a block, which ends with a terminator, and those of the blocks in them:
/// operands come before their users in the order in which the user names them, and nothing moves
/// across a loop, a branch, an early return or an op that writes memory.
void orderCanonically(mlir::Block &block);

} // namespace trowel::compiler
