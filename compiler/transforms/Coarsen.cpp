// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses how many warps a program takes and how many elements a thread.
//
// A streaming kernel is as fast as the bytes it has in flight. On an H200 a copy reached 4268 GB/s
// with one access of 16 bytes a thread and many small CTAs, 4257 with four of 4 bytes, and 4060 to
// 4120 with two to eight of 16 bytes: so one access of 16 bytes a thread is the aim, or four
// accesses where addresses allow only narrow ones, with at most 8 warps before a thread takes more.
// Beyond 32 elements a thread, more warps are added instead (up to 32, the most a CTA may have),
// since registers run out first.
//
// Where elements of a shape are combined along an axis, warps are spread over the other axes first:
// with four rows of 1024 and four warps each row is one warp's, whose lanes combine it by shuffles,
// without shared memory and barriers.
//
// Before: tile-coalesce; layouts of accesses cover one warp. After: they cover all warps of the
// program, and the function has `tile.warps`. Programs that neither access nor combine tiles take
// one warp.

#include "compiler/transforms/Passes.h"
#include "dialect/TileDialect.h"
#include "dialect/layout/Builders.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

#include <map>

namespace trowel::compiler {
#define GEN_PASS_DEF_COARSEN
#include "compiler/transforms/Passes.h.inc"
} // namespace trowel::compiler

using namespace mlir;
using namespace trowel;
using namespace trowel::tile;

static constexpr int64_t lanes = 32;
static constexpr int64_t mostWarps = 32;
/// More warps than these are taken only to keep a thread's registers.
static constexpr int64_t comfortableWarps = 8;
static constexpr int64_t comfortableElements = 32;
/// Beyond these a thread's tile does not fit its 255 registers.
static constexpr int64_t mostElements = 256;
/// Narrow accesses that a thread makes for one wide one: 16 bytes in flight.
static constexpr int64_t bytesInFlight = 16;

namespace {
/// What matters of an access: its elements, and how many of them make 16 bytes in flight.
struct Traffic {
  Operation *op = nullptr;
  int64_t elements = 0;
  int64_t elementsInFlight = 1;
};

struct Coarsen : compiler::impl::CoarsenBase<Coarsen> {
  using CoarsenBase::CoarsenBase;

  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    Traffic largest;
    kernel.walk([&](Operation *op) {
      if (auto load = dyn_cast<LoadOp>(op))
        consider(op, load.getPointer().getType(), largest);
      else if (auto store = dyn_cast<StoreOp>(op))
        consider(op, store.getPointer().getType(), largest);
      else if (auto record = dyn_cast<RecordOp>(op))
        consider(op, record.getShapeType(), largest);
      else if (op->hasTrait<CombinesElements>()) {
        consider(op, op->getOperand(0).getType(), largest);
        combinedAxes[paddedExtents(extentsOf(op->getOperand(0).getType()))] |=
            1u << op->getAttrOfType<IntegerAttr>("axis").getInt();
      }
    });
    int64_t apart = comfortableWarps;
    kernel.walk([&](LoadOp load) { apart = std::min(apart, warpsApart(load.getLayoutAttr())); });
    FailureOr<int64_t> chosen = chooseWarps(largest, apart);
    if (failed(chosen))
      return signalPassFailure();
    kernel->setAttr(TileDialect::warpsAttr, OpBuilder(kernel).getI64IntegerAttr(*chosen));
    kernel.walk([&](Operation *op) {
      if (auto load = dyn_cast<LoadOp>(op))
        spread(load, *chosen);
      else if (auto store = dyn_cast<StoreOp>(op))
        spread(store, *chosen);
      else if (auto record = dyn_cast<RecordOp>(op))
        spread(record, *chosen);
    });
  }

  /// Takes an access through pointers, a record or a reduction into account. The latter two are as
  /// a store of bytes: they never ask for more warps than an access of their shape.
  static void consider(Operation *op, Type tile, Traffic &largest) {
    auto type = dyn_cast_if_present<RankedTensorType>(tile);
    if (!type)
      return;
    auto pointer = dyn_cast<PtrType>(type.getElementType());
    int64_t bytes = pointer ? memoryBytes(pointer.getPointee()) : 1;
    int64_t elements = ShapedType::getNumElements(paddedExtents(type.getShape()));
    if (elements > largest.elements)
      largest = {op, elements, std::max<int64_t>(bytesInFlight / bytes, 1)};
    else if (elements == largest.elements)
      // Of several accesses of the largest tile the widest elements set the pace.
      largest.elementsInFlight =
          std::min(largest.elementsInFlight, std::max<int64_t>(bytesInFlight / bytes, 1));
  }

  /// How many warps an access's tile has work for that are apart, so that nothing is combined
  /// between them; as many as one likes where all or none of its axes are combined.
  int64_t warpsApart(LayoutAttr oneWarp) const {
    if (!oneWarp)
      return comfortableWarps;
    auto combined = combinedAxes.find(SmallVector<int64_t>(oneWarp.getExtents()));
    unsigned rank = oneWarp.getExtents().size();
    if (combined == combinedAxes.end() || combined->second == (1u << rank) - 1)
      return comfortableWarps;
    std::optional<layout::BlockedDescription> blocked = layout::asBlocked(oneWarp.linearLayout());
    assert(blocked && "tile-coalesce makes blocked layouts");
    int64_t warps = 1;
    for (unsigned axis = 0; axis < rank; ++axis)
      if (!(combined->second >> axis & 1))
        warps *= std::max<int64_t>(oneWarp.getExtents()[axis] /
                                       (int64_t(blocked->lanes[axis]) * blocked->registers[axis]),
                                   1);
    return warps;
  }

  /// `apart` is how many warps there are at most without need, for the sake of what is combined.
  FailureOr<int64_t> chooseWarps(const Traffic &largest, int64_t apart) {
    func::FuncOp kernel = getOperation();
    auto refuse = [&](StringRef option, int64_t value, int64_t most) -> LogicalResult {
      return kernel.emitError("option ")
             << option << " is " << value << ", but it must be a power of two from 1 to " << most;
    };
    if (warps != 0 && (warps < 0 || !llvm::isPowerOf2_64(warps) || warps > mostWarps))
      return refuse("warps", warps, mostWarps);
    if (elementsPerThread != 0 &&
        (elementsPerThread < 0 || !llvm::isPowerOf2_64(elementsPerThread) ||
         elementsPerThread > mostElements))
      return refuse("elementsPerThread", elementsPerThread, mostElements);

    int64_t count = warps;
    if (count == 0 && elementsPerThread != 0)
      count = std::max<int64_t>(largest.elements / (lanes * elementsPerThread), 1);
    if (count == 0) {
      count = std::clamp<int64_t>(largest.elements / (lanes * largest.elementsInFlight), 1, apart);
      while (largest.elements / (lanes * count) > comfortableElements && count < mostWarps)
        count *= 2;
    }
    int64_t elements = std::max<int64_t>(largest.elements / (lanes * count), 1);
    if (count > mostWarps)
      return kernel.emitError("option elementsPerThread is ")
             << elementsPerThread.getValue() << ", which spreads a tile of " << largest.elements
             << " elements over " << count << " warps, but a program has at most " << mostWarps
             << "; ask for at least " << largest.elements / (lanes * mostWarps)
             << " elements a thread";
    if (warps != 0 && elementsPerThread != 0 && elements != elementsPerThread &&
        largest.elements >= lanes * count)
      return kernel.emitError("options warps = ")
             << warps.getValue() << " and elementsPerThread = " << elementsPerThread.getValue()
             << " disagree: a tile of " << largest.elements << " elements gives each thread of "
             << count << " warps " << elements
             << " elements; leave one of the options to the compiler";
    if (elements > mostElements)
      return largest.op->emitError(largest.op->hasTrait<CombinesElements>() ? "combines"
                                                                            : "accesses")
             << " a tile of " << largest.elements << " elements, which is " << elements
             << " elements a thread with " << count << " warps; the limit is " << mostElements
             << " a thread. Use a smaller tile and a larger grid"
             << (warps != 0 ? ", or leave option warps to the compiler" : "");
    return count;
  }

  /// Which axes warps are spread over first: those along which nothing is combined, so that what is
  /// combined meets in as few warps as possible.
  std::vector<int32_t> orderForWarps(const layout::BlockedDescription &blocked,
                                     ArrayRef<int64_t> paddedShape) {
    std::vector<int32_t> order = blocked.order;
    auto combined = combinedAxes.find(SmallVector<int64_t>(paddedShape));
    if (combined != combinedAxes.end())
      std::stable_partition(order.begin(), order.end(),
                            [&](int32_t axis) { return !(combined->second >> axis & 1); });
    return order;
  }

  template <class Access> void spread(Access access, int64_t count) {
    LayoutAttr preferred = access.getLayoutAttr();
    if (!preferred)
      return;
    layout::LinearLayout oneWarp = preferred.linearLayout();
    std::optional<layout::BlockedDescription> blocked = layout::asBlocked(oneWarp);
    assert(blocked && "tile-coalesce makes blocked layouts");
    // Several orders explain a layout whose threads hold a whole axis each; the one is meant that
    // begins with the neighbours which move together.
    int64_t width = access.getWidth().value_or(1);
    if (std::optional<int> axis = oneWarp.axisOfRegisters(width); axis && width > 1) {
      auto place = llvm::find(blocked->order, *axis);
      std::rotate(blocked->order.begin(), place, place + 1);
    }
    // The registers that asBlocked states beyond the width are repetitions: warps take those first.
    blocked->registers.assign(blocked->registers.size(), 1);
    blocked->registers[blocked->order.front()] = width;
    int64_t left = count;
    for (int32_t axis : orderForWarps(*blocked, access.getLayoutAttr().getExtents())) {
      int64_t perWarp = int64_t(blocked->registers[axis]) * blocked->lanes[axis];
      int64_t taken = std::min(left, std::max<int64_t>(oneWarp.extent(axis) / perWarp, 1));
      blocked->warps[axis] = taken;
      left /= taken;
    }
    blocked->warps[blocked->order.front()] *= left; // surplus warps hold the tile again
    access.setLayoutAttr(
        LayoutAttr::get(access.getContext(), layout::blocked(oneWarp.shape(), *blocked)));
  }

  /// For each padded shape, the axes along which a reduction or scan combines its elements, as
  /// bits.
  std::map<SmallVector<int64_t>, unsigned> combinedAxes;
};
} // namespace
