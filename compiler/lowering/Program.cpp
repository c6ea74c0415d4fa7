// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers the program family. Programs map to CTAs one to one, so the id along an axis is the CTA's.
// How many a grid has at most is what LLVM is told.

#include "compiler/lowering/Patterns.h"
#include "compiler/lowering/Shared.h"
#include "dialect/TileDialect.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace trowel;
using namespace trowel::tile;

/// Reads one of three special registers, which holds a number from `least` to `most`.
template <class X, class Y, class Z>
static Value readRegister(OpBuilder &builder, Location location, int32_t axis, int64_t least,
                          int64_t most) {
  Type type = builder.getI32Type();
  auto range =
      LLVM::ConstantRangeAttr::get(builder.getContext(), APInt(32, least), APInt(32, most + 1));
  Value value = axis == 0   ? X::create(builder, location, type, range).getResult()
                : axis == 1 ? Y::create(builder, location, type, range).getResult()
                            : Z::create(builder, location, type, range).getResult();
  return LLVM::ZExtOp::create(builder, location, builder.getI64Type(), value);
}

namespace {
struct LowerProgramId : OpConversionPattern<ProgramIdOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ProgramIdOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    int32_t axis = op.getAxis();
    rewriter.replaceOp(op, readRegister<NVVM::BlockIdXOp, NVVM::BlockIdYOp, NVVM::BlockIdZOp>(
                               rewriter, op.getLoc(), axis, 0, mostProgramsAlong(axis) - 1));
    return success();
  }
};

struct LowerProgramCount : OpConversionPattern<ProgramCountOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ProgramCountOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    int32_t axis = op.getAxis();
    rewriter.replaceOp(op, readRegister<NVVM::GridDimXOp, NVVM::GridDimYOp, NVVM::GridDimZOp>(
                               rewriter, op.getLoc(), axis, 1, mostProgramsAlong(axis)));
    return success();
  }
};

struct LowerBarrier : OpConversionPattern<BarrierOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(BarrierOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    compiler::synchronizeThreads(rewriter, op.getLoc());
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void compiler::populateProgramPatterns(const LoweringContext &context,
                                       RewritePatternSet &patterns) {
  patterns.add<LowerProgramId, LowerProgramCount, LowerBarrier>(context.types,
                                                                patterns.getContext());
}
