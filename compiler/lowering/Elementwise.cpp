// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers what works element by element.
//
// An elementwise op of tiles becomes the same op of scalars, once a register; MLIR's own patterns
// then lower the scalar ops of `arith` and `math`, and the patterns here those of `tile`. So an op
// that MLIR lowers rightly needs nothing here. The exceptions among `arith` ops are conversions of
// integers to bf16, which must round once.
//
// How an integer is read is the op's matter; the template parameter says it to what both readings
// share.

#include "compiler/lowering/IntegerMath.h"
#include "compiler/lowering/Patterns.h"
#include "compiler/lowering/PtxAsm.h"
#include "dialect/TileDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace trowel;
using namespace trowel::tile;

namespace {

/// op(tile, tile) → op(scalar, scalar) for each register.
struct SplitIntoRegisters : ConversionPattern {
  SplitIntoRegisters(const TypeConverter &types, MLIRContext *context)
      : ConversionPattern(types, MatchAnyOpTypeTag(), /*benefit=*/10, context) {}

  LogicalResult matchAndRewrite(Operation *op, ArrayRef<ValueRange> operands,
                                ConversionPatternRewriter &rewriter) const override {
    if (!OpTrait::hasElementwiseMappableTraits(op) || op->getNumResults() != 1 ||
        !isa<RankedTensorType>(op->getResult(0).getType()))
      return failure();
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertType(op->getResult(0).getType(), types)))
      return failure();
    SmallVector<Value> registers;
    for (auto [reg, type] : llvm::enumerate(types)) {
      OperationState state(op->getLoc(), op->getName());
      for (auto [original, values] : llvm::zip_equal(op->getOperands(), operands))
        state.operands.push_back(isa<RankedTensorType>(original.getType()) ? values[reg]
                                                                           : values[0]);
      state.addAttributes(op->getDiscardableAttrDictionary().getValue());
      state.propertiesAttr = op->getPropertiesAsAttribute();
      state.addTypes(type);
      registers.push_back(rewriter.create(state)->getResult(0));
    }
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }

private:
  using ConversionPattern::matchAndRewrite;
};

/// A constant tile of equal elements is one constant.
struct LowerConstantTile : OpConversionPattern<arith::ConstantOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(arith::ConstantOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (!type)
      return failure();
    auto elements = dyn_cast<SplatElementsAttr>(op.getValue());
    if (!elements)
      return op.emitOpError(
          "is a tile of different elements, which has no lowering; build it from iota");
    Value scalar = LLVM::ConstantOp::create(rewriter, op.getLoc(),
                                            getTypeConverter()->convertType(type.getElementType()),
                                            elements.getSplatValue<TypedAttr>());
    SmallVector<Value> registers(liveRegisters(type).size(), scalar);
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }
};

/// An op of two integers of one type.
template <class Op> struct LowerPair : OpConversionPattern<Op> {
  using Expansion = Value (*)(OpBuilder &, Location, Value, Value);
  Expansion expand;

  LowerPair(const TypeConverter &types, MLIRContext *context, Expansion expand)
      : OpConversionPattern<Op>(types, context), expand(expand) {}

  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(
        op, expand(rewriter, op.getLoc(), adaptor.getOperands()[0], adaptor.getOperands()[1]));
    return success();
  }
};

template <class Op, bool isUnsigned> struct LowerFpToInt : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;
  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value number = adaptor.getOperand();
    if (number.getType().getIntOrFloatBitWidth() < 32)
      number = LLVM::FPExtOp::create(rewriter, op.getLoc(), rewriter.getF32Type(), number);
    rewriter.replaceOp(op, compiler::floatToInteger(rewriter, op.getLoc(), number,
                                                    cast<IntegerType>(op.getType()), isUnsigned));
    return success();
  }
};

/// Bits to f16 or bf16. LLVM 22 folds two bitcasts to one, from half to bfloat, and the comparison
/// of that with 0 to an `and` of halves, which does not exist; so it is not shown the bits.
struct LowerBitcastToHalf : OpConversionPattern<arith::BitcastOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(arith::BitcastOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!type.isF16() && !type.isBF16())
      return failure();
    Value bits = adaptor.getIn();
    if (!bits.getType().isInteger())
      bits = LLVM::BitcastOp::create(rewriter, op.getLoc(), rewriter.getI16Type(), bits);
    Value moved = compiler::moveBits16(rewriter, op.getLoc(), bits);
    rewriter.replaceOpWithNewOp<LLVM::BitcastOp>(op, type, moved);
    return success();
  }
};

struct LowerInlinePtx : OpConversionPattern<InlinePtxOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(InlinePtxOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, compiler::inlinePtx(rewriter, op.getLoc(), op.getType(),
                                               adaptor.getOperands(), op.getText(), op.getPure()));
    return success();
  }
};

/// Integers of several bits to bf16; bools (uitofp of i1) are exact by any route.
template <class Op, bool isUnsigned> struct LowerIntToBf16 : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;
  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!op.getType().isBF16() || op.getIn().getType().isInteger(1))
      return failure();
    rewriter.replaceOp(op,
                       compiler::integerToBf16(rewriter, op.getLoc(), adaptor.getIn(), isUnsigned));
    return success();
  }
};
} // namespace

void compiler::populateElementwisePatterns(const LoweringContext &context,
                                           RewritePatternSet &patterns) {
  MLIRContext *mlirContext = patterns.getContext();
  patterns.add<SplitIntoRegisters, LowerConstantTile, LowerInlinePtx,
               LowerFpToInt<FpToIntOp, false>, LowerFpToInt<FpToIntUOp, true>>(context.types,
                                                                               mlirContext);
  patterns.add<LowerBitcastToHalf, LowerIntToBf16<arith::SIToFPOp, false>,
               LowerIntToBf16<arith::UIToFPOp, true>>(context.types, mlirContext, /*benefit=*/2);
  patterns.add<LowerPair<DivOp>>(context.types, mlirContext, divideIntegers);
  patterns.add<LowerPair<RemOp>>(context.types, mlirContext, remainderOfIntegers);
  patterns.add<LowerPair<DivUOp>>(context.types, mlirContext, divideUnsigned);
  patterns.add<LowerPair<RemUOp>>(context.types, mlirContext, remainderOfUnsigned);
  patterns.add<LowerPair<MulHighOp>>(context.types, mlirContext, multiplyHigh);
  patterns.add<LowerPair<MulHighUOp>>(context.types, mlirContext, multiplyHighUnsigned);
  patterns.add<LowerPair<ShlOp>>(context.types, mlirContext, shiftLeft);
  patterns.add<LowerPair<ShrOp>>(context.types, mlirContext, shiftRight);
  patterns.add<LowerPair<ShrUOp>>(context.types, mlirContext, shiftRightUnsigned);
}
