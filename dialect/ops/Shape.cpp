// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles from nothing, from scalars, and from tiles of other shapes.
//
// None of these ops moves data: a layout of the result determines one of the source. Expanding
// forgets the coordinates along the new axis, which has one element; broadcasting makes the source
// hold, in each thread, the one element that the thread's elements along the axis repeat.

#include "dialect/TileDialect.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace trowel::tile;

/// Reports element types or layout phases that differ between source and result.
static LogicalResult verifySameElements(Operation *op, Type source, Type result) {
  if (elementTypeOf(source) != elementTypeOf(result))
    return op->emitOpError("changes the elements from ")
           << elementTypeOf(source) << " to " << elementTypeOf(result)
           << "; only the shape may change";
  return success();
}

//===- tile.iota ------------------------------------------------------------------------------===//

LogicalResult IotaOp::verify() {
  if (extentsOf(getType()).size() != 1)
    return emitOpError("counts along one axis, but its result has the extents ")
           << describeExtents(extentsOf(getType()));
  return success();
}

AxisFacts IotaOp::inferAxisFacts(ArrayRef<AxisFacts>) {
  return iotaFacts(extentsOf(getType()).front());
}

//===- tile.splat -----------------------------------------------------------------------------===//

LogicalResult SplatOp::verify() {
  return verifySameElements(*this, getScalar().getType(), getType());
}

OpFoldResult SplatOp::fold(FoldAdaptor adaptor) {
  if (!adaptor.getScalar() || !isa<IntegerAttr, FloatAttr>(adaptor.getScalar()))
    return {};
  return DenseElementsAttr::get(cast<RankedTensorType>(getType()), adaptor.getScalar());
}

AxisFacts SplatOp::inferAxisFacts(ArrayRef<AxisFacts> operands) {
  return splatFacts(operands[0], extentsOf(getType()));
}

//===- tile.expand ----------------------------------------------------------------------------===//

LogicalResult ExpandOp::verify() {
  if (failed(verifySameElements(*this, getSource().getType(), getType())))
    return failure();
  ArrayRef<int64_t> source = extentsOf(getSource().getType()), result = extentsOf(getType());
  int64_t axis = static_cast<int32_t>(getAxis());
  if (axis < 0 || axis > static_cast<int64_t>(source.size()))
    return emitOpError("inserts axis ") << axis << ", but a tile of " << describeExtents(source)
                                        << " has room for the axes 0 to " << source.size();
  SmallVector<int64_t> expected(source);
  expected.insert(expected.begin() + axis, 1);
  if (ArrayRef<int64_t>(expected) != result)
    return emitOpError("inserts axis ")
           << axis << " into a tile of " << describeExtents(source) << ", which gives "
           << describeExtents(expected) << ", not " << describeExtents(result);
  return success();
}

OpFoldResult ExpandOp::fold(FoldAdaptor adaptor) {
  if (auto splat = dyn_cast_if_present<SplatElementsAttr>(adaptor.getSource()))
    return splat.resizeSplat(cast<ShapedType>(getType()));
  return {};
}

trowel::layout::LinearLayout ExpandOp::operandLayout(unsigned,
                                                     const trowel::layout::LinearLayout &result) {
  return result.withAxisRemoved(getAxis());
}

AxisFacts ExpandOp::inferAxisFacts(ArrayRef<AxisFacts> operands) {
  return expandFacts(operands[0], getAxis(), extentsOf(getSource().getType()).size());
}

//===- tile.broadcast -------------------------------------------------------------------------===//

LogicalResult BroadcastOp::verify() {
  if (failed(verifySameElements(*this, getSource().getType(), getType())))
    return failure();
  ArrayRef<int64_t> source = extentsOf(getSource().getType()), result = extentsOf(getType());
  if (source.size() != result.size())
    return emitOpError("keeps the rank, but the source has the extents ")
           << describeExtents(source) << " and the result " << describeExtents(result);
  for (auto [axis, from, to] : llvm::enumerate(source, result))
    if (from != to && from != 1)
      return emitOpError("cannot repeat axis ")
             << axis << " of extent " << from << " to " << to << ": only extents of 1 repeat";
  return success();
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getType())
    return getSource();
  if (auto splat = dyn_cast_if_present<SplatElementsAttr>(adaptor.getSource()))
    return splat.resizeSplat(cast<ShapedType>(getType()));
  return {};
}

trowel::layout::LinearLayout
BroadcastOp::operandLayout(unsigned, const trowel::layout::LinearLayout &result) {
  trowel::layout::LinearLayout layout = result;
  for (auto [axis, from, to] :
       llvm::enumerate(extentsOf(getSource().getType()), extentsOf(getType())))
    if (from != to)
      layout = layout.withAxisOfExtentOne(axis);
  return layout;
}

AxisFacts BroadcastOp::inferAxisFacts(ArrayRef<AxisFacts> operands) {
  return broadcastFacts(operands[0], extentsOf(getSource().getType()), extentsOf(getType()));
}
