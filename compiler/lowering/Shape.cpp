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
    for (int reg : liveRegisters(op.getType()))
      registers.push_back(indices.at(reg, /*axis=*/0));
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }
};

struct LowerSplat : OpConversionPattern<SplatOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(SplatOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> registers(liveRegisters(cast<RankedTensorType>(op.getType())).size(),
                                 adaptor.getScalar());
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
    // A register that holds padding alone in the result may hold elements in the source.
    SmallVector<int> held = liveRegisters(cast<RankedTensorType>(op.getSource().getType()));
    SmallVector<Value> registers;
    for (int reg : liveRegisters(cast<RankedTensorType>(op.getType())))
      registers.push_back(adaptor.getSource()[llvm::lower_bound(held, reg) - held.begin()]);
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }
};
} // namespace

void compiler::populateShapePatterns(const LoweringContext &context, RewritePatternSet &patterns) {
  patterns.add<LowerIota, LowerSplat, KeepRegisters<ExpandOp>, KeepRegisters<BroadcastOp>>(
      context.types, patterns.getContext());
}
