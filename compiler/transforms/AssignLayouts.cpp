// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives every tile a layout.
//
// The accesses have said which layouts they prefer. Each shape takes the preference of the access
// that moves most bytes in it, and the stores of that shape take it. From there the demand flows
// backwards: every op says, through LayoutInterface, which layouts of its operands make it free. A
// value that is wanted in two layouts is computed once for each, beside the original: all ops are
// pure or loads, and two loads at one place read the same memory. So no data ever moves between
// threads, and an access whose preference lost is slower, not wrong.
//
// Before: tile-coarsen. After: from here on every tile has a layout; ops whose results nobody
// wanted are gone. Rejected for now: converting between layouts instead of recomputing; it pays
// only for values that are dear to compute.
//
// The walks are loops over the block, not recursion over operands, so that the depth of an
// expression does not matter.

#include "compiler/transforms/Passes.h"
#include "dialect/TileDialect.h"
#include "dialect/layout/Builders.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace trowel::compiler {
#define GEN_PASS_DEF_ASSIGNLAYOUTS
#include "compiler/transforms/Passes.h.inc"
} // namespace trowel::compiler

using namespace mlir;
using namespace trowel;
using namespace trowel::tile;

static bool isTile(Value value) { return isa<RankedTensorType>(value.getType()); }

namespace {
/// The layout that each shape takes: the preference of the access with most bytes.
class ShapeLayouts {
public:
  explicit ShapeLayouts(func::FuncOp kernel) {
    kernel.walk([&](Operation *op) {
      if (auto load = dyn_cast<LoadOp>(op))
        consider(load.getPointer().getType(), load.getLayoutAttr());
      else if (auto store = dyn_cast<StoreOp>(op))
        consider(store.getPointer().getType(), store.getLayoutAttr());
    });
  }

  LayoutAttr of(ArrayRef<int64_t> shape) const {
    auto found = best.find(SmallVector<int64_t>(shape));
    return found == best.end() ? LayoutAttr() : found->second.layout;
  }

private:
  struct Preference {
    LayoutAttr layout;
    int64_t bytes = -1;
  };

  void consider(Type pointer, LayoutAttr layout) {
    if (!layout)
      return;
    Preference &preference = best[SmallVector<int64_t>(extentsOf(pointer))];
    int64_t bytes = memoryBytes(cast<PtrType>(elementTypeOf(pointer)).getPointee());
    if (bytes > preference.bytes)
      preference = {layout, bytes};
  }

  std::map<SmallVector<int64_t>, Preference> best;
};

struct AssignLayouts : compiler::impl::AssignLayoutsBase<AssignLayouts> {
  /// The layouts in which each op's result is wanted, in the order of the demands.
  llvm::DenseMap<Operation *, llvm::SmallSetVector<LayoutAttr, 2>> wanted;
  /// The value that holds a tile in a layout.
  llvm::DenseMap<std::pair<Value, LayoutAttr>, Value> assigned;

  void runOnOperation() override {
    wanted.clear();
    assigned.clear();
    ShapeLayouts shapes(getOperation());
    for (Block &block : getOperation().getBody()) {
      for (Operation &op : llvm::reverse(block))
        if (failed(collect(op, shapes)))
          return signalPassFailure();
      for (Operation &op : llvm::make_early_inc_range(block))
        rebuild(op, shapes);
      for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
        if (wanted.contains(&op) ||
            (op.use_empty() && isMemoryEffectFree(&op) && !isTerminator(op)) ||
            (op.use_empty() && isa<LoadOp>(op)))
          op.erase();
    }
  }

  static bool isTerminator(Operation &op) { return op.hasTrait<OpTrait::IsTerminator>(); }

  /// Notes which layouts of the operands the wanted layouts of the result need.
  LogicalResult collect(Operation &op, const ShapeLayouts &shapes) {
    auto store = dyn_cast<StoreOp>(op);
    if (store && isTile(store.getPointer())) {
      LayoutAttr layout = shapes.of(extentsOf(store.getPointer().getType()));
      if (!layout)
        return op.emitOpError("has no preferred layout: tile-coalesce has not run");
      return demandOperands(op, layout);
    }
    auto found = wanted.find(&op);
    if (found == wanted.end())
      return success();
    // Demands on other ops may move the entry, so its content is copied.
    for (LayoutAttr layout : llvm::to_vector(found->second))
      if (failed(demandOperands(op, layout)))
        return failure();
    return success();
  }

  LogicalResult demandOperands(Operation &op, LayoutAttr result) {
    auto rules = dyn_cast<LayoutInterface>(op);
    if (!rules)
      return op.emitOpError("does not say how its layouts relate (LayoutInterface)");
    for (OpOperand &operand : op.getOpOperands()) {
      if (!isTile(operand.get()))
        continue;
      Operation *producer = operand.get().getDefiningOp();
      if (!producer)
        return op.emitOpError("has a tile that no op makes");
      wanted[producer].insert(LayoutAttr::get(
          &getContext(), rules.operandLayout(operand.getOperandNumber(), result.linearLayout())));
    }
    return success();
  }

  void rebuild(Operation &op, const ShapeLayouts &shapes) {
    auto store = dyn_cast<StoreOp>(op);
    if (store && isTile(store.getPointer())) {
      LayoutAttr layout = shapes.of(extentsOf(store.getPointer().getType()));
      replaceOperands(op, op, layout);
      settleWidth(store, layout);
      return;
    }
    auto found = wanted.find(&op);
    if (found == wanted.end())
      return;
    for (LayoutAttr layout : found->second) {
      Operation *copy = op.clone();
      op.getBlock()->getOperations().insert(op.getIterator(), copy);
      replaceOperands(*copy, op, layout);
      Value result = copy->getResult(0);
      result.setType(withLayout(result.getType(), layout));
      if (auto constant = dyn_cast<arith::ConstantOp>(copy))
        constant.setValueAttr(
            relaid(cast<DenseElementsAttr>(constant.getValue()), result.getType()));
      if (auto load = dyn_cast<LoadOp>(copy); load && load.getLayoutAttr())
        settleWidth(load, layout);
      assigned[{op.getResult(0), layout}] = result;
    }
  }

  /// Gives `op` the operands of `original` in the layouts that suit the result's.
  void replaceOperands(Operation &op, Operation &original, LayoutAttr result) {
    auto rules = cast<LayoutInterface>(original);
    for (OpOperand &operand : original.getOpOperands()) {
      Value value = operand.get();
      if (!isTile(value))
        continue;
      LayoutAttr layout = LayoutAttr::get(
          &getContext(), rules.operandLayout(operand.getOperandNumber(), result.linearLayout()));
      op.setOperand(operand.getOperandNumber(), assigned.at({value, layout}));
    }
  }

  /// What one instruction moves was proved along the fastest axis of the preferred layout; the
  /// layout that the access got may have fewer neighbours along that axis in a thread. The
  /// preference has then served.
  template <class Access> static void settleWidth(Access access, LayoutAttr layout) {
    std::optional<layout::BlockedDescription> preferred =
        layout::asBlocked(access.getLayoutAttr().linearLayout());
    assert(preferred && "tile-coarsen makes blocked layouts");
    int neighbours = layout.linearLayout().contiguousRegisters(preferred->order.front());
    access.setWidth(std::min<uint32_t>(access.getWidth().value_or(1), neighbours));
    access.removeLayoutAttr();
  }

  static DenseElementsAttr relaid(DenseElementsAttr elements, Type type) {
    auto shaped = cast<RankedTensorType>(type);
    if (elements.isSplat())
      return DenseElementsAttr::get(shaped, elements.getSplatValue<Attribute>());
    return DenseElementsAttr::getFromRawBuffer(shaped, elements.getRawData());
  }
};
} // namespace
