// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers to the LLVM and NVVM dialects. This file only assembles: the patterns of each family are
// in the file of its name, those of `arith` and `math` are MLIR's.
//
// Before: every tile has a layout and the kernel its number of warps. After: only the LLVM and NVVM
// dialects are left; each kernel is an llvm.func with `nvvm.kernel` and the exact number of its
// threads.

#include "compiler/lowering/Patterns.h"
#include "compiler/lowering/Shared.h"
#include "compiler/ptx/EmitPtx.h"
#include "compiler/transforms/Passes.h"
#include "dialect/TileDialect.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Transforms/DialectConversion.h"

namespace trowel::compiler {
#define GEN_PASS_DEF_LOWERTONVVM
#include "compiler/transforms/Passes.h.inc"
} // namespace trowel::compiler

using namespace mlir;
using namespace trowel;
using namespace trowel::tile;

int64_t compiler::warpsOf(Operation *op) {
  // While the function is being converted the op may stand in either form of it.
  for (Operation *parent = op; parent; parent = parent->getParentOp())
    if (auto warps = parent->getAttrOfType<IntegerAttr>(TileDialect::warpsAttr))
      return warps.getInt();
  return 1;
}

namespace {
struct LowerFunc : OpConversionPattern<func::FuncOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(func::FuncOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op.getNumResults() != 0)
      return op.emitOpError("returns values; a kernel writes its results to memory");
    TypeConverter::SignatureConversion signature(op.getNumArguments());
    for (auto [index, type] : llvm::enumerate(op.getArgumentTypes())) {
      Type converted = isa<RankedTensorType>(type) ? Type() : getTypeConverter()->convertType(type);
      if (!converted)
        return op.emitOpError("has an argument of type ")
               << type << "; kernels take pointers and scalars";
      signature.addInputs(index, converted);
    }
    auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(op.getContext()),
                                            signature.getConvertedTypes());
    auto function = LLVM::LLVMFuncOp::create(rewriter, op.getLoc(), op.getName(), type);
    if (auto warps = op->getAttrOfType<IntegerAttr>(TileDialect::warpsAttr))
      function->setAttr(TileDialect::warpsAttr, warps);
    if (op->hasAttr(TileDialect::kernelAttr)) {
      function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(), rewriter.getUnitAttr());
      int32_t threads = 32 * compiler::warpsOf(op);
      function->setAttr(NVVM::NVVMDialect::getReqntidAttrName(),
                        rewriter.getDenseI32ArrayAttr({threads}));
    }
    rewriter.inlineRegionBefore(op.getBody(), function.getBody(), function.end());
    if (failed(rewriter.convertRegionTypes(&function.getBody(), *getTypeConverter(), &signature)))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerReturn : OpConversionPattern<func::ReturnOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(func::ReturnOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::ReturnOp>(op, ValueRange());
    return success();
  }
};

struct LowerToNvvm : compiler::impl::LowerToNvvmBase<LowerToNvvm> {
  using LowerToNvvmBase::LowerToNvvmBase;

  void runOnOperation() override {
    Result<const compiler::Target *> target = compiler::findTarget(targetName);
    if (!target) {
      getOperation().emitError(target.error());
      return signalPassFailure();
    }
    notePtxVersion();
    compiler::declareSharedMemory(getOperation());
    compiler::RegisterTypeConverter types(&getContext());
    if (failed(checkLayouts()) || failed(checkSharedMemory(**target)) ||
        failed(lowerToRegisters(types, **target)) ||
        failed(compiler::lowerControlFlow(getOperation(), types)))
      return signalPassFailure();
    // What the dialect said of a kernel is now said by NVVM's attributes.
    getOperation().walk(
        [](LLVM::LLVMFuncOp function) { function->removeAttr(TileDialect::warpsAttr); });
  }

  /// Says which PTX the instructions need that not every version knows.
  void notePtxVersion() {
    int version = 0;
    getOperation().walk([&](Operation *op) {
      if (isa<InlinePtxOp>(op)) // nobody knows what it needs; the oldest supported driver reads 8.0
        version = std::max(version, 80);
      auto modifier = op->getAttrOfType<StringAttr>("modifier");
      if (isa<LoadOp, StoreOp>(op) && modifier && modifier.getValue().starts_with("L1::"))
        version = std::max(version, 74);
    });
    if (version != 0)
      getOperation()->setAttr(compiler::ptxVersionAttr,
                              Builder(&getContext()).getI32IntegerAttr(version));
  }

  /// The patterns ask tiles for their layouts without looking whether they have one.
  LogicalResult checkLayouts() {
    WalkResult result = getOperation().walk([](Operation *op) {
      for (Value value : op->getResults())
        if (isa<RankedTensorType>(value.getType()) && !layoutOf(value.getType()))
          return WalkResult(op->emitOpError("makes a tile without a layout, ")
                            << value.getType() << ": run tile-assign-layouts first");
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  /// Tells the op that needs more shared memory than a program has.
  LogicalResult checkSharedMemory(const compiler::Target &target) {
    WalkResult result = getOperation().walk([&](LayoutInterface op) {
      auto scratch = op->getAttrOfType<IntegerAttr>(TileDialect::scratchAttr);
      if (!scratch || scratch.getInt() + op.scratchBytes() <= target.maxSharedBytes)
        return WalkResult::advance();
      return WalkResult(op->emitError("moves elements between warps through ")
                        << op.scratchBytes()
                        << " bytes of shared memory, but a program has at most "
                        << target.maxSharedBytes << " on " << target.name
                        << "; use a smaller tile and a larger grid");
    });
    return failure(result.wasInterrupted());
  }

  /// Tiles become registers and ops of scalars; loops and branches keep their structure.
  LogicalResult lowerToRegisters(const compiler::RegisterTypeConverter &types,
                                 const compiler::Target &target) {
    MLIRContext *context = &getContext();
    compiler::LoweringContext lowering{types, target};
    LLVMConversionTarget legal(*context);
    legal.addLegalOp<ModuleOp, ReturnIfOp>();
    legal.addLegalDialect<NVVM::NVVMDialect>();
    legal.addIllegalDialect<TileDialect, arith::ArithDialect, math::MathDialect,
                            func::FuncDialect>();

    RewritePatternSet patterns(context);
    patterns.add<LowerFunc, LowerReturn>(types, context);
    compiler::populateProgramPatterns(lowering, patterns);
    compiler::populateMemoryPatterns(lowering, patterns);
    compiler::populateRecordPatterns(lowering, patterns);
    compiler::populateShapePatterns(lowering, patterns);
    compiler::populateReducePatterns(lowering, patterns);
    compiler::populateScanPatterns(lowering, patterns);
    compiler::populateLayoutPatterns(lowering, patterns);
    compiler::populateElementwisePatterns(lowering, patterns);
    compiler::populateHintPatterns(lowering, patterns);
    compiler::populateMathPatterns(lowering, patterns);
    scf::populateSCFStructuralTypeConversionsAndLegality(types, patterns, legal);
    arith::populateArithToLLVMConversionPatterns(types, patterns);
    populateMathToLLVMConversionPatterns(types, patterns);
    return applyFullConversion(getOperation(), legal, std::move(patterns));
  }
};
} // namespace
