// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Carries axis facts from arguments through ops to uses, and round loops until nothing changes.
//
// What an op does to facts is the op's own business: it answers through AxisFactsInterface, and an
// op that does not is taken to give anything. What is left for the analysis is control flow, which
// is MLIR's sparse forward framework: values that meet (a loop's first and next iteration, the
// branches of an if) keep what holds of each. A loop starts optimistically from its initial values
// and only ever forgets; contiguity, divisibility and constancy can halve some 60 times each, and a
// bound that moves is given up at once, so it settles soon.
//
// Facts enter at the arguments of kernels, as attributes that tile-specialize-arguments writes:
// divisibility, a value, or that a number fits 32 bits. An induction variable is a multiple of what
// divides both lower bound and step, and lies between the bounds.
//
// Hints are facts on the author's word. Who must not rely on that asks for facts without them.
//
// Functions are analysed one by one, without looking at callers: kernels have none.
#include "compiler/analysis/AxisInfo.h"

#include "dialect/TileDialect.h"

#include "mlir/Analysis/DataFlow/SparseAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include <algorithm>
#include <optional>

using namespace mlir;
using namespace trowel::tile;

namespace {

/// Whether values of the type have facts at all.
bool isTracked(Type type) {
  Type element = elementTypeOf(type);
  auto integer = dyn_cast<IntegerType>(element);
  return isa<PtrType>(element) || (integer && integer.getWidth() <= 64);
}

/// What is known of any value of the type.
AxisFacts factsOfType(Type type) {
  auto pointer = dyn_cast<PtrType>(elementTypeOf(type));
  return AxisFacts::unknown(extentsOf(type).size(),
                            pointer ? memoryBytes(pointer.getPointee()) : 1);
}

/// Facts, or not yet visited.
struct Known {
  std::optional<AxisFacts> facts;

  static Known join(const Known &previous, const Known &next) {
    if (!previous.facts)
      return next;
    if (!next.facts)
      return previous;
    return {joinFacts(*previous.facts, *next.facts)};
  }
  bool operator==(const Known &) const = default;
  void print(raw_ostream &out) const {
    if (!facts) {
      out << "not visited";
      return;
    }
    for (unsigned axis = 0; axis < facts->rank(); ++axis)
      out << "(contiguity " << facts->contiguity[axis] << ", divisibility "
          << facts->divisibility[axis] << ", constancy " << facts->constancy[axis] << ")";
  }
};

using Lattice = dataflow::Lattice<Known>;

/// What the attributes of a function's argument promise.
AxisFacts factsOfArgument(BlockArgument argument, FunctionOpInterface function) {
  AxisFacts facts = factsOfType(argument.getType());
  unsigned index = argument.getArgNumber();
  if (auto value = function.getArgAttrOfType<IntegerAttr>(index, TileDialect::valueAttr))
    return constantFacts(value.getValue().getSExtValue(), {});
  if (auto divisor = function.getArgAttrOfType<IntegerAttr>(index, TileDialect::divisibilityAttr))
    if (divisor.getInt() > 0) // a multiple of 48 is a multiple of 16
      facts.divisibility[0] =
          std::min(divisor.getInt() & -divisor.getInt(), AxisFacts::maxDivisibility);
  if (function.getArgAttr(index, TileDialect::fits32Attr)) {
    facts.minimum = std::numeric_limits<int32_t>::min();
    facts.maximum = std::numeric_limits<int32_t>::max();
  }
  return isa<PtrType>(argument.getType()) ? facts : settleFacts(std::move(facts), {});
}

class Propagation : public dataflow::SparseForwardDataFlowAnalysis<Lattice> {
public:
  Propagation(DataFlowSolver &solver, trowel::compiler::AxisInfo::Hints hints)
      : SparseForwardDataFlowAnalysis(solver), hints(hints) {}

  LogicalResult visitOperation(Operation *op, ArrayRef<const Lattice *> operands,
                               ArrayRef<Lattice *> results) override {
    SmallVector<AxisFacts> known;
    for (auto [lattice, value] : llvm::zip_equal(operands, op->getOperands())) {
      if (!lattice->getValue().facts)
        return success(); // not reached yet; it will be visited again
      known.push_back(*lattice->getValue().facts);
    }
    if (op->hasTrait<IsHint>() && hints == trowel::compiler::AxisInfo::Hints::Ignored) {
      update(results[0], known[0]); // the result is the operand
      return success();
    }
    auto model = dyn_cast<AxisFactsInterface>(op);
    for (Lattice *result : results) {
      Type type = result->getAnchor().getType();
      AxisFacts facts = factsOfType(type);
      if (model && isTracked(type) && results.size() == 1)
        facts = settled(model.inferAxisFacts(known), type);
      update(result, std::move(facts));
    }
    return success();
  }

  void setToEntryState(Lattice *lattice) override {
    Value value = lattice->getAnchor();
    auto argument = dyn_cast<BlockArgument>(value);
    auto function =
        argument ? dyn_cast_if_present<FunctionOpInterface>(argument.getOwner()->getParentOp())
                 : FunctionOpInterface();
    bool enters = function && argument.getOwner()->isEntryBlock() && isTracked(value.getType());
    update(lattice, enters ? factsOfArgument(argument, function) : factsOfType(value.getType()));
  }

  void visitNonControlFlowArguments(Operation *op, const RegionSuccessor &successor,
                                    ArrayRef<Lattice *> arguments, unsigned first) override {
    auto loop = dyn_cast<LoopLikeOpInterface>(op);
    std::optional<SmallVector<Value>> variables;
    if (loop)
      variables = loop.getLoopInductionVars();
    if (!variables || variables->size() != 1 || !isTracked(variables->front().getType()))
      return SparseForwardDataFlowAnalysis::visitNonControlFlowArguments(op, successor, arguments,
                                                                         first);
    for (auto [position, argument] : llvm::enumerate(arguments)) {
      if (argument->getAnchor() == variables->front())
        visitInductionVariable(loop, argument);
      else if (position < first || position >= first + successor.getSuccessorInputs().size())
        setToEntryState(argument);
    }
  }

private:
  trowel::compiler::AxisInfo::Hints hints;

  void update(Lattice *lattice, AxisFacts facts) {
    propagateIfChanged(lattice, lattice->join(Known{std::move(facts)}));
  }

  static AxisFacts settled(AxisFacts facts, Type type) {
    return isa<PtrType>(elementTypeOf(type)) ? facts
                                             : settleFacts(std::move(facts), extentsOf(type));
  }

  /// The facts of a loop's bound; nothing while it is not reached.
  std::optional<AxisFacts> factsOfBound(LoopLikeOpInterface loop, OpFoldResult bound) {
    if (auto value = dyn_cast<Value>(bound))
      return getLatticeElementFor(getProgramPointBefore(&loop.getLoopRegions()[0]->front()), value)
          ->getValue()
          .facts;
    if (auto integer = dyn_cast<IntegerAttr>(cast<Attribute>(bound)))
      return constantFacts(integer.getValue().getSExtValue(), {});
    return AxisFacts::unknown(0);
  }

  void visitInductionVariable(LoopLikeOpInterface loop, Lattice *variable) {
    std::optional<SmallVector<OpFoldResult>> lower = loop.getLoopLowerBounds(),
                                             upper = loop.getLoopUpperBounds(),
                                             step = loop.getLoopSteps();
    if (!lower || !upper || !step)
      return setToEntryState(variable);
    std::optional<AxisFacts> first = factsOfBound(loop, lower->front()),
                             end = factsOfBound(loop, upper->front()),
                             stride = factsOfBound(loop, step->front());
    if (!first || !end || !stride)
      return;
    AxisFacts facts = AxisFacts::unknown(0);
    facts.divisibility[0] = std::min(first->divisibility[0], stride->divisibility[0]);
    // Counting past the greatest number would wrap below the lower bound, and a loop that compares
    // unsigned may run through negative numbers.
    unsigned bits = variable->getAnchor().getType().getIntOrFloatBitWidth();
    int64_t greatest = std::numeric_limits<int64_t>::max() >> (64 - bits);
    if (stride->minimum > 0 && end->maximum < greatest - stride->maximum &&
        first->minimum < end->maximum && !loop->hasAttr("unsignedCmp")) {
      facts.minimum = first->minimum;
      facts.maximum = end->maximum - 1;
    }
    update(variable, settled(std::move(facts), variable->getAnchor().getType()));
  }
};

} // namespace

bool trowel::compiler::hasHints(Operation *root) {
  return root
      ->walk([](Operation *op) {
        return op->hasTrait<IsHint>() ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

trowel::compiler::AxisInfo::AxisInfo(Operation *root, Hints hints)
    : solver(std::make_unique<DataFlowSolver>(DataFlowConfig().setInterprocedural(false))) {
  dataflow::loadBaselineAnalyses(*solver);
  solver->load<Propagation>(hints);
  // It fails only if an analysis does, and none of these can.
  LogicalResult result = solver->initializeAndRun(root);
  assert(succeeded(result) && "the data flow analysis has no way to fail");
  (void)result;
}

AxisFacts trowel::compiler::AxisInfo::of(Value value) const {
  const auto *lattice = solver->lookupState<Lattice>(value);
  if (!isTracked(value.getType()) || !lattice || !lattice->getValue().facts)
    return factsOfType(value.getType());
  return *lattice->getValue().facts;
}
