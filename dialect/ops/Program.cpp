// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Program ids and counts are scalars of which only bounds are known: those of a grid.

#include "dialect/TileDialect.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace trowel::tile;

static LogicalResult verifyAxis(Operation *op, int32_t axis) {
  if (axis < 0 || axis > 2)
    return op->emitOpError("has axis ") << axis << ", but a grid has the axes 0, 1 and 2";
  return success();
}

LogicalResult ProgramIdOp::verify() { return verifyAxis(*this, getAxis()); }
LogicalResult ProgramCountOp::verify() { return verifyAxis(*this, getAxis()); }

int64_t trowel::tile::mostProgramsAlong(int32_t axis) { return axis == 0 ? 0x7fffffff : 65535; }

AxisFacts ProgramIdOp::inferAxisFacts(ArrayRef<AxisFacts>) {
  return rangeFacts(0, mostProgramsAlong(getAxis()) - 1, 0);
}
AxisFacts ProgramCountOp::inferAxisFacts(ArrayRef<AxisFacts>) {
  return rangeFacts(1, mostProgramsAlong(getAxis()), 0);
}

namespace {
/// A condition that is never true ends nothing.
struct DropFalseReturn : OpRewritePattern<ReturnIfOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReturnIfOp op, PatternRewriter &rewriter) const override {
    if (!matchPattern(op.getCondition(), m_Zero()))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void ReturnIfOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<DropFalseReturn>(context);
}
