// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers the shape family. None of these ops moves data between threads: layouts were assigned so
// that each register of the result is a register of the source.

#include "compiler/lowering/IndexMath.h"
#include "compiler/lowering/Patterns.h"
#include "dialect/TileDialect.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace trowel;
using namespace trowel::tile;

namespace {
struct LowerIota : OpConversionPattern<IotaOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(IotaOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    layout::LinearLayout layout = layoutOf(op.getType()).linearLayout();
    compiler::ElementIndices indices(rewriter, op.getLoc(), layout);
    SmallVector<Value> registers;
    for (int reg = 0; reg < layout.registerCount(); ++reg)
      registers.push_back(indices.at(reg, /*axis=*/0));
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }
};

struct LowerSplat : OpConversionPattern<SplatOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(SplatOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    int count = layoutOf(op.getType()).linearLayout().registerCount();
    SmallVector<Value> registers(count, adaptor.getScalar());
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }
};

/// Expanding and broadcasting keep the registers: the source's layout is the result's with
/// coordinates forgotten.
template <class Op> struct KeepRegisters : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;
  LogicalResult matchAndRewrite(Op op,
                                typename Op::template GenericAdaptor<ArrayRef<ValueRange>> adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    layout::LinearLayout wanted = op.operandLayout(0, layoutOf(op.getType()).linearLayout());
    if (layoutOf(op.getSource().getType()).linearLayout() != wanted)
      return op.emitOpError("has a source whose layout is not the one that its result's needs");
    rewriter.replaceOpWithMultiple(op, {llvm::to_vector(adaptor.getSource())});
    return success();
  }
};
} // namespace

void compiler::populateShapePatterns(const LoweringContext &context, RewritePatternSet &patterns) {
  patterns.add<LowerIota, LowerSplat, KeepRegisters<ExpandOp>, KeepRegisters<BroadcastOp>>(
      context.types, patterns.getContext());
}
