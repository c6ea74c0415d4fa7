// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers records: a thread takes room in the launch's buffer by an atomic addition and writes its
// words there (runtime/base/RecordFormat.h). One block of inline PTX does it, predicated, for each
// register whose element the thread owns; so a print makes no branch, and may stand in loops and
// branches while these have structure.
//
// The order in which records arrive says nothing. So each carries how many records were executed
// before it in its program, which the host sorts by. Control flow is the same in all threads, hence
// each thread counts for itself, in a variable on its stack that the optimiser turns into registers
// across whatever loops and branches there are.
//
// Whether anything was recorded is asked of a check, which ends the program where it failed. Of a
// tile each thread knows its own elements, and a barrier with a reduction tells all of them.
//
// Rejected: vprintf, whose output says no element and no program, cannot be caught by a test, and
// does not exist on the software device; trap for a failed check, after which a GPU takes no work
// from the process.

#include "compiler/lowering/IndexMath.h"
#include "compiler/lowering/Patterns.h"
#include "compiler/lowering/PtxAsm.h"
#include "dialect/TileDialect.h"
#include "runtime/base/RecordFormat.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace trowel;
using namespace trowel::tile;

namespace {

Value constant(OpBuilder &builder, Location location, int32_t value) {
  return LLVM::ConstantOp::create(builder, location, builder.getI32IntegerAttr(value));
}

/// The thread's count of records executed so far: one variable a kernel, made on first use.
Value recordCounter(OpBuilder &builder, Operation *op) {
  constexpr StringLiteral mark = "tile.record_counter";
  Block &entry = op->getParentOfType<FunctionOpInterface>().getFunctionBody().front();
  for (auto variable : entry.getOps<LLVM::AllocaOp>())
    if (variable->hasAttr(mark))
      return variable;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&entry);
  Location location = op->getLoc();
  auto variable =
      LLVM::AllocaOp::create(builder, location, LLVM::LLVMPointerType::get(builder.getContext()),
                             builder.getI32Type(), constant(builder, location, 1));
  variable->setAttr(mark, builder.getUnitAttr());
  LLVM::StoreOp::create(builder, location, constant(builder, location, 0), variable);
  return variable;
}

/// The counter's value; it counts on.
Value countRecord(OpBuilder &builder, Operation *op) {
  Location location = op->getLoc();
  Value counter = recordCounter(builder, op);
  Value count = LLVM::LoadOp::create(builder, location, builder.getI32Type(), counter);
  Value next = LLVM::AddOp::create(builder, location, count, constant(builder, location, 1));
  LLVM::StoreOp::create(builder, location, next, counter);
  return count;
}

/// Appends a value as 32-bit words.
void appendWords(OpBuilder &builder, Location location, Value value, SmallVector<Value> &words) {
  unsigned bits = value.getType().getIntOrFloatBitWidth();
  if (!value.getType().isInteger())
    value = LLVM::BitcastOp::create(builder, location, builder.getIntegerType(bits), value);
  Type word = builder.getI32Type();
  if (bits < 32) {
    words.push_back(LLVM::ZExtOp::create(builder, location, word, value));
  } else if (bits == 32) {
    words.push_back(value);
  } else {
    Value width = LLVM::ConstantOp::create(builder, location, builder.getI64IntegerAttr(32));
    Value upper = LLVM::LShrOp::create(builder, location, value, width);
    words.push_back(LLVM::TruncOp::create(builder, location, word, value));
    words.push_back(LLVM::TruncOp::create(builder, location, word, upper));
  }
}

/// What is the same in all records of one execution: number, count, program.
SmallVector<Value> commonWords(OpBuilder &builder, RecordOp op) {
  Location location = op.getLoc();
  auto program = [&](int axis) -> Value {
    Value id = ProgramIdOp::create(builder, location, builder.getI64Type(), axis);
    return LLVM::TruncOp::create(builder, location, builder.getI32Type(), id);
  };
  Value z = LLVM::ShlOp::create(builder, location, program(2), constant(builder, location, 16));
  return {constant(builder, location, op.getNumber().value_or(0)), countRecord(builder, op),
          program(0), LLVM::OrOp::create(builder, location, program(1), z)};
}

/// Row-major indices of a layout's elements in a tile of these extents.
class RowMajor {
public:
  RowMajor(OpBuilder &builder, Location location, const layout::LinearLayout &layout,
           ArrayRef<int64_t> extents)
      : builder(builder), location(location), extents(extents),
        coordinates(builder, location, layout) {}

  Value at(int reg) {
    Value index = coordinates.at(reg, 0);
    for (std::size_t axis = 1; axis < extents.size(); ++axis) {
      Value extent = constant(builder, location, static_cast<int32_t>(extents[axis]));
      index = LLVM::MulOp::create(builder, location, index, extent);
      index = LLVM::AddOp::create(builder, location, index,
                                  coordinates.at(reg, static_cast<int>(axis)));
    }
    return index;
  }

private:
  OpBuilder &builder;
  Location location;
  ArrayRef<int64_t> extents;
  compiler::ElementIndices coordinates;
};

struct LowerRecord : OpConversionPattern<RecordOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(RecordOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!op.getBuffer())
      return op.emitOpError("has no buffer: run tile-number-records first");
    Value any = isa_and_present<RankedTensorType>(op.getShapeType())
                    ? recordTile(op, adaptor, rewriter)
                    : recordScalars(op, adaptor, rewriter);
    rewriter.replaceOp(op, any);
    return success();
  }

  static void write(RecordOp op, OneToNOpAdaptor adaptor, OpBuilder &builder, Value predicate,
                    SmallVector<Value> words, int64_t position) {
    for (ValueRange registers : adaptor.getValues())
      appendWords(builder, op.getLoc(), registers[position], words);
    if (words.size() % 2 != 0)
      words.push_back(constant(builder, op.getLoc(), 0));
    compiler::writeRecord(builder, op.getLoc(), adaptor.getBuffer()[0], predicate, words,
                          op.getFailure());
  }

  static Value recordScalars(RecordOp op, OneToNOpAdaptor adaptor, OpBuilder &builder) {
    Location location = op.getLoc();
    Value thread = compiler::threadIndex(builder, location, compiler::warpsOf(op));
    Value predicate = LLVM::ICmpOp::create(builder, location, LLVM::ICmpPredicate::eq, thread,
                                           constant(builder, location, 0));
    Value any = truth(builder, location);
    if (op.getMask()) {
      any = adaptor.getMask()[0];
      predicate = LLVM::AndOp::create(builder, location, predicate, any);
    }
    SmallVector<Value> words = commonWords(builder, op);
    words.push_back(constant(builder, location, 0));
    write(op, adaptor, builder, predicate, words, 0);
    return any;
  }

  static Value recordTile(RecordOp op, OneToNOpAdaptor adaptor, OpBuilder &builder) {
    Location location = op.getLoc();
    auto tile = cast<RankedTensorType>(op.getShapeType());
    layout::LinearLayout layout = layoutOf(tile).linearLayout();
    uint32_t redundant = layout.redundantMask(layout::InputDim::Register);
    Value owner = compiler::ownsElements(builder, location, layout);
    SmallVector<Value> common = commonWords(builder, op);
    RowMajor index(builder, location, layout, tile.getShape());
    Value some;
    for (auto [position, reg] : llvm::enumerate(liveRegisters(tile))) {
      if (reg & redundant)
        continue;
      Value mask = op.getMask() ? adaptor.getMask()[position] : truth(builder, location);
      some = some ? LLVM::OrOp::create(builder, location, some, mask) : mask;
      SmallVector<Value> words = common;
      words.push_back(index.at(reg));
      Value predicate = owner ? LLVM::AndOp::create(builder, location, owner, mask) : mask;
      write(op, adaptor, builder, predicate, words, static_cast<int64_t>(position));
    }
    if (op.getAny().use_empty() || !op.getMask())
      return truth(builder, location);
    return LLVM::CallIntrinsicOp::create(
               builder, location, builder.getI1Type(),
               builder.getStringAttr("llvm.nvvm.barrier.cta.red.or.aligned.all"),
               ValueRange{constant(builder, location, 0), some})
        .getResult(0);
  }

  static Value truth(OpBuilder &builder, Location location) {
    return LLVM::ConstantOp::create(builder, location, builder.getBoolAttr(true));
  }
};
} // namespace

void compiler::populateRecordPatterns(const LoweringContext &context, RewritePatternSet &patterns) {
  patterns.add<LowerRecord>(context.types, patterns.getContext());
}
