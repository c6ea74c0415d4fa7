// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes 64-bit integers in 32 bits where no value can tell the difference.
//
// An Index has 64 bits, since buffers may have more than 2^31 elements. The machine has 32: a
// 64-bit sum or comparison is two instructions, a product four, a quotient a hundred, and each
// value takes two registers. Most indices are small, and the axis facts know it: iota is below its
// extent, a program's id below the limits of a grid, a loop's variable below its bound, an argument
// within 32 bits where the launch saw that it is.
//
//   i64 column = program_id 1 · 4096 + iota     0 … 65535·4096 − 1, fits: computed in i32
//   i64 mask   = column < n, n fits 32 bits     compared in i32
//   i64 start  = program_id 0 · 1024            up to 2^41, stays
//
// The rule: where operands and result of an op lie within 32 bits, it is done in 32 and its result
// is sign-extended for those who want 64. `isAlike` lists the ops for which that is the same
// number, whatever the operands; three more read bits as unsigned and need operands that are not
// negative. Sums, differences and products of such operands are exact, so they may say so (nsw):
// that lets LLVM take constants out of addresses again. Where the bounds rest on the author's word
// (tile.known), they say nothing: a broken promise gives numbers modulo 2^32, not poison. What is
// not computed by such an op, such as an argument or what a loop carries, is truncated, which costs
// nothing: it is the lower register.
//
// Before: tile-pad-extents, no layouts. After: the facts of each tile are what they were, so
// accesses are as wide. Left at 64 bits: what loops carry, and their variables, which cost one sum
// a trip; offsets that have 64 bits anyway, since an address wants them; and sums of which one part
// is out of range although their low bits would do, because the bounds of the result, and with them
// the width of an access, would be lost. Rejected: sign-extending the factors of a 64-bit product
// into one mul.wide, because LLVM zero-extends those that it knows not to be negative, and
// multiplies unlike factors in 64 bits (54 instructions became 57 in a strided copy); comparing
// iota with n − start instead of start + iota with n, where the subtraction needs to saturate,
// which pays only beyond four comparisons a thread.

#include "compiler/analysis/AxisInfo.h"
#include "compiler/transforms/Passes.h"
#include "dialect/TileDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

namespace trowel::compiler {
#define GEN_PASS_DEF_NARROWINDEX
#include "compiler/transforms/Passes.h.inc"
} // namespace trowel::compiler

using namespace mlir;
using namespace trowel;
using namespace trowel::tile;

/// Ops whose result is the same number in 32 bits as in 64, if operands and result fit.
static bool isAlike(Operation *op) {
  return isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::AndIOp, arith::OrIOp,
             arith::XOrIOp, arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp, arith::MaxUIOp,
             arith::SelectOp, math::AbsIOp, DivOp, RemOp, ShlOp, ShrOp, SplatOp, ExpandOp,
             BroadcastOp, MultipleOfOp, KnownOp>(op);
}

/// The same, if besides no operand is negative.
static bool isAlikeUnlessNegative(Operation *op) { return isa<DivUOp, RemUOp, ShrUOp>(op); }

static bool isWide(Value value) { return elementTypeOf(value.getType()).isInteger(64); }

namespace {
class Narrowing {
public:
  explicit Narrowing(func::FuncOp kernel) : facts(kernel), builder(kernel.getContext()) {
    if (compiler::hasHints(kernel))
      proven.emplace(kernel, compiler::AxisInfo::Hints::Ignored);
  }

  void visit(Operation *op) {
    if (isa<arith::CmpIOp, PtrAddOp, arith::SIToFPOp, arith::UIToFPOp, arith::TruncIOp>(op))
      narrowOperands(op);
    else if (op->getNumResults() == 1 && isWide(op->getResult(0)))
      narrowResult(op);
  }

  /// Drops what nobody uses any more and extends what is still wanted in 64 bits; what only repeats
  /// an operand stays beside its twin, since that operand may have 64 bits of its own.
  void finish() {
    for (Operation *op : llvm::reverse(replaced)) {
      Value wide = op->getResult(0);
      if (!wide.use_empty()) {
        if (isa<SplatOp, ExpandOp, BroadcastOp>(op))
          continue;
        builder.setInsertionPointAfterValue(wide);
        wide.replaceAllUsesWith(extended(twins.lookup(wide), wide.getType()));
      }
      op->erase();
    }
    for (Operation *op : llvm::reverse(made))
      if (isOpTriviallyDead(op))
        op->erase();
  }

private:
  bool fits(Value value) const { return fits(facts.of(value)); }
  static bool fits(const AxisFacts &known) {
    return known.minimum >= std::numeric_limits<int32_t>::min() &&
           known.maximum <= std::numeric_limits<int32_t>::max();
  }
  bool fitsAndIsNotNegative(Value value) const {
    return fits(value) && facts.of(value).minimum >= 0;
  }

  /// Ops that only read 64-bit integers.
  void narrowOperands(Operation *op) {
    // A comparison orders sign-extended numbers as it orders the numbers, signed or unsigned.
    bool unsignedNumbers = isa<arith::UIToFPOp>(op);
    for (Value operand : op->getOperands())
      if (isWide(operand) && !(unsignedNumbers ? fitsAndIsNotNegative(operand) : fits(operand)))
        return;
    // An address takes 64 bits. Truncated for it, a number would only be extended again.
    if (auto address = dyn_cast<PtrAddOp>(op))
      if (!isWide(address.getOffset()) || !isComputedNarrow(address.getOffset()))
        return;
    for (OpOperand &operand : op->getOpOperands())
      if (isWide(operand.get()))
        operand.set(twinOf(operand.get()));
    auto truncation = dyn_cast<arith::TruncIOp>(op);
    if (truncation && truncation.getIn().getType() == truncation.getType()) {
      truncation.replaceAllUsesWith(truncation.getIn());
      truncation.erase();
    }
  }

  void narrowResult(Operation *op) {
    SmallVector<Value> operands;
    llvm::copy_if(op->getOperands(), std::back_inserter(operands), isWide);
    Value result = op->getResult(0);
    bool all = llvm::all_of(operands, [&](Value operand) { return fits(operand); });
    if (isAlike(op) && all && fits(result))
      replace(op, operands);
    else if (isAlikeUnlessNegative(op) && fits(result) &&
             llvm::all_of(operands, [&](Value v) { return fitsAndIsNotNegative(v); }))
      replace(op, operands);
    else if (isa<arith::AndIOp>(op) &&
             llvm::any_of(operands, [&](Value v) { return fitsAndIsNotNegative(v); }))
      replace(op, operands); // the upper bits are 0
  }

  /// Makes the op's twin of 32 bits.
  void replace(Operation *op, ArrayRef<Value> operands) {
    IRMapping mapping;
    for (Value operand : operands)
      mapping.map(operand, twinOf(operand));
    builder.setInsertionPoint(op);
    Operation *twin = builder.clone(*op, mapping);
    Value result = op->getResult(0);
    twin->getResult(0).setType(narrowType(result));
    if (isExact(op))
      llvm::TypeSwitch<Operation *>(twin).Case<arith::AddIOp, arith::SubIOp, arith::MulIOp>(
          [](auto sum) { sum.setOverflowFlags(arith::IntegerOverflowFlags::nsw); });
    twins[result] = twin->getResult(0);
    replaced.push_back(op);
    made.push_back(twin);
  }

  /// Whether operands and result fit whatever the author promised.
  bool isExact(Operation *op) const {
    auto fitsForCertain = [&](Value value) { return fits(proven->of(value)); };
    return !proven ||
           (llvm::all_of(op->getOperands(), fitsForCertain) && fitsForCertain(op->getResult(0)));
  }

  Type narrowType(Value wide) const {
    return withElementType(wide.getType(), IntegerType::get(wide.getContext(), 32));
  }
  Value extended(Value twin, Type type) {
    return arith::ExtSIOp::create(builder, twin.getLoc(), type, twin);
  }

  /// A value of 32 bits that there is anyway: a twin, or what the value was extended from.
  Value knownTwinOf(Value wide) const {
    if (Value twin = twins.lookup(wide))
      return twin;
    Operation *extension = wide.getDefiningOp();
    if (isa_and_present<arith::ExtSIOp, arith::ExtUIOp>(extension) &&
        extension->getOperand(0).getType() == narrowType(wide))
      return extension->getOperand(0);
    return {};
  }

  /// Whether the twin of a value, or of what it repeats, is there without a truncation.
  bool isComputedNarrow(Value wide) const {
    for (Operation *op = wide.getDefiningOp(); isa_and_present<SplatOp, ExpandOp, BroadcastOp>(op);
         op = wide.getDefiningOp())
      wide = op->getOperand(0);
    return knownTwinOf(wide) != Value();
  }

  /// The lower 32 bits of a value.
  Value twinOf(Value wide) {
    if (Value known = knownTwinOf(wide))
      return known;
    Value &twin = truncations[wide];
    if (twin)
      return twin;
    builder.setInsertionPointAfterValue(wide);
    Operation *maker = wide.getDefiningOp();
    if (isa_and_present<arith::ConstantOp>(maker))
      return twin = builder.createOrFold<arith::TruncIOp>(wide.getLoc(), narrowType(wide), wide);
    bool extends = isa_and_present<arith::ExtSIOp, arith::ExtUIOp>(maker) &&
                   elementTypeOf(maker->getOperand(0).getType()).getIntOrFloatBitWidth() < 32;
    Operation *cut;
    if (extends) { // to 32 bits instead
      cut = builder.clone(*maker);
      cut->getResult(0).setType(narrowType(wide));
    } else {
      cut = arith::TruncIOp::create(builder, wide.getLoc(), narrowType(wide), wide);
    }
    made.push_back(cut);
    return twin = cut->getResult(0);
  }

  compiler::AxisInfo facts;
  /// The facts without hints, where the kernel has any.
  std::optional<compiler::AxisInfo> proven;
  OpBuilder builder;
  /// What ops of 32 bits compute, and what was cut off for them. Looked up, never iterated.
  llvm::DenseMap<Value, Value> twins, truncations;
  std::vector<Operation *> replaced, made;
};

struct NarrowIndex : compiler::impl::NarrowIndexBase<NarrowIndex> {
  void runOnOperation() override {
    Narrowing narrowing(getOperation());
    std::vector<Operation *> ops; // as they are now: twins are made on the way
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops)
      narrowing.visit(op);
    narrowing.finish();
  }
};
} // namespace
