// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Folders of the elementwise ops, which evaluate the language's rules on constants. Transcendentals
// are not folded: the result would depend on the host's math library, and the PTX of a kernel is
// the same bytes on every host.

#include "dialect/PtxText.h"
#include "dialect/TileDialect.h"

#include "mlir/Dialect/CommonFolders.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace trowel::tile;

/// x / y truncated toward zero; all ones for y = 0; wraps for the least number divided by −1.
static APInt quotientOf(const APInt &x, const APInt &y) {
  if (y.isZero())
    return APInt::getAllOnes(x.getBitWidth());
  return x.sdiv(y);
}

/// x − (x / y)·y; x for y = 0.
static APInt remainderOf(const APInt &x, const APInt &y) {
  if (y.isZero())
    return x;
  if (y.isAllOnes())
    return APInt::getZero(x.getBitWidth());
  return x.srem(y);
}

static APInt unsignedQuotientOf(const APInt &x, const APInt &y) {
  return y.isZero() ? APInt::getAllOnes(x.getBitWidth()) : x.udiv(y);
}
static APInt unsignedRemainderOf(const APInt &x, const APInt &y) {
  return y.isZero() ? x : x.urem(y);
}

OpFoldResult DivOp::fold(FoldAdaptor adaptor) {
  if (matchPattern(getRhs(), m_One()))
    return getLhs();
  return constFoldBinaryOp<IntegerAttr, APInt, void>(adaptor.getOperands(), quotientOf);
}

OpFoldResult DivUOp::fold(FoldAdaptor adaptor) {
  if (matchPattern(getRhs(), m_One()))
    return getLhs();
  return constFoldBinaryOp<IntegerAttr, APInt, void>(adaptor.getOperands(), unsignedQuotientOf);
}

OpFoldResult RemOp::fold(FoldAdaptor adaptor) {
  return constFoldBinaryOp<IntegerAttr, APInt, void>(adaptor.getOperands(), remainderOf);
}

OpFoldResult RemUOp::fold(FoldAdaptor adaptor) {
  return constFoldBinaryOp<IntegerAttr, APInt, void>(adaptor.getOperands(), unsignedRemainderOf);
}

OpFoldResult MulHighOp::fold(FoldAdaptor adaptor) {
  return constFoldBinaryOp<IntegerAttr, APInt, void>(
      adaptor.getOperands(),
      [](const APInt &x, const APInt &y) { return llvm::APIntOps::mulhs(x, y); });
}
OpFoldResult MulHighUOp::fold(FoldAdaptor adaptor) {
  return constFoldBinaryOp<IntegerAttr, APInt, void>(
      adaptor.getOperands(),
      [](const APInt &x, const APInt &y) { return llvm::APIntOps::mulhu(x, y); });
}

// APInt clamps a count of the width or more, which gives what the language wants.
template <class Op, class Shift> static OpFoldResult foldShift(Op op, Shift shift) {
  if (matchPattern(op.getCount(), m_Zero()))
    return op.getValue();
  Attribute value, count;
  matchPattern(op.getValue(), m_Constant(&value));
  matchPattern(op.getCount(), m_Constant(&count));
  return constFoldBinaryOp<IntegerAttr, APInt, void>({value, count}, shift);
}

OpFoldResult ShlOp::fold(FoldAdaptor) {
  return foldShift(*this, [](const APInt &value, const APInt &count) { return value.shl(count); });
}
OpFoldResult ShrOp::fold(FoldAdaptor) {
  return foldShift(*this, [](const APInt &value, const APInt &count) { return value.ashr(count); });
}
OpFoldResult ShrUOp::fold(FoldAdaptor) {
  return foldShift(*this, [](const APInt &value, const APInt &count) { return value.lshr(count); });
}

/// Truncated and saturated, NaN as 0.
static OpFoldResult foldToInteger(Attribute operand, Type type, bool isUnsigned) {
  unsigned bits = elementTypeOf(type).getIntOrFloatBitWidth();
  auto convert = [&](const APFloat &value, bool &) {
    APSInt integer(bits, isUnsigned);
    bool exact;
    // APFloat saturates out-of-range values; NaN gives 0.
    value.convertToInteger(integer, APFloat::rmTowardZero, &exact);
    return APInt(integer);
  };
  return constFoldCastOp<FloatAttr, IntegerAttr, APFloat, APInt, void>({operand}, type, convert);
}

OpFoldResult FpToIntOp::fold(FoldAdaptor adaptor) {
  return foldToInteger(adaptor.getOperand(), getType(), /*isUnsigned=*/false);
}
OpFoldResult FpToIntUOp::fold(FoldAdaptor adaptor) {
  return foldToInteger(adaptor.getOperand(), getType(), /*isUnsigned=*/true);
}

static unsigned bitsOf(Value value) {
  return elementTypeOf(value.getType()).getIntOrFloatBitWidth();
}

AxisFacts DivOp::inferAxisFacts(ArrayRef<AxisFacts> operands) {
  return divFacts(operands[0], operands[1], bitsOf(getResult()));
}
AxisFacts RemOp::inferAxisFacts(ArrayRef<AxisFacts> operands) {
  return remFacts(operands[0], operands[1], bitsOf(getResult()));
}
AxisFacts DivUOp::inferAxisFacts(ArrayRef<AxisFacts> operands) {
  return divUnsignedFacts(operands[0], operands[1], bitsOf(getResult()));
}
AxisFacts RemUOp::inferAxisFacts(ArrayRef<AxisFacts> operands) {
  return remUnsignedFacts(operands[0], operands[1], bitsOf(getResult()));
}
AxisFacts ShlOp::inferAxisFacts(ArrayRef<AxisFacts> operands) {
  return shiftLeftFacts(operands[0], operands[1], bitsOf(getResult()));
}
AxisFacts ShrOp::inferAxisFacts(ArrayRef<AxisFacts> operands) {
  return shiftRightFacts(operands[0], operands[1], bitsOf(getResult()));
}
AxisFacts ShrUOp::inferAxisFacts(ArrayRef<AxisFacts> operands) {
  return shiftRightUnsignedFacts(operands[0], operands[1], bitsOf(getResult()));
}

//===- tile.inline_ptx ------------------------------------------------------------------------===//

LogicalResult InlinePtxOp::verify() {
  SmallVector<Value> values(getOperands());
  values.push_back(getResult());
  for (Value value : values)
    if (elementTypeOf(value.getType()).isInteger(8))
      return emitOpError("has elements of 8 bits, for which PTX has no registers; extend them");
  trowel::Result<std::string> clean = checkPtx(getText(), getOperands().size());
  if (!clean)
    return emitOpError() << clean.error();
  return success();
}

void InlinePtxOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (getPure())
    return;
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}
