// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which arguments of a kernel an address may be computed from.
//
// There are no pointers in memory, so every address goes back to arguments, by the operands of the
// ops that made it. What a loop or a branch gives or carries may be anything that enters it or that
// its regions yield; taking all of that is coarser than need be and never misses one.

#include "compiler/analysis/PointerOrigins.h"

#include "dialect/TileDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace trowel;

/// Calls `visit` with the values of which `value`, which is no argument of a kernel, may be one.
template <class Visit> static void visitOrigins(Operation *producer, Visit visit) {
  llvm::for_each(producer->getOperands(), visit);
  for (Region &region : producer->getRegions())
    for (Block &block : region)
      llvm::for_each(block.getTerminator()->getOperands(), visit);
}

llvm::SmallSetVector<BlockArgument, 4> compiler::argumentsBehind(Value pointer) {
  llvm::SmallSetVector<BlockArgument, 4> arguments;
  llvm::SmallSetVector<Value, 8> seen;
  SmallVector<Value> pending;
  auto visit = [&](Value value) {
    if (isa<tile::PtrType>(tile::elementTypeOf(value.getType())) && seen.insert(value))
      pending.push_back(value);
  };
  visit(pointer);
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    auto argument = dyn_cast<BlockArgument>(value);
    Operation *producer = argument ? argument.getOwner()->getParentOp() : value.getDefiningOp();
    if (argument && isa<func::FuncOp>(producer))
      arguments.insert(argument);
    else
      visitOrigins(producer, visit);
  }
  return arguments;
}
