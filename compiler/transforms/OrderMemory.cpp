// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes a program's accesses to memory happen in the order in which they are written.
//
// A program is one sequence of steps to its author: what a store wrote is there for the next load,
// and a load before a store reads what was there. Its threads do not run in step, so where a store
// and another access of the same memory are done by different threads, a barrier must stand
// between.
//
//   s = load(p); store(p, s + 1)     every thread loads p, one stores it: without a barrier a late
//                                    thread would load the new value
//
// No barrier is needed where each thread meets its own elements again: the same pointers in the
// same layout, all different, without an element that two threads hold. That pointers differ is
// known, whatever the author promised, of those that count up over the whole tile; what is the same
// value in a loop points elsewhere in the next trip if the loop computes it. Nor between accesses
// through different arguments: arguments may point to the same elements only if the kernel treats
// them element for element (y = a·x + y in place is such a kernel), which is the rule of the
// language.
//
// Walking forward, the pass keeps the accesses since the last barrier and sets one where the next
// access conflicts with any of them. A branch may leave the accesses of either side; a loop may
// begin with those of its own end. Conditions are the same in all threads, so barriers may stand
// anywhere.
//
// Before: layouts are assigned. After: accesses of one program that conflict have a barrier between
// them. Rejected: barriers at every store, which cost a streaming kernel its overlap.

#include "compiler/analysis/AxisInfo.h"
#include "compiler/analysis/PointerOrigins.h"
#include "compiler/transforms/Passes.h"
#include "dialect/TileDialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

namespace trowel::compiler {
#define GEN_PASS_DEF_ORDERMEMORY
#include "compiler/transforms/Passes.h.inc"
} // namespace trowel::compiler

using namespace mlir;
using namespace trowel;
using namespace trowel::tile;

namespace {
struct Access {
  Value pointer;
  bool isStore = false;
  llvm::SmallSetVector<BlockArgument, 4> arguments;
  /// From an earlier trip of a loop that computes the pointer anew in each.
  bool isOfEarlierTrip = false;

  bool operator==(const Access &other) const {
    return pointer == other.pointer && isStore == other.isStore &&
           isOfEarlierTrip == other.isOfEarlierTrip;
  }
};

using Accesses = SmallVector<Access>;

std::optional<Access> accessOf(Operation &op) {
  Access access;
  if (auto load = dyn_cast<LoadOp>(op))
    access = {load.getPointer(), false, compiler::argumentsBehind(load.getPointer())};
  else if (auto store = dyn_cast<StoreOp>(op))
    access = {store.getPointer(), true, compiler::argumentsBehind(store.getPointer())};
  else
    return std::nullopt;
  return access;
}

/// Whether no two threads hold the same element of the tile, as far as is known.
bool isHeldOnce(Value pointer) {
  LayoutAttr attribute = layoutOf(pointer.getType());
  if (!attribute)
    return false;
  layout::LinearLayout layout = attribute.linearLayout();
  return layout.redundantMask(layout::InputDim::Lane) == 0 &&
         layout.redundantMask(layout::InputDim::Warp) == 0;
}

void add(Accesses &to, const Access &access) {
  if (!llvm::is_contained(to, access))
    to.push_back(access);
}

void addAll(Accesses &to, const Accesses &from) {
  for (const Access &access : from)
    add(to, access);
}

struct OrderMemory : compiler::impl::OrderMemoryBase<OrderMemory> {
  void runOnOperation() override {
    compiler::AxisInfo info(getOperation(), compiler::AxisInfo::Hints::Ignored);
    facts = &info;
    for (Block &block : getOperation().getBody()) {
      Accesses since;
      order(block, since);
    }
  }

  /// Whether the pointers of a tile are all different.
  bool areDistinct(Value pointer) {
    AxisFacts known = facts->of(pointer);
    ArrayRef<int64_t> extents = extentsOf(pointer.getType());
    int64_t longAxes = llvm::count_if(extents, [](int64_t extent) { return extent > 1; });
    if (longAxes == 0)
      return true;
    return longAxes == 1 && llvm::all_of(llvm::enumerate(extents), [&](auto axis) {
             return known.contiguity[axis.index()] >= axis.value();
           });
  }

  /// Whether the threads that do the later access are those that did the earlier one, element for
  /// element.
  bool meetTheirOwn(const Access &earlier, const Access &later) {
    bool bothStore = earlier.isStore && later.isStore;
    auto isScalar = [](Value pointer) { return !isa<RankedTensorType>(pointer.getType()); };
    // All threads load scalars, and one stores all of them.
    if (isScalar(earlier.pointer) && isScalar(later.pointer))
      return bothStore;
    // Of those that hold an element one stores it.
    return earlier.pointer == later.pointer && !earlier.isOfEarlierTrip &&
           areDistinct(later.pointer) && (bothStore || isHeldOnce(later.pointer));
  }

  bool conflict(const Access &earlier, const Access &later) {
    if ((!earlier.isStore && !later.isStore) || meetTheirOwn(earlier, later))
      return false;
    return llvm::any_of(earlier.arguments,
                        [&](BlockArgument argument) { return later.arguments.contains(argument); });
  }

  /// Sets the barriers in a block; `since` are the accesses since the last barrier, before and
  /// after.
  void order(Block &block, Accesses &since) {
    for (Operation &op : block) {
      if (isa<BarrierOp>(op)) {
        since.clear();
      } else if (std::optional<Access> access = accessOf(op)) {
        if (llvm::any_of(since,
                         [&](const Access &earlier) { return conflict(earlier, *access); })) {
          OpBuilder builder(&op);
          BarrierOp::create(builder, op.getLoc());
          since.clear();
        }
        add(since, *access);
      } else if (op.getNumRegions() > 0) {
        orderRegions(op, since);
      }
    }
  }

  void orderRegions(Operation &op, Accesses &since) {
    // A loop's regions may be entered with what their own end leaves.
    if (isa<LoopLikeOpInterface>(op))
      op.walk([&](Operation *inner) {
        if (std::optional<Access> access = accessOf(*inner)) {
          access->isOfEarlierTrip = op.isAncestor(access->pointer.getParentBlock()->getParentOp());
          add(since, *access);
        }
      });
    Accesses after = since; // a region may be left out
    for (Region &region : op.getRegions())
      for (Block &block : region) {
        Accesses inside = since;
        order(block, inside);
        addAll(after, inside);
      }
    since = std::move(after);
  }

  const compiler::AxisInfo *facts = nullptr;
};
} // namespace
