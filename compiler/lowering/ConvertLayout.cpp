// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers conversions between layouts.
//
// Where each place of the new layout reads from a place of the same thread, registers are renamed.
// Otherwise the tile goes through shared memory: the owner of each element writes it to the place
// of its row-major index, and behind a barrier every thread reads what it holds.

#include "compiler/lowering/IndexMath.h"
#include "compiler/lowering/Patterns.h"
#include "compiler/lowering/PtxAsm.h"
#include "compiler/lowering/Shared.h"
#include "dialect/TileDialect.h"
#include "dialect/layout/Conversion.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace trowel;
using namespace trowel::tile;
using compiler::constant;
using layout::InputDim;

namespace {
struct LowerConvertLayout : OpConversionPattern<ConvertLayoutOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ConvertLayoutOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    layout::LinearLayout from = layoutOf(op.getSource().getType()).linearLayout(),
                         to = layoutOf(op.getType()).linearLayout();
    std::optional<layout::Conversion> conversion = layout::convert(from, to);
    if (!conversion)
      return op.emitOpError("converts from a layout that lacks elements of the other");
    SmallVector<Value> registers = layout::isRenaming(*conversion, from, to)
                                       ? renamed(op, adaptor.getSource(), from, to, *conversion)
                                       : throughShared(rewriter, op, adaptor.getSource(), from, to);
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }

private:
  static SmallVector<Value> renamed(ConvertLayoutOp op, ValueRange source,
                                    const layout::LinearLayout &from,
                                    const layout::LinearLayout &to,
                                    const layout::Conversion &conversion) {
    SmallVector<int> held = liveRegisters(cast<RankedTensorType>(op.getSource().getType()));
    SmallVector<Value> registers;
    for (int reg : liveRegisters(cast<RankedTensorType>(op.getType()))) {
      layout::Place place{reg, 0, 0, 0};
      int origin = from.unflattenPlace(conversion.source(to.flatten(place))).reg;
      registers.push_back(source[llvm::lower_bound(held, origin) - held.begin()]);
    }
    return registers;
  }

  static SmallVector<Value> throughShared(OpBuilder &builder, ConvertLayoutOp op, ValueRange source,
                                          const layout::LinearLayout &from,
                                          const layout::LinearLayout &to) {
    Location location = op.getLoc();
    Type element = source[0].getType();
    bool isPointer = isa<LLVM::LLVMPointerType>(element);
    Type kept = isPointer ? builder.getI64Type() : compiler::sharedType(element);
    Value base = compiler::scratchAddress(builder, op);
    auto address = [&](compiler::ElementIndices &indices, int reg) -> Value {
      Value flat = constant(builder, location, 0);
      int64_t distance = 1;
      for (int axis = to.rank() - 1; axis >= 0; --axis) {
        Value part =
            LLVM::MulOp::create(builder, location, indices.at(reg, axis),
                                constant(builder, location, static_cast<int32_t>(distance)));
        flat = LLVM::AddOp::create(builder, location, flat, part);
        distance *= to.extent(axis);
      }
      return LLVM::GEPOp::create(builder, location, base.getType(), kept, base,
                                 ArrayRef<LLVM::GEPArg>{flat}, LLVM::GEPNoWrapFlags::inbounds);
    };
    compiler::ElementIndices written(builder, location, from), read(builder, location, to);
    Value owns = compiler::ownsElements(builder, location, from);
    int redundant = from.redundantMask(InputDim::Register);
    for (auto [position, reg] :
         llvm::enumerate(liveRegisters(cast<RankedTensorType>(op.getSource().getType())))) {
      if (reg & redundant)
        continue;
      Value word = source[position];
      word = isPointer ? LLVM::PtrToIntOp::create(builder, location, kept, word).getResult()
                       : compiler::toShared(builder, location, word);
      if (owns)
        compiler::storeShared(builder, location, address(written, reg), owns, word);
      else
        LLVM::StoreOp::create(builder, location, word, address(written, reg));
    }
    compiler::synchronizeThreads(builder, location);
    SmallVector<Value> registers;
    for (int reg : liveRegisters(cast<RankedTensorType>(op.getType()))) {
      Value word = LLVM::LoadOp::create(builder, location, kept, address(read, reg));
      registers.push_back(
          isPointer ? LLVM::IntToPtrOp::create(builder, location, element, word).getResult()
                    : compiler::fromShared(builder, location, word, element));
    }
    return registers;
  }
};
} // namespace

void compiler::populateLayoutPatterns(const LoweringContext &context, RewritePatternSet &patterns) {
  patterns.add<LowerConvertLayout>(context.types, patterns.getContext());
}
