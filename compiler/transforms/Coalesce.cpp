// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses width and layout of each global access from what is known of its addresses.
//
// Memory moves in sectors of 32 bytes, and a warp's access costs as many as its lanes touch
// together. So neighbouring lanes take neighbouring elements along the axis in which the addresses
// count up, and each lane takes as many neighbours as one instruction moves: 16 bytes. How many
// that is follows from theorems about the addresses (AxisInfo): they count up in runs, the first
// address of each run is aligned, and the mask, if any, is the same for all elements that move
// together.
//
// Before: tile-combine. After: each access of a tile has `width` and `layout`, the latter a layout
// within one warp. An access whose addresses are not known to count up gets width 1 and lanes along
// the fastest axis. Rejected: widening by shifting the base to an aligned address; it needs a
// run-time prologue.

#include "compiler/analysis/AxisInfo.h"
#include "compiler/transforms/Passes.h"
#include "dialect/TileDialect.h"
#include "dialect/layout/Builders.h"

#include "mlir/IR/Builders.h"

#include <numeric>

namespace trowel::compiler {
#define GEN_PASS_DEF_COALESCE
#include "compiler/transforms/Passes.h.inc"
} // namespace trowel::compiler

using namespace mlir;
using namespace trowel;
using namespace trowel::tile;

/// The most that one load or store instruction moves for a thread.
static constexpr int64_t accessBytes = 16;
/// More elements do not fit any number of warps; larger tiles are refused before layouts overflow.
static constexpr int64_t mostElements = int64_t(1) << 20;

/// The axes, fastest first: by how far the addresses count up along them, later axes first where
/// equal.
static std::vector<int32_t> orderOfAxes(const AxisFacts &pointer) {
  std::vector<int32_t> order(pointer.rank());
  std::iota(order.rbegin(), order.rend(), 0);
  llvm::stable_sort(
      order, [&](int32_t a, int32_t b) { return pointer.contiguity[a] > pointer.contiguity[b]; });
  return order;
}

/// How many neighbours along `axis` may move in one instruction. Elements and padding never move
/// together: the mask that keeps padding out says so, unless it is known to be false everywhere.
static int64_t widthAlong(int32_t axis, int64_t extent, int64_t bytes, const AxisFacts &pointer,
                          const AxisFacts *mask) {
  int64_t width = std::min({extent & -extent, pointer.contiguity[axis], accessBytes / bytes,
                            std::max<int64_t>(pointer.divisibility[axis] / bytes, 1)});
  if (mask)
    width = std::min(width, mask->constancy[axis]);
  return std::max<int64_t>(width, 1);
}

/// One warp over the tile: lanes fill the axes in order, each with `width` neighbours along the
/// first.
static layout::BlockedDescription warpLayout(ArrayRef<int64_t> extents,
                                             const std::vector<int32_t> &order, int64_t width) {
  layout::BlockedDescription blocked;
  blocked.registers.assign(extents.size(), 1);
  blocked.lanes.assign(extents.size(), 1);
  blocked.warps.assign(extents.size(), 1);
  blocked.order = order;
  blocked.registers[order.front()] = width;
  int64_t lanes = 32;
  for (int32_t axis : order) {
    int64_t taken = std::min(lanes, std::max<int64_t>(extents[axis] / blocked.registers[axis], 1));
    blocked.lanes[axis] = taken;
    lanes /= taken;
  }
  blocked.lanes[order.front()] *= lanes; // a tile of fewer elements is held several times
  return blocked;
}

namespace {
struct Coalesce : compiler::impl::CoalesceBase<Coalesce> {
  void runOnOperation() override {
    compiler::AxisInfo facts(getOperation());
    WalkResult walked = getOperation().walk([&](Operation *op) {
      if (auto load = dyn_cast<LoadOp>(op))
        return WalkResult(choose(load, facts));
      if (auto store = dyn_cast<StoreOp>(op))
        return WalkResult(choose(store, facts));
      return WalkResult::advance();
    });
    if (walked.wasInterrupted())
      signalPassFailure();
  }

  template <class Access>
  static LogicalResult choose(Access access, const compiler::AxisInfo &facts) {
    auto type = dyn_cast<RankedTensorType>(access.getPointer().getType());
    if (!type || type.getRank() == 0)
      return success();
    if (failed(checkExtents(access, type.getShape())))
      return failure();
    const AxisFacts pointer = facts.of(access.getPointer());
    int64_t bytes = memoryBytes(cast<PtrType>(type.getElementType()).getPointee());
    std::vector<int32_t> order = orderOfAxes(pointer);
    std::optional<AxisFacts> mask;
    if (access.getMask())
      mask = facts.of(access.getMask());
    SmallVector<int64_t> padded = paddedExtents(type.getShape());
    int64_t width = widthAlong(order.front(), type.getShape()[order.front()], bytes, pointer,
                               mask ? &*mask : nullptr);
    layout::BlockedDescription blocked = warpLayout(padded, order, width);
    std::vector<int64_t> extents(padded.begin(), padded.end());
    access.setLayoutAttr(LayoutAttr::get(access.getContext(), layout::blocked(extents, blocked)));
    access.setWidth(width);
    return success();
  }

  static LogicalResult checkExtents(Operation *access, ArrayRef<int64_t> extents) {
    int64_t elements = 1;
    for (int64_t extent : extents) {
      if (extent < 1 || extent > mostElements / elements)
        return access->emitOpError("is of a tile of shape ")
               << extents << "; extents are at least 1, and a tile has at most " << mostElements
               << " elements";
      elements *= extent;
    }
    return success();
  }
};
} // namespace
