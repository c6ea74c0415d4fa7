// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers the hint family: what a hint said is in the widths of accesses by now, and what is left of
// it is the check that the software device makes. LLVM is told nothing. With an `llvm.assume` a
// condition that turned out false would be undefined behaviour, and the optimiser would have taken
// masks away because of it.

#include "compiler/lowering/Patterns.h"
#include "compiler/lowering/PtxAsm.h"
#include "dialect/TileDialect.h"

#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace trowel;
using namespace trowel::tile;

namespace {
struct LowerMultipleOf : OpConversionPattern<MultipleOfOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(MultipleOfOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    // Facts know powers of two, so more is not relied on.
    int64_t divisor = op.getDivisor() & -op.getDivisor();
    if (divisor > 1)
      compiler::checkMultiple(rewriter, op.getLoc(), adaptor.getValue(), divisor,
                              adaptor.getMask());
    rewriter.replaceOp(op, adaptor.getValue());
    return success();
  }
};

struct LowerKnown : OpConversionPattern<KnownOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(KnownOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getValue());
    return success();
  }
};

struct LowerAssume : OpConversionPattern<AssumeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(AssumeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    compiler::checkTrue(rewriter, op.getLoc(), adaptor.getCondition());
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void compiler::populateHintPatterns(const LoweringContext &context, RewritePatternSet &patterns) {
  patterns.add<LowerMultipleOf, LowerKnown, LowerAssume>(context.types, patterns.getContext());
}
