// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules of records: operands of one shape, a text more than values. That a failed check says
// where it failed is what its mask is for, so it must have one.

#include "dialect/TileDialect.h"

using namespace mlir;
using namespace trowel::tile;

Type RecordOp::getShapeType() {
  if (!getValues().empty())
    return getValues().front().getType();
  return getMask() ? getMask().getType() : Type();
}

LogicalResult RecordOp::verify() {
  if (getTexts().size() != getValues().size() + 1)
    return emitOpError("has ") << getTexts().size() << " texts and " << getValues().size()
                               << " values; there is one more text than values";
  if (getUnsignedValues() && getUnsignedValues()->size() != getValues().size())
    return emitOpError("says of ")
           << getUnsignedValues()->size() << " values whether they are unsigned, and has "
           << getValues().size();
  if (getFailure() && !getMask())
    return emitOpError("is a check that failed and has no mask that says where");
  for (Value operand : llvm::drop_end(getOperands(), getBuffer() ? 1 : 0))
    if (withElementType(getShapeType(), getAny().getType()) !=
        withElementType(operand.getType(), getAny().getType()))
      return emitOpError("has operands of types ")
             << getShapeType() << " and " << operand.getType() << "; all have one shape";
  if (getLayoutAttr() &&
      (!getShapeType() ||
       getLayoutAttr().getExtents() != ArrayRef<int64_t>(paddedExtents(extentsOf(getShapeType())))))
    return emitOpError("prefers a layout of a tile of ")
           << describeExtents(getLayoutAttr().getExtents())
           << ", but has no operands of that shape";
  return success();
}
