// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives every tile a layout.
//
// The accesses have said which layouts they prefer. Each shape takes the preference of the access
// that moves most bytes in it, and what only takes tiles of that shape (stores, records) takes it.
// From there the demand flows backwards: every op says, through LayoutInterface, which layouts of
// its operands make it free. A value that is wanted in two layouts is computed once for each,
// beside the original: all ops are pure or loads, and two loads at one place read the same memory.
// So where ops are elementwise no data moves between threads, and an access whose preference lost
// is slower, not wrong.
//
// Reductions and scans move data, and make their results where their operands lie
// (`decidesLayout`). Their operands take the layout of their shape; of a result that is wanted
// elsewhere, tile.convert_layout makes a copy. To need few of these, a shape that a reduction makes
// takes the layout in which it makes it: it is smaller than what was reduced, so its accesses
// matter less.
//
// Structured control flow passes demands on: what is wanted of a loop's carried tile is wanted of
// its initial value and of what the body yields, what is wanted of an if's result of both branches.
// A tile that a loop carries in two layouts becomes two carried tiles, one that nobody wants is
// dropped. Since a carried tile may be wanted by the code before it, demands are collected to a
// fixed point first; then the function is rebuilt in one walk.
//
// Before: tile-coarsen. After: from here on every tile has a layout; ops whose results nobody
// wanted are gone. Rejected for now: converting between layouts instead of recomputing; it pays
// only for values that are dear to compute.
//
// The walks are loops over lists, not recursion over operands, so that the depth of an expression
// does not matter.

#include "compiler/transforms/Passes.h"
#include "dialect/TileDialect.h"
#include "dialect/layout/Builders.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/SetVector.h"

#include <map>
#include <numeric>

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
      else if (auto record = dyn_cast<RecordOp>(op))
        consider(record.getShapeType(), record.getLayoutAttr());
    });
    kernel.walk([&](ReduceOp op) {
      Type result = op.getResult(0).getType();
      if (!isTile(op.getResult(0)))
        return;
      layout::LinearLayout operands =
          orDefault(op, extentsOf(op.getOperand(0).getType())).linearLayout();
      best[SmallVector<int64_t>(extentsOf(result))] = {
          LayoutAttr::get(op.getContext(), *op.resultLayout(operands))};
    });
  }

  LayoutAttr of(ArrayRef<int64_t> shape) const {
    auto found = best.find(SmallVector<int64_t>(shape));
    return found == best.end() ? LayoutAttr() : found->second.layout;
  }

  /// The same; for a shape that nothing accesses, lanes and warps along the last axes.
  LayoutAttr orDefault(Operation *op, ArrayRef<int64_t> shape) const {
    if (LayoutAttr layout = of(shape))
      return layout;
    SmallVector<int64_t> padded = paddedExtents(shape);
    auto warps =
        op->getParentOfType<func::FuncOp>()->getAttrOfType<IntegerAttr>(TileDialect::warpsAttr);
    layout::BlockedDescription blocked;
    blocked.registers.assign(padded.size(), 1);
    blocked.lanes.assign(padded.size(), 1);
    blocked.warps.assign(padded.size(), 1);
    blocked.order.resize(padded.size());
    std::iota(blocked.order.rbegin(), blocked.order.rend(), 0);
    int64_t lanesLeft = 32, warpsLeft = warps ? warps.getInt() : 1;
    for (int32_t axis : blocked.order) {
      blocked.lanes[axis] = std::min(lanesLeft, padded[axis]);
      lanesLeft /= blocked.lanes[axis];
      blocked.warps[axis] = std::min(warpsLeft, padded[axis] / blocked.lanes[axis]);
      warpsLeft /= blocked.warps[axis];
    }
    // Surplus lanes and warps hold the tile again.
    blocked.lanes.back() *= lanesLeft;
    blocked.warps.back() *= warpsLeft;
    std::vector<int64_t> extents(padded.begin(), padded.end());
    return LayoutAttr::get(op->getContext(), layout::blocked(extents, blocked));
  }

private:
  struct Preference {
    LayoutAttr layout;
    int64_t bytes = -1;
  };

  void consider(Type tile, LayoutAttr layout) {
    if (!layout)
      return;
    Preference &preference = best[SmallVector<int64_t>(extentsOf(tile))];
    auto pointer = dyn_cast<PtrType>(elementTypeOf(tile));
    int64_t bytes = pointer ? memoryBytes(pointer.getPointee()) : 0; // a record gives way
    if (bytes > preference.bytes)
      preference = {layout, bytes};
  }

  std::map<SmallVector<int64_t>, Preference> best;
};

using Layouts = llvm::SmallSetVector<LayoutAttr, 2>;

/// Which layouts of each tile are wanted, to a fixed point.
class Demands {
public:
  LogicalResult collect(func::FuncOp kernel, const ShapeLayouts &shapes) {
    WalkResult roots = kernel.walk([&](LayoutInterface op) {
      if (op.decidesLayout())
        return WalkResult(demandDecided(op, shapes));
      Type tile = consumedTile(op);
      if (!tile)
        return WalkResult::advance();
      LayoutAttr layout = shapes.of(extentsOf(tile));
      if (!layout) {
        op->emitOpError("has no preferred layout: tile-coalesce has not run");
        return WalkResult::interrupt();
      }
      return WalkResult(demandOperands(op, layout));
    });
    if (roots.wasInterrupted() || failed(propagateAll()))
      return failure();

    // What has effects happens once, wanted or not.
    WalkResult effects = kernel.walk([&](Operation *op) {
      if (op->getNumResults() != 1 || !isTile(op->getResult(0)) ||
          !hasEffect<MemoryEffects::Write>(op))
        return WalkResult::advance();
      Value result = op->getResult(0);
      if (of(result).size() > 1) {
        op->emitError("what has effects happens once, but its result is wanted in two layouts: "
                      "promise that it is pure, or keep to tiles of one shape");
        return WalkResult::interrupt();
      }
      if (of(result).empty())
        want(result, shapes.orDefault(op, extentsOf(result.getType())));
      return WalkResult(propagateAll());
    });
    return failure(effects.wasInterrupted());
  }

  /// The layouts in which a tile is wanted, in the order of the demands; none for a dead one.
  ArrayRef<LayoutAttr> of(Value value) const {
    auto found = wanted.find(carrierOf(value));
    return found == wanted.end() ? ArrayRef<LayoutAttr>() : found->second.getArrayRef();
  }

private:
  LogicalResult propagateAll() {
    while (!pending.empty()) {
      auto [value, layout] = pending.pop_back_val();
      if (failed(propagate(value, layout)))
        return failure();
    }
    return success();
  }

  /// A loop's result and the value that it carries are wanted alike; one of the two sets gives the
  /// order.
  static Value carrierOf(Value value) {
    auto result = dyn_cast<OpResult>(value);
    if (!result)
      return value;
    if (auto loop = dyn_cast<scf::ForOp>(result.getOwner()))
      return loop.getRegionIterArg(result.getResultNumber());
    if (auto loop = dyn_cast<scf::WhileOp>(result.getOwner()))
      return loop.getAfterArguments()[result.getResultNumber()];
    return value;
  }

  void want(Value value, LayoutAttr layout) {
    if (isTile(value) && wanted[value].insert(layout))
      pending.emplace_back(value, layout);
  }

  /// What moves data wants its operands in the layout of their shape, and makes its results where
  /// it makes them.
  LogicalResult demandDecided(LayoutInterface op, const ShapeLayouts &shapes) {
    if (isa<ConvertLayoutOp>(op))
      return op->emitOpError("is in a kernel without layouts");
    LayoutAttr layout = shapes.orDefault(op, extentsOf(op->getOperand(0).getType()));
    for (Value operand : op->getOperands())
      want(operand, layout);
    return success();
  }

  LogicalResult demandOperands(Operation *op, LayoutAttr result) {
    auto rules = dyn_cast<LayoutInterface>(op);
    if (!rules)
      return op->emitOpError("does not say how its layouts relate (LayoutInterface)");
    for (OpOperand &operand : op->getOpOperands())
      if (isTile(operand.get()))
        want(operand.get(),
             LayoutAttr::get(op->getContext(), rules.operandLayout(operand.getOperandNumber(),
                                                                   result.linearLayout())));
    return success();
  }

  LogicalResult propagate(Value value, LayoutAttr layout) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return propagateArgument(argument, layout);
    Operation *op = value.getDefiningOp();
    unsigned index = cast<OpResult>(value).getResultNumber();
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      wantCarried(loop, index, layout);
      return success();
    }
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      want(branch.thenYield().getOperand(index), layout);
      want(branch.elseYield().getOperand(index), layout);
      return success();
    }
    if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      want(loop.getConditionOp().getArgs()[index], layout);
      want(loop.getAfterArguments()[index], layout);
      return success();
    }
    if (auto rules = dyn_cast<LayoutInterface>(op); rules && rules.decidesLayout())
      return success();
    return demandOperands(op, layout);
  }

  /// A carried tile is one variable: before the loop, in it, yielded by it and after it.
  void wantCarried(scf::ForOp loop, unsigned index, LayoutAttr layout) {
    want(loop.getInitArgs()[index], layout);
    want(loop.getRegionIterArg(index), layout);
    want(loop.getBody()->getTerminator()->getOperand(index), layout);
    want(loop.getResult(index), layout);
  }

  LogicalResult propagateArgument(BlockArgument argument, LayoutAttr layout) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(parent)) {
      wantCarried(loop, argument.getArgNumber() - loop.getNumInductionVars(), layout);
      return success();
    }
    if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
      unsigned index = argument.getArgNumber();
      if (argument.getOwner() == loop.getBeforeBody()) {
        want(loop.getInits()[index], layout);
        want(loop.getYieldOp().getOperand(index), layout);
      } else {
        want(loop.getConditionOp().getArgs()[index], layout);
        want(loop.getResult(index), layout);
      }
      return success();
    }
    return parent->emitOpError("has a tile argument that no layout can be assigned to");
  }

  llvm::DenseMap<Value, Layouts> wanted;
  SmallVector<std::pair<Value, LayoutAttr>> pending;
};

/// Rebuilds a function with the layouts that are wanted.
class Rebuilder {
public:
  Rebuilder(func::FuncOp kernel, const ShapeLayouts &shapes, const Demands &demands)
      : shapes(shapes), demands(demands), builder(kernel.getContext()) {}

  /// Rebuilds the ops of `source` at the end of `target`, which may be the same block.
  void rebuildBlock(Block &source, Block &target) {
    for (Operation &op : llvm::make_early_inc_range(source)) {
      builder.setInsertionPointToEnd(&target);
      rebuild(op);
    }
  }

private:
  /// The values of `operands`, each in the layouts in which `like` is wanted.
  SmallVector<Value> allAs(ValueRange operands, ValueRange like) {
    SmallVector<Value> all;
    for (auto [operand, value] : llvm::zip_equal(operands, like)) {
      if (!isTile(value)) {
        all.push_back(scalars.lookupOrDefault(operand));
        continue;
      }
      for (LayoutAttr layout : demands.of(value))
        all.push_back(tiles.at({operand, layout}));
    }
    return all;
  }

  SmallVector<Type> typesOf(ValueRange values) {
    SmallVector<Type> types;
    for (Value value : values) {
      if (!isTile(value))
        types.push_back(value.getType());
      for (LayoutAttr layout : demands.of(value))
        types.push_back(withLayout(value.getType(), layout));
    }
    return types;
  }

  /// Notes that `replacements`, made by typesOf(values), stand for `values`.
  void replace(ValueRange values, ValueRange replacements) {
    auto next = replacements.begin();
    for (Value value : values) {
      if (!isTile(value))
        scalars.map(value, *next++);
      for (LayoutAttr layout : demands.of(value))
        tiles[{value, layout}] = *next++;
    }
  }

  void rebuild(Operation &op) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return rebuildFor(loop);
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return rebuildIf(branch);
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      return rebuildWhile(loop);
    if (auto yield = dyn_cast<scf::YieldOp>(op))
      return rebuildYield(yield);
    if (auto condition = dyn_cast<scf::ConditionOp>(op)) {
      auto loop = cast<scf::WhileOp>(op.getParentOp());
      scf::ConditionOp::create(builder, op.getLoc(),
                               scalars.lookupOrDefault(condition.getCondition()),
                               allAs(condition.getArgs(), loop.getAfterArguments()));
      return;
    }
    if (auto rules = dyn_cast<LayoutInterface>(op); rules && rules.decidesLayout()) {
      rebuildDecided(rules);
    } else if (Type tile = consumedTile(&op)) {
      LayoutAttr layout = shapes.of(extentsOf(tile));
      Operation *made = copy(op, layout);
      if (auto store = dyn_cast<StoreOp>(made))
        settleWidth(store, layout);
      else if (auto record = dyn_cast<RecordOp>(made))
        record.removeLayoutAttr();
      scalars.map(op.getResults(), made->getResults());
    } else if (op.getNumResults() == 1 && isTile(op.getResult(0))) {
      for (LayoutAttr layout : demands.of(op.getResult(0)))
        rebuildTile(op, layout);
    } else {
      builder.clone(op, scalars);
    }
  }

  /// A copy of an op of tiles, with the operands in the layouts that suit the result's.
  Operation *copy(Operation &op, LayoutAttr result) {
    auto rules = cast<LayoutInterface>(op);
    Operation *made = builder.insert(op.cloneWithoutRegions());
    for (OpOperand &operand : op.getOpOperands()) {
      Value value = operand.get();
      unsigned number = operand.getOperandNumber();
      if (!isTile(value)) {
        made->setOperand(number, scalars.lookupOrDefault(value));
        continue;
      }
      LayoutAttr layout =
          LayoutAttr::get(op.getContext(), rules.operandLayout(number, result.linearLayout()));
      made->setOperand(number, tiles.at({value, layout}));
    }
    return made;
  }

  /// An op that decides the layout of its results: they are converted to what else is wanted.
  void rebuildDecided(LayoutInterface op) {
    if (llvm::all_of(op->getResults(), [&](Value result) {
          return isTile(result) ? demands.of(result).empty() : result.use_empty();
        }))
      return;
    LayoutAttr operands = shapes.orDefault(op, extentsOf(op->getOperand(0).getType()));
    Operation *made = builder.clone(*op, scalars);
    for (OpOperand &operand : op->getOpOperands())
      made->setOperand(operand.getOperandNumber(), tiles.at({operand.get(), operands}));
    LayoutAttr natural =
        LayoutAttr::get(op->getContext(), *op.resultLayout(operands.linearLayout()));
    for (auto [before, after] : llvm::zip_equal(op->getResults(), made->getResults())) {
      if (!isTile(before))
        continue; // cloning has mapped it
      after.setType(withLayout(after.getType(), natural));
      for (LayoutAttr layout : demands.of(before))
        tiles[{before, layout}] =
            layout == natural ? Value(after)
                              : ConvertLayoutOp::create(builder, op->getLoc(),
                                                        withLayout(after.getType(), layout), after);
    }
  }

  void rebuildTile(Operation &op, LayoutAttr layout) {
    Operation *made = copy(op, layout);
    Value result = made->getResult(0);
    result.setType(withLayout(result.getType(), layout));
    if (auto constant = dyn_cast<arith::ConstantOp>(made))
      constant.setValueAttr(relaid(cast<DenseElementsAttr>(constant.getValue()), result.getType()));
    if (auto load = dyn_cast<LoadOp>(made); load && load.getLayoutAttr())
      settleWidth(load, layout);
    tiles[{op.getResult(0), layout}] = result;
  }

  void rebuildFor(scf::ForOp loop) {
    auto made = scf::ForOp::create(builder, loop.getLoc(), mapped(loop.getLowerBound()),
                                   mapped(loop.getUpperBound()), mapped(loop.getStep()),
                                   allAs(loop.getInitArgs(), loop.getRegionIterArgs()));
    made->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    made.setUnsignedCmp(loop.getUnsignedCmp());
    scalars.map(loop.getInductionVar(), made.getInductionVar());
    replace(loop.getRegionIterArgs(), made.getRegionIterArgs());
    // With nothing to carry the builder has ended the body with a yield of its own.
    if (made.getNumRegionIterArgs() == 0)
      made.getBody()->getTerminator()->erase();
    rebuildInside(*loop.getBody(), *made.getBody());
    replace(loop.getResults(), made.getResults());
  }

  void rebuildIf(scf::IfOp branch) {
    bool hasElse = !branch.getElseRegion().empty();
    auto made = scf::IfOp::create(builder, branch.getLoc(), typesOf(branch.getResults()),
                                  mapped(branch.getCondition()), /*addThenBlock=*/true,
                                  /*addElseBlock=*/hasElse);
    rebuildInside(*branch.thenBlock(), *made.thenBlock());
    if (hasElse)
      rebuildInside(*branch.elseBlock(), *made.elseBlock());
    replace(branch.getResults(), made.getResults());
  }

  void rebuildWhile(scf::WhileOp loop) {
    auto made = scf::WhileOp::create(builder, loop.getLoc(), typesOf(loop.getResults()),
                                     allAs(loop.getInits(), loop.getBeforeArguments()));
    Block *before = builder.createBlock(&made.getBefore());
    for (Type type : typesOf(loop.getBeforeArguments()))
      before->addArgument(type, loop.getLoc());
    replace(loop.getBeforeArguments(), before->getArguments());
    rebuildInside(*loop.getBeforeBody(), *before);
    Block *after = builder.createBlock(&made.getAfter());
    for (Type type : typesOf(loop.getAfterArguments()))
      after->addArgument(type, loop.getLoc());
    replace(loop.getAfterArguments(), after->getArguments());
    rebuildInside(*loop.getAfterBody(), *after);
    builder.setInsertionPointAfter(made);
    replace(loop.getResults(), made.getResults());
  }

  /// What a region yields, in the layouts of what it yields to.
  void rebuildYield(scf::YieldOp yield) {
    Operation *parent = yield->getParentOp();
    ValueRange like = parent->getResults();
    if (auto loop = dyn_cast<scf::WhileOp>(parent))
      like = loop.getBeforeArguments();
    scf::YieldOp::create(builder, yield.getLoc(), allAs(yield.getOperands(), like));
  }

  void rebuildInside(Block &source, Block &target) {
    OpBuilder::InsertionGuard guard(builder);
    rebuildBlock(source, target);
  }

  Value mapped(Value scalar) { return scalars.lookupOrDefault(scalar); }

  /// What one instruction moves was proved along the axis in which the preferred layout has a
  /// thread's neighbours; the layout that the access got may have fewer of them along that axis.
  /// The preference has then served.
  template <class Access> static void settleWidth(Access access, LayoutAttr layout) {
    uint32_t width = access.getWidth().value_or(1);
    std::optional<int> axis = access.getLayoutAttr().linearLayout().axisOfRegisters(width);
    width = axis ? std::min<uint32_t>(width, layout.linearLayout().contiguousRegisters(*axis)) : 1;
    int64_t bytes =
        memoryBytes(cast<PtrType>(elementTypeOf(access.getPointer().getType())).getPointee());
    if (width * bytes < compiler::leastSplitBytes && !access.getMaskPromised())
      width = std::min(width, access.getMaskRun().value_or(width));
    access.setWidth(width);
    if (access.getMaskRun().value_or(width) >= width) {
      access.removeMaskRunAttr();
      access.setMaskPromised(false);
    }
    access.removeLayoutAttr();
  }

  static DenseElementsAttr relaid(DenseElementsAttr elements, Type type) {
    auto shaped = cast<RankedTensorType>(type);
    if (elements.isSplat())
      return DenseElementsAttr::get(shaped, elements.getSplatValue<Attribute>());
    return DenseElementsAttr::getFromRawBuffer(shaped, elements.getRawData());
  }

  const ShapeLayouts &shapes;
  const Demands &demands;
  OpBuilder builder;
  IRMapping scalars;
  llvm::DenseMap<std::pair<Value, LayoutAttr>, Value> tiles;
};

struct AssignLayouts : compiler::impl::AssignLayoutsBase<AssignLayouts> {
  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    if (kernel.getBody().empty())
      return;
    if (!kernel.getBody().hasOneBlock()) {
      kernel.emitError("has several blocks; the control flow of a kernel is scf.for, scf.while, "
                       "scf.if and tile.return_if");
      return signalPassFailure();
    }
    ShapeLayouts shapes(kernel);
    Demands demands;
    if (failed(demands.collect(kernel, shapes)))
      return signalPassFailure();

    // The new body is built beside the old one, which then goes as a whole.
    Block &old = kernel.getBody().front();
    auto *rebuilt = new Block;
    kernel.getBody().push_back(rebuilt);
    for (BlockArgument argument : old.getArguments())
      argument.replaceAllUsesWith(rebuilt->addArgument(argument.getType(), argument.getLoc()));
    Rebuilder(kernel, shapes, demands).rebuildBlock(old, *rebuilt);
    old.dropAllReferences();
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(old)))
      op.dropAllUses();
    old.erase();
  }
};
} // namespace
