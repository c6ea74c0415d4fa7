// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers the functions of floating-point numbers; the table at the end is what to read.
//
// A function of f32 is one of three things: a sequence of instructions of our own (MathFunctions),
// where the hardware has an approximation to build on; the hardware's approximation itself, where
// the op asks for it; or a call of libclc's function, which compiler/ptx links in before LLVM's
// optimiser runs. f64 has no approximations in hardware and always calls.
//
// On f16 and bf16 the function is taken of f32 and rounded, by the approximation where the table
// says that this stays within 1 ulp of the type. It does not where a result near 0 comes from an
// argument that is not: sin near multiples of pi, log1p, expm1.
//
// Names of libclc's functions are those of OpenCL C, mangled as C++: _Z3sinf is sin(float).

#include "compiler/lowering/MathFunctions.h"
#include "compiler/lowering/Patterns.h"
#include "dialect/TileDialect.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace trowel;
using namespace trowel::tile;

namespace {

/// For results of which types the approximation is within 1 ulp.
enum class ServesFor { None, BFloat16, Both };

struct Function {
  /// Without the letters of the argument types: "_Z3sin".
  const char *library;
  compiler::Expansion *full;        ///< null: libclc's
  compiler::Expansion *approximate; ///< null: there is none
  ServesFor approximationServes;
  /// libclc's function of f64 gives +0 for −0, where it should give −0.
  bool losesSignOfZero = false;
};

/// Calls a function of libclc, and declares it on first use.
Value callLibrary(ConversionPatternRewriter &rewriter, Operation *op, StringRef stem, Type type,
                  ValueRange arguments) {
  std::string name = (stem + std::string(arguments.size(), type.isF64() ? 'd' : 'f')).str();
  auto module = op->getParentOfType<ModuleOp>();
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!function) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(module.getBody());
    SmallVector<Type> parameters(arguments.size(), type);
    function = LLVM::LLVMFuncOp::create(rewriter, module.getLoc(), name,
                                        LLVM::LLVMFunctionType::get(type, parameters));
  }
  return LLVM::CallOp::create(rewriter, op->getLoc(), function, arguments).getResult();
}

Value inF32(OpBuilder &builder, Location location, Value number) {
  return number.getType().isF32()
             ? number
             : LLVM::FPExtOp::create(builder, location, builder.getF32Type(), number).getResult();
}

bool isHalf(Type type) { return type.isF16() || type.isBF16(); }

/// Replaces `op` by a value in f32 or in its own type, rounded where it is narrower.
void replaceRounded(ConversionPatternRewriter &rewriter, Operation *op, Value result) {
  Type type = op->getResult(0).getType();
  if (isHalf(type))
    result = LLVM::FPTruncOp::create(rewriter, op->getLoc(), type, result);
  rewriter.replaceOp(op, result);
}

LogicalResult refuseApproximation(Operation *op) {
  return op->emitOpError("of ") << op->getResult(0).getType()
                                << " has no approximation: leave out 'approximate', or use f32";
}

template <class Op> struct LowerFunction : OpConversionPattern<Op> {
  Function function;

  LowerFunction(const TypeConverter &types, MLIRContext *context, const Function &function)
      : OpConversionPattern<Op>(types, context), function(function) {}

  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location location = op.getLoc();
    Type type = op.getType();
    bool isApproximate = op.getApproximate() ||
                         (type.isBF16() && function.approximationServes != ServesFor::None) ||
                         (type.isF16() && function.approximationServes == ServesFor::Both);
    if (op.getApproximate() && (type.isF64() || !function.approximate))
      return refuseApproximation(op);
    Value x = type.isF64() ? adaptor.getOperand() : inF32(rewriter, location, adaptor.getOperand());
    compiler::Expansion *expand = isApproximate ? function.approximate : function.full;
    Value result = expand && !type.isF64()
                       ? expand(rewriter, location, x)
                       : callLibrary(rewriter, op, function.library, x.getType(), x);
    if (type.isF64() && function.losesSignOfZero) {
      Value zero = LLVM::ConstantOp::create(rewriter, location, rewriter.getF64FloatAttr(0));
      Value isZero = LLVM::FCmpOp::create(rewriter, location, LLVM::FCmpPredicate::oeq, x, zero);
      result = LLVM::SelectOp::create(rewriter, location, isZero, x, result);
    }
    replaceRounded(rewriter, op, result);
    return success();
  }
};

/// In f64, as expandSigmoid in f32.
struct LowerSigmoidOfDouble : OpConversionPattern<SigmoidOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(SigmoidOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!op.getType().isF64() || op.getApproximate())
      return failure();
    Location location = op.getLoc();
    auto constant = [&](double value) -> Value {
      return LLVM::ConstantOp::create(rewriter, location, rewriter.getF64FloatAttr(value));
    };
    Value x = adaptor.getOperand(), one = constant(1);
    Value below = LLVM::FNegOp::create(rewriter, location,
                                       LLVM::FAbsOp::create(rewriter, location, x).getResult());
    Value power = callLibrary(rewriter, op, "_Z3exp", x.getType(), below);
    Value isNegative =
        LLVM::FCmpOp::create(rewriter, location, LLVM::FCmpPredicate::olt, x, constant(0));
    Value numerator = LLVM::SelectOp::create(rewriter, location, isNegative, power, one);
    Value sum = LLVM::FAddOp::create(rewriter, location, power, one);
    rewriter.replaceOpWithNewOp<LLVM::FDivOp>(op, numerator, sum);
    return success();
  }
};

struct LowerPow : OpConversionPattern<PowOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(PowOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location location = op.getLoc();
    Value x = adaptor.getBase(), y = adaptor.getExponent();
    if (!op.getType().isF64()) {
      x = inF32(rewriter, location, x);
      y = inF32(rewriter, location, y);
    } else if (op.getApproximate()) {
      return refuseApproximation(op);
    }
    replaceRounded(rewriter, op,
                   op.getApproximate() ? compiler::approximatePow(rewriter, location, x, y)
                                       : callLibrary(rewriter, op, "_Z3pow", x.getType(), {x, y}));
    return success();
  }
};

/// Rounding to an integer, on types for which PTX has no such instruction: exact in f32.
template <class Op> struct RoundInF32 : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;
  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!isHalf(op.getType()))
      return failure();
    Value wide = inF32(rewriter, op.getLoc(), adaptor.getOperand());
    replaceRounded(rewriter, op, Op::create(rewriter, op.getLoc(), wide));
    return success();
  }
};
} // namespace

void compiler::populateMathPatterns(const LoweringContext &context, RewritePatternSet &patterns) {
  MLIRContext *mlirContext = patterns.getContext();
  auto row = [&]<class Op>(const Function &function) {
    patterns.add<LowerFunction<Op>>(context.types, mlirContext, function);
  };
  using enum ServesFor;
  row.operator()<ExpOp>({"_Z3exp", expandExp, approximateExp, Both});
  row.operator()<Exp2Op>({"_Z4exp2", expandExp2, approximateExp2, Both});
  row.operator()<LogOp>({"_Z3log", expandLog, approximateLog, BFloat16});
  row.operator()<Log2Op>({"_Z4log2", expandLog2, approximateLog2, BFloat16});
  row.operator()<Log1pOp>({"_Z5log1p", nullptr, nullptr, None});
  row.operator()<Expm1Op>({"_Z5expm1", nullptr, nullptr, None, /*losesSignOfZero=*/true});
  row.operator()<SinOp>({"_Z3sin", nullptr, approximateSin, None, /*losesSignOfZero=*/true});
  row.operator()<CosOp>({"_Z3cos", nullptr, approximateCos, None});
  row.operator()<TanOp>({"_Z3tan", nullptr, approximateTan, None, /*losesSignOfZero=*/true});
  row.operator()<TanhOp>({"_Z4tanh", expandTanh, approximateTanh, BFloat16});
  row.operator()<ErfOp>({"_Z3erf", nullptr, nullptr, None, /*losesSignOfZero=*/true});
  row.operator()<RsqrtOp>({"_Z5rsqrt", expandRsqrt, approximateRsqrt, None});
  row.operator()<SigmoidOp>({nullptr, expandSigmoid, approximateSigmoid, Both});
  patterns.add<LowerPow>(context.types, mlirContext);
  patterns.add<LowerSigmoidOfDouble>(context.types, mlirContext, /*benefit=*/2);
  patterns.add<RoundInF32<math::FloorOp>, RoundInF32<math::CeilOp>, RoundInF32<math::RoundOp>>(
      context.types, mlirContext, /*benefit=*/2);
}
