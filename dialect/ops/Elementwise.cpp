// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Folders of the elementwise ops, which evaluate the language's rules on constants. Transcendentals
// are not folded: the result would depend on the host's math library, and the PTX of a kernel is
// the same bytes on every host.

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

OpFoldResult DivOp::fold(FoldAdaptor adaptor) {
  if (matchPattern(getRhs(), m_One()))
    return getLhs();
  return constFoldBinaryOp<IntegerAttr, APInt, void>(adaptor.getOperands(), quotientOf);
}

OpFoldResult RemOp::fold(FoldAdaptor adaptor) {
  return constFoldBinaryOp<IntegerAttr, APInt, void>(adaptor.getOperands(), remainderOf);
}

OpFoldResult FpToIntOp::fold(FoldAdaptor adaptor) {
  unsigned bits = elementTypeOf(getType()).getIntOrFloatBitWidth();
  auto convert = [&](const APFloat &value, bool &) {
    APSInt integer(bits, /*isUnsigned=*/false);
    bool exact;
    // APFloat saturates out-of-range values; NaN gives 0.
    value.convertToInteger(integer, APFloat::rmTowardZero, &exact);
    return APInt(integer);
  };
  return constFoldCastOp<FloatAttr, IntegerAttr, APFloat, APInt, void>(adaptor.getOperands(),
                                                                       getType(), convert);
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
