// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tells values what assumptions say of them.
//
// `tile.assume` is a statement about numbers that were computed before it, and facts belong to
// values. So behind each assumption a value that its condition compares gets a successor, which
// says what is known, and whoever uses the value where the assumption has been passed uses the
// successor instead:
//
//   %c = cmpi slt %n, %bound     tile.assume %c     %m = tile.known %n … to max(%bound) − 1
//
// Uses before it, or on a path round it, keep the value as it is: there the condition may be false,
// as in `returnIf(n % 16 != 0); assume(n % 16 == 0)` with code in front. A condition on a number
// that was extended says the same of the number itself.
//
//   understood              x < y, x <= y, x > y, x >= y, x == y, signed and unsigned,
//                           x % c == 0, x & (2^k − 1) == 0, and all of these joined by `&`
//
// The bounds of the other side are those of its axis facts. Whatever else a condition is made of
// adds nothing; the assumption stays and is checked.
//
// Before: what is known of arguments is said. After: facts of values include assumptions.

#include "compiler/analysis/AxisInfo.h"
#include "compiler/transforms/Passes.h"
#include "dialect/TileDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"

namespace trowel::compiler {
#define GEN_PASS_DEF_SPREADASSUMPTIONS
#include "compiler/transforms/Passes.h.inc"
} // namespace trowel::compiler

using namespace mlir;
using namespace trowel;
using namespace trowel::tile;

namespace {

constexpr int64_t least = std::numeric_limits<int64_t>::min();
constexpr int64_t greatest = std::numeric_limits<int64_t>::max();

struct Knowledge {
  int64_t divisor = 1, minimum = least, maximum = greatest;

  bool saysNothing() const { return divisor == 1 && minimum == least && maximum == greatest; }
};

/// What one condition says of the values that it is made of, in the order in which they occur.
class Reader {
public:
  explicit Reader(const compiler::AxisInfo &facts) : facts(facts) {}

  void read(Value condition) {
    SmallVector<Value> conditions{condition};
    while (!conditions.empty()) {
      Operation *op = conditions.pop_back_val().getDefiningOp();
      if (auto both = dyn_cast_if_present<arith::AndIOp>(op)) {
        conditions.push_back(both.getRhs());
        conditions.push_back(both.getLhs());
      } else if (auto compare = dyn_cast_if_present<arith::CmpIOp>(op)) {
        readComparison(compare);
      }
    }
  }

  llvm::MapVector<Value, Knowledge> known;

private:
  void readComparison(arith::CmpIOp op) {
    using P = arith::CmpIPredicate;
    Value x = op.getLhs(), y = op.getRhs();
    if (isa<RankedTensorType>(x.getType()) || x.getType().isInteger(1))
      return;
    switch (op.getPredicate()) {
    case P::eq:
      readDivisor(x, y);
      readDivisor(y, x);
      within(x, facts.of(y).minimum, facts.of(y).maximum);
      within(y, facts.of(x).minimum, facts.of(x).maximum);
      return;
    case P::slt:
      return less(x, y, 1);
    case P::sle:
      return less(x, y, 0);
    case P::sgt:
      return less(y, x, 1);
    case P::sge:
      return less(y, x, 0);
    case P::ult:
      return lessUnsigned(x, y, 1);
    case P::ule:
      return lessUnsigned(x, y, 0);
    case P::ugt:
      return lessUnsigned(y, x, 1);
    case P::uge:
      return lessUnsigned(y, x, 0);
    case P::ne:
      return;
    }
  }

  /// x + distance <= y, signed.
  void less(Value x, Value y, int64_t distance) {
    int64_t most = facts.of(y).maximum, fewest = facts.of(x).minimum;
    if (most >= least + distance)
      within(x, least, most - distance);
    if (fewest <= greatest - distance)
      within(y, fewest + distance, greatest);
  }

  /// The same, unsigned: below a number that is not negative, x is not negative either.
  void lessUnsigned(Value x, Value y, int64_t distance) {
    if (facts.of(y).minimum < 0)
      return;
    within(x, 0, greatest);
    less(x, y, distance);
  }

  /// rest == 0, where the rest is x % c or x & (2^k − 1).
  void readDivisor(Value rest, Value zero) {
    APInt number;
    Operation *op = rest.getDefiningOp();
    if (!op || !matchPattern(zero, m_Zero()) || op->getNumOperands() != 2 ||
        !matchPattern(op->getOperand(1), m_ConstantInt(&number)))
      return;
    if (isa<RemOp, RemUOp>(op) && !number.isZero())
      multiple(op->getOperand(0), int64_t(1) << std::min(number.countr_zero(), 62u));
    if (isa<arith::AndIOp>(op))
      multiple(op->getOperand(0), int64_t(1) << std::min(number.countr_one(), 62u));
  }

  void multiple(Value x, int64_t divisor) {
    known[x].divisor = std::max(known[x].divisor, divisor);
    if (auto narrow = extendedFrom(x))
      multiple(narrow, divisor);
  }

  void within(Value x, int64_t minimum, int64_t maximum) {
    Knowledge &now = known[x];
    int64_t low = std::max(now.minimum, minimum), high = std::min(now.maximum, maximum);
    if (low > high)
      return; // a contradiction, which the check will find
    now.minimum = low;
    now.maximum = high;
    Value narrow = extendedFrom(x);
    if (!narrow)
      return;
    // A number of b bits reads as itself, unless it was read as unsigned and is 2^(b−1) or more.
    unsigned bits = narrow.getType().getIntOrFloatBitWidth();
    bool isSame = x.getDefiningOp<arith::ExtSIOp>() || maximum < int64_t(1) << (bits - 1);
    if (isSame)
      within(narrow, x.getDefiningOp<arith::ExtUIOp>() ? std::max<int64_t>(minimum, 0) : minimum,
             maximum);
  }

  /// The integer that an extension reads; null for bools and everything else.
  static Value extendedFrom(Value x) {
    Operation *op = x.getDefiningOp();
    if (!isa_and_present<arith::ExtSIOp, arith::ExtUIOp>(op) ||
        op->getOperand(0).getType().isInteger(1))
      return {};
    return op->getOperand(0);
  }

  const compiler::AxisInfo &facts;
};

struct SpreadAssumptions : compiler::impl::SpreadAssumptionsBase<SpreadAssumptions> {
  void runOnOperation() override {
    SmallVector<AssumeOp> assumptions;
    getOperation().walk([&](AssumeOp op) { assumptions.push_back(op); });
    if (assumptions.empty())
      return;
    DominanceInfo dominance(getOperation());
    for (AssumeOp assumption : assumptions)
      spread(assumption, dominance);
  }

  void spread(AssumeOp assumption, DominanceInfo &dominance) {
    compiler::AxisInfo facts(getOperation());
    Reader reader(facts);
    reader.read(assumption.getCondition());
    OpBuilder builder(assumption->getContext());
    builder.setInsertionPointAfter(assumption);
    for (auto [value, knowledge] : reader.known) {
      if (knowledge.saysNothing() || matchPattern(value, m_Constant()))
        continue;
      auto successor = KnownOp::create(builder, assumption.getLoc(), value.getType(), value,
                                       knowledge.divisor, knowledge.minimum, knowledge.maximum);
      value.replaceUsesWithIf(successor, [&](OpOperand &use) {
        return use.getOwner() != successor &&
               dominance.properlyDominates(assumption, use.getOwner());
      });
      if (successor->use_empty())
        successor->erase();
    }
  }
};
} // namespace
