// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hints add to what is known of their operand. Where the two contradict each other, one of them is
// false; what was known stays then, so that no analysis meets a value without numbers.

#include "dialect/TileDialect.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace trowel::tile;

static LogicalResult verifyDivisor(Operation *op, int64_t divisor) {
  if (divisor < 1)
    return op->emitOpError("has the divisor ") << divisor << ", but it must be at least 1";
  return success();
}

LogicalResult MultipleOfOp::verify() { return verifyDivisor(*this, getDivisor()); }

AxisFacts MultipleOfOp::inferAxisFacts(ArrayRef<AxisFacts> operands) {
  return multipleFacts(operands[0], getDivisor());
}

LogicalResult KnownOp::verify() {
  // Attributes of signless integers read as unsigned.
  auto minimum = static_cast<int64_t>(getMinimum()), maximum = static_cast<int64_t>(getMaximum());
  if (minimum > maximum)
    return emitOpError("has bounds from ")
           << minimum << " to " << maximum << ", between which there is no number";
  return verifyDivisor(*this, getDivisor());
}

AxisFacts KnownOp::inferAxisFacts(ArrayRef<AxisFacts> operands) {
  return withinFacts(multipleFacts(operands[0], getDivisor()), getMinimum(), getMaximum());
}

namespace {
/// What is always true need not be checked.
struct DropTrueAssumption : OpRewritePattern<AssumeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AssumeOp op, PatternRewriter &rewriter) const override {
    if (!matchPattern(op.getCondition(), m_One()))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void AssumeOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<DropTrueAssumption>(context);
}
