// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads, stores and address arithmetic.
//
// The types of an access follow from the pointer's: the value has the pointee as element, the mask
// has i1, and all share the pointer's shape and layout. The assembly prints the pointer's type
// alone.

#include "dialect/TileDialect.h"
#include "dialect/ops/MemorySyntax.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace trowel::tile;

/// The type of the value behind a pointer or a tile of pointers.
static Type valueTypeOf(Type pointer) {
  return withElementType(pointer, cast<PtrType>(elementTypeOf(pointer)).getPointee());
}

ParseResult trowel::tile::parseAccessTypes(OpAsmParser &parser, Type &pointer,
                                           std::optional<OpAsmParser::UnresolvedOperand> mask,
                                           Type &maskType,
                                           std::optional<OpAsmParser::UnresolvedOperand> value,
                                           Type &valueType) {
  SMLoc location = parser.getCurrentLocation();
  if (parser.parseType(pointer))
    return failure();
  if (!isa<PtrType>(elementTypeOf(pointer)))
    return parser.emitError(location, "expected a pointer or a tile of pointers, but found ")
           << pointer;
  if (mask)
    maskType = withElementType(pointer, IntegerType::get(pointer.getContext(), 1));
  if (value)
    valueType = valueTypeOf(pointer);
  return success();
}

void trowel::tile::printAccessTypes(OpAsmPrinter &printer, Operation *, Type pointer, Value, Type,
                                    Value, Type) {
  printer << pointer;
}

/// Whether each thread holds `width` neighbours in a row, none of them padding.
static bool holdsNeighbours(Type pointers, LayoutAttr layout, int64_t width) {
  trowel::layout::LinearLayout linear = layout.linearLayout();
  constexpr auto registers = trowel::layout::InputDim::Register;
  std::optional<size_t> alongAxis;
  for (int bit = 0; int64_t(1) << bit < width; ++bit) {
    if (bit >= linear.bitCount(registers))
      return false;
    for (size_t axis = 0; axis < extentsOf(pointers).size(); ++axis) {
      int64_t step = linear.basis(registers, bit)[axis];
      if (step != 0 && alongAxis.value_or(axis) != axis)
        return false;
      if (step == int64_t(1) << bit)
        alongAxis = axis;
    }
    if (!alongAxis || linear.basis(registers, bit)[*alongAxis] != uint32_t(1) << bit)
      return false;
  }
  return !alongAxis || extentsOf(pointers)[*alongAxis] % width == 0;
}

/// The most that one instruction moves for a thread.
static constexpr int64_t mostBytes = 16;

/// Checks what loads and stores share: the companions of the pointer have its shape and layout.
template <class Access>
static LogicalResult verifyAccess(Access op, StringRef valueName, Value value,
                                  ArrayRef<StringRef> modifiers) {
  Type pointer = op.getPointer().getType();
  Value mask = op.getMask();
  std::optional<uint32_t> width = op.getWidth();
  LayoutAttr layout = op.getLayoutAttr();
  auto check = [&](StringRef name, Value operand, Type expected) -> LogicalResult {
    if (!operand || operand.getType() == expected)
      return success();
    return op.emitOpError("has a ")
           << name << " of type " << operand.getType() << ", but its pointers of type " << pointer
           << " need " << expected;
  };
  if (failed(check("mask", mask, withElementType(pointer, IntegerType::get(op.getContext(), 1)))) ||
      failed(check(valueName, value, valueTypeOf(pointer))))
    return failure();
  if (width && (*width == 0 || (*width & (*width - 1)) != 0))
    return op.emitOpError("has width ") << *width << ", which is not a power of two";
  if (std::optional<uint32_t> run = op.getMaskRun();
      run && (*run == 0 || width.value_or(1) % *run != 0))
    return op.emitOpError("has masks in runs of ")
           << *run << ", which does not divide its width " << width.value_or(1);
  int64_t bytes = memoryBytes(cast<PtrType>(elementTypeOf(pointer)).getPointee());
  if (width && *width * bytes > mostBytes)
    return op.emitOpError("has width ") << *width << ", which is " << *width * bytes
                                        << " bytes; an access moves at most " << mostBytes;
  if (LayoutAttr held = layoutOf(pointer); held && width && !holdsNeighbours(pointer, held, *width))
    return op.emitOpError("has width ")
           << *width << ", but its layout gives no thread so many neighbours in a row: " << pointer;
  if (std::optional<uint32_t> run = op.getMaskRun();
      run && *run < width.value_or(1) && !op.getMaskPromised() && width.value_or(1) * bytes < 4)
    return op.emitOpError("of ") << width.value_or(1) * bytes << " bytes has masks in runs of "
                                 << *run << "; fewer than 4 bytes are not moved in parts";
  if (std::optional<StringRef> modifier = op.getModifier();
      modifier && !llvm::is_contained(modifiers, *modifier))
    return op.emitOpError("has the modifier '")
           << *modifier << "'; it may be " << llvm::join(modifiers, ", ");
  if (layout && layout.getExtents() != ArrayRef<int64_t>(paddedExtents(extentsOf(pointer))))
    return op.emitOpError("prefers a layout of a tile of ")
           << describeExtents(layout.getExtents()) << ", but its pointers are a tile of "
           << describeExtents(extentsOf(pointer));
  return success();
}

//===- tile.ptr_add ---------------------------------------------------------------------------===//

OpFoldResult PtrAddOp::fold(FoldAdaptor) {
  return matchPattern(getOffset(), m_Zero()) ? OpFoldResult(getPointer()) : OpFoldResult();
}

AxisFacts PtrAddOp::inferAxisFacts(ArrayRef<AxisFacts> operands) {
  return ptrAddFacts(operands[0], operands[1],
                     elementTypeOf(getOffset().getType()).getIntOrFloatBitWidth());
}

//===- tile.load ------------------------------------------------------------------------------===//

void LoadOp::build(OpBuilder &builder, OperationState &state, Value pointer, Value mask, Value fill,
                   StringAttr modifier) {
  build(builder, state, valueTypeOf(pointer.getType()), pointer, mask, fill, IntegerAttr(),
        IntegerAttr(), UnitAttr(), modifier, LayoutAttr());
}

LogicalResult LoadOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                       LoadOp::Adaptor adaptor, SmallVectorImpl<Type> &types) {
  types.push_back(valueTypeOf(adaptor.getPointer().getType()));
  return success();
}

LogicalResult LoadOp::verify() {
  if (getFill() && !getMask())
    return emitOpError("has a fill but no mask: nothing would be filled");
  if (getResult().getType() != valueTypeOf(getPointer().getType()))
    return emitOpError("has a result of type ")
           << getResult().getType() << ", but its pointers of type " << getPointer().getType()
           << " give " << valueTypeOf(getPointer().getType());
  return verifyAccess(
      *this, "fill", getFill(),
      {"cg", "cs", "L1::evict_unchanged", "L1::evict_first", "L1::evict_last", "L1::no_allocate"});
}

void LoadOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getPointerMutable());
}

namespace {
/// A mask that is true everywhere is none; a load masked off everywhere is its fill.
struct SimplifyLoadMask : OpRewritePattern<LoadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LoadOp load, PatternRewriter &rewriter) const override {
    if (!load.getMask())
      return failure();
    if (matchPattern(load.getMask(), m_One())) {
      rewriter.modifyOpInPlace(load, [&] {
        load.getFillMutable().clear();
        load.getMaskMutable().clear();
      });
      return success();
    }
    if (!matchPattern(load.getMask(), m_Zero()))
      return failure();
    if (load.getFill()) {
      rewriter.replaceOp(load, load.getFill());
      return success();
    }
    Type type = load.getResult().getType();
    TypedAttr zero = rewriter.getZeroAttr(type);
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(load, zero);
    return success();
  }
};

/// A store through a mask that is true everywhere needs none; one masked off everywhere does
/// nothing.
struct SimplifyStoreMask : OpRewritePattern<StoreOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(StoreOp store, PatternRewriter &rewriter) const override {
    if (!store.getMask())
      return failure();
    if (matchPattern(store.getMask(), m_One())) {
      rewriter.modifyOpInPlace(store, [&] { store.getMaskMutable().clear(); });
      return success();
    }
    if (!matchPattern(store.getMask(), m_Zero()))
      return failure();
    rewriter.eraseOp(store);
    return success();
  }
};
} // namespace

void LoadOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<SimplifyLoadMask>(context);
}

//===- tile.store -----------------------------------------------------------------------------===//

void StoreOp::build(OpBuilder &builder, OperationState &state, Value pointer, Value value,
                    Value mask, StringAttr modifier) {
  build(builder, state, pointer, value, mask, IntegerAttr(), IntegerAttr(), UnitAttr(), modifier,
        LayoutAttr());
}

LogicalResult StoreOp::verify() {
  return verifyAccess(*this, "value", getValue(),
                      {"cg", "cs", "wt", "L1::evict_unchanged", "L1::evict_first", "L1::evict_last",
                       "L1::no_allocate"});
}

void StoreOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), &getPointerMutable());
}

void StoreOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<SimplifyStoreMask>(context);
}
