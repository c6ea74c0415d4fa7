// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Program ids and counts are scalars about which nothing is known but that they are not negative.

#include "dialect/TileDialect.h"

using namespace mlir;
using namespace trowel::tile;

static LogicalResult verifyAxis(Operation *op, int32_t axis) {
  if (axis < 0 || axis > 2)
    return op->emitOpError("has axis ") << axis << ", but a grid has the axes 0, 1 and 2";
  return success();
}

LogicalResult ProgramIdOp::verify() { return verifyAxis(*this, getAxis()); }
LogicalResult ProgramCountOp::verify() { return verifyAxis(*this, getAxis()); }

AxisFacts ProgramIdOp::inferAxisFacts(ArrayRef<AxisFacts>) { return AxisFacts::unknown(0); }
AxisFacts ProgramCountOp::inferAxisFacts(ArrayRef<AxisFacts>) { return AxisFacts::unknown(0); }
