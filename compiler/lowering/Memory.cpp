// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers the memory family.
//
// `width` registers in a row, as tile-coalesce proved and tile-assign-layouts confirmed, move in
// one instruction through the first one's address and mask. An instruction moves words, not
// elements: integers of 8 to 64 bits that are cut into elements in registers. Without a mask an
// access is an ordinary LLVM load or store; with one, or with a modifier, it is PTX (PtxAsm). A
// bool is a byte of 0 or 1 in memory.
//
// Where the mask may differ between the elements of an instruction (`mask_run`), all must be let
// through for the instruction to happen. Where one is not, each run moves alone; if the author
// promised that this cannot be, nothing does.
//
// Replicas: a register that repeats another one's element is not loaded again, and of several
// threads that hold an element one stores it. A scalar is stored by thread 0.

#include "compiler/lowering/IndexMath.h"
#include "compiler/lowering/Patterns.h"
#include "compiler/lowering/PtxAsm.h"
#include "dialect/TileDialect.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace trowel;
using namespace trowel::tile;
using compiler::AccessShape;

/// The type of an element as memory holds it.
static Type memoryType(Type element) {
  return element.isInteger(1) ? IntegerType::get(element.getContext(), 8) : element;
}

static Value constantIndex(OpBuilder &builder, Location location, int64_t index) {
  return LLVM::ConstantOp::create(builder, location, builder.getI32IntegerAttr(index));
}

/// Elements as the words of an access.
static SmallVector<Value> packWords(OpBuilder &builder, Location location, AccessShape shape,
                                    ValueRange elements) {
  Type type = memoryType(elements[0].getType());
  SmallVector<Value> stored;
  for (Value element : elements)
    stored.push_back(type == element.getType()
                         ? element
                         : LLVM::ZExtOp::create(builder, location, type, element));
  Type word = builder.getIntegerType(shape.bits);
  int64_t perWord = elements.size() / shape.count;
  SmallVector<Value> words;
  for (int64_t first = 0; first < static_cast<int64_t>(stored.size()); first += perWord) {
    Value bits = stored[first];
    if (perWord > 1) {
      bits = LLVM::UndefOp::create(builder, location, VectorType::get(perWord, type));
      for (int64_t i = 0; i < perWord; ++i)
        bits = LLVM::InsertElementOp::create(builder, location, bits, stored[first + i],
                                             constantIndex(builder, location, i));
    }
    words.push_back(
        bits.getType() == word ? bits : LLVM::BitcastOp::create(builder, location, word, bits));
  }
  return words;
}

/// The words of an access as elements.
static SmallVector<Value> unpackWords(OpBuilder &builder, Location location, ValueRange words,
                                      int64_t count, Type element) {
  Type type = memoryType(element);
  int64_t perWord = count / words.size();
  SmallVector<Value> elements;
  for (Value word : words) {
    SmallVector<Value> parts{word};
    if (perWord > 1) {
      Value bits = LLVM::BitcastOp::create(builder, location, VectorType::get(perWord, type), word);
      parts.clear();
      for (int64_t i = 0; i < perWord; ++i)
        parts.push_back(LLVM::ExtractElementOp::create(builder, location, bits,
                                                       constantIndex(builder, location, i)));
    }
    for (Value part : parts) {
      if (part.getType() != type)
        part = LLVM::BitcastOp::create(builder, location, type, part);
      if (element.isInteger(1))
        part = LLVM::ICmpOp::create(
            builder, location, LLVM::ICmpPredicate::ne, part,
            LLVM::ConstantOp::create(builder, location, builder.getIntegerAttr(type, 0)));
      elements.push_back(part);
    }
  }
  return elements;
}

/// The type that an unpredicated access has: one word, or a vector of them.
static Type accessType(OpBuilder &builder, AccessShape shape) {
  Type word = builder.getIntegerType(shape.bits);
  return shape.count == 1 ? word : VectorType::get(shape.count, word);
}

static SmallVector<Value> plainLoad(OpBuilder &builder, Location location, AccessShape shape,
                                    Value pointer) {
  Value loaded =
      LLVM::LoadOp::create(builder, location, accessType(builder, shape), pointer, shape.bytes());
  if (shape.count == 1)
    return {loaded};
  SmallVector<Value> words;
  for (int64_t i = 0; i < shape.count; ++i)
    words.push_back(LLVM::ExtractElementOp::create(builder, location, loaded,
                                                   constantIndex(builder, location, i)));
  return words;
}

static void plainStore(OpBuilder &builder, Location location, AccessShape shape, Value pointer,
                       ArrayRef<Value> words) {
  Value stored = words[0];
  if (shape.count > 1) {
    stored = LLVM::UndefOp::create(builder, location, accessType(builder, shape));
    for (int64_t i = 0; i < shape.count; ++i)
      stored = LLVM::InsertElementOp::create(builder, location, stored, words[i],
                                             constantIndex(builder, location, i));
  }
  LLVM::StoreOp::create(builder, location, stored, pointer, shape.bytes());
}

static Value conjunction(OpBuilder &builder, Location location, Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  return LLVM::AndOp::create(builder, location, a, b);
}

namespace {
struct LowerPtrAdd : OpConversionPattern<PtrAddOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(PtrAddOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type pointee = memoryType(cast<PtrType>(elementTypeOf(op.getType())).getPointee());
    SmallVector<Value> sums;
    for (auto [pointer, offset] : llvm::zip_equal(adaptor.getPointer(), adaptor.getOffset())) {
      Value wide = offset;
      if (!wide.getType().isInteger(64))
        wide = LLVM::SExtOp::create(rewriter, op.getLoc(), rewriter.getI64Type(), wide);
      sums.push_back(LLVM::GEPOp::create(rewriter, op.getLoc(), pointer.getType(), pointee, pointer,
                                         ArrayRef<LLVM::GEPArg>{wide}));
    }
    rewriter.replaceOpWithMultiple(op, {sums});
    return success();
  }
};

/// How the registers of an access are grouped into instructions: `width` in a row move together.
/// Only registers that hold an element in some thread exist; values are indexed by their position
/// among them.
struct Grouping {
  SmallVector<int> registers{0};
  int64_t width = 1;
  /// Register bits that repeat the elements of the same thread's other registers.
  int repeated = 0;
  /// Register bits that are 0 where elements are stored.
  int redundant = 0;
  AccessShape shape{8, 1};

  Grouping(Type pointers, std::optional<uint32_t> widthAttr) {
    if (LayoutAttr layout = layoutOf(pointers)) {
      layout::LinearLayout linear = layout.linearLayout();
      registers = liveRegisters(cast<RankedTensorType>(pointers));
      repeated = linear.replicationMask(layout::InputDim::Register);
      redundant = linear.redundantMask(layout::InputDim::Register);
      width = widthAttr.value_or(1);
    }
    int64_t bytes = memoryBytes(cast<PtrType>(elementTypeOf(pointers)).getPointee());
    shape = compiler::accessShape(width * bytes, bytes);
    assert(registers.size() % width == 0 && "padding begins between instructions");
  }

  int64_t size() const { return registers.size(); }
  /// The position of the register whose element the one at `position` repeats: itself, if none.
  int64_t origin(int64_t position) const {
    return llvm::lower_bound(registers, registers[position] & ~repeated) - registers.begin();
  }
};

/// The predicates of the access that begins at a register: one for all of it, and one for each run
/// of equal masks where these may move alone.
struct Predicates {
  Value all;
  SmallVector<Value> parts;

  template <class Access>
  Predicates(OpBuilder &builder, Access op, ValueRange masks, int64_t first, int64_t width) {
    if (masks.empty())
      return;
    int64_t run = op.getMaskRun().value_or(width);
    for (int64_t i = 0; i < width; i += run) {
      parts.push_back(masks[first + i]);
      all = conjunction(builder, op.getLoc(), all, parts.back());
    }
    if (run >= width || op.getMaskPromised())
      parts.clear();
  }
};

struct LowerLoad : OpConversionPattern<LoadOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(LoadOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location location = op.getLoc();
    Grouping grouping(op.getPointer().getType(), op.getWidth());
    Type element = elementTypeOf(op.getType());
    ValueRange pointers = adaptor.getPointer(), masks, fills;
    if (op.getMask())
      masks = adaptor.getMask();
    if (op.getFill())
      fills = adaptor.getFill();

    SmallVector<Value> registers(grouping.size());
    for (int64_t first = 0; first < grouping.size(); first += grouping.width) {
      if (int64_t origin = grouping.origin(first); origin != first) {
        for (int64_t i = 0; i < grouping.width; ++i)
          registers[first + i] = registers[origin + i];
        continue;
      }
      StringRef modifier = op.getModifier().value_or("");
      Predicates predicates(rewriter, op, masks, first, grouping.width);
      SmallVector<Value> words;
      if (masks.empty() && !modifier.empty()) {
        words = compiler::maskedLoad(rewriter, location, grouping.shape, modifier, pointers[first],
                                     Value(), ValueRange());
      } else if (masks.empty()) {
        words = plainLoad(rewriter, location, grouping.shape, pointers[first]);
      } else {
        SmallVector<Value> fallback;
        if (fills.empty()) {
          Value zero = LLVM::ConstantOp::create(
              rewriter, location,
              rewriter.getIntegerAttr(rewriter.getIntegerType(grouping.shape.bits), 0));
          fallback.assign(grouping.shape.count, zero);
        } else {
          fallback =
              packWords(rewriter, location, grouping.shape, fills.slice(first, grouping.width));
        }
        words =
            predicates.parts.empty()
                ? compiler::maskedLoad(rewriter, location, grouping.shape, modifier,
                                       pointers[first], predicates.all, fallback)
                : compiler::splitLoad(rewriter, location, grouping.shape, modifier, pointers[first],
                                      predicates.all, predicates.parts, fallback);
      }
      for (auto [i, value] :
           llvm::enumerate(unpackWords(rewriter, location, words, grouping.width, element)))
        registers[first + i] = value;
    }
    rewriter.replaceOpWithMultiple(op, {registers});
    return success();
  }
};

struct LowerStore : OpConversionPattern<StoreOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(StoreOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location location = op.getLoc();
    Grouping grouping(op.getPointer().getType(), op.getWidth());
    Value owner = ownerOf(op, rewriter);
    for (int64_t first = 0; first < grouping.size(); first += grouping.width) {
      if (grouping.registers[first] & grouping.redundant)
        continue;
      StringRef modifier = op.getModifier().value_or("");
      Predicates predicates(rewriter, op, op.getMask() ? adaptor.getMask() : ValueRange(), first,
                            grouping.width);
      Value all = conjunction(rewriter, location, owner, predicates.all);
      for (Value &part : predicates.parts)
        part = conjunction(rewriter, location, owner, part);
      Value pointer = adaptor.getPointer()[first];
      SmallVector<Value> words = packWords(rewriter, location, grouping.shape,
                                           adaptor.getValue().slice(first, grouping.width));
      if (!predicates.parts.empty())
        compiler::splitStore(rewriter, location, grouping.shape, modifier, pointer, all,
                             predicates.parts, words);
      else if (all || !modifier.empty())
        compiler::maskedStore(rewriter, location, grouping.shape, modifier, pointer, all, words);
      else
        plainStore(rewriter, location, grouping.shape, pointer, words);
    }
    rewriter.eraseOp(op);
    return success();
  }

  static Value ownerOf(StoreOp op, OpBuilder &builder) {
    if (LayoutAttr layout = layoutOf(op.getPointer().getType()))
      return compiler::ownsElements(builder, op.getLoc(), layout.linearLayout());
    Value thread = compiler::threadIndex(builder, op.getLoc(), compiler::warpsOf(op));
    return LLVM::ICmpOp::create(builder, op.getLoc(), LLVM::ICmpPredicate::eq, thread,
                                constantIndex(builder, op.getLoc(), 0));
  }
};
} // namespace

void compiler::populateMemoryPatterns(const LoweringContext &context, RewritePatternSet &patterns) {
  patterns.add<LowerPtrAdd, LowerLoad, LowerStore>(context.types, patterns.getContext());
}
