// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses width and layout of each global access from what is known of its addresses.
//
// Memory moves in sectors of 32 bytes, and a warp's access costs as many as its lanes touch
// together. So neighbouring lanes take neighbouring elements along the axis in which the addresses
// count up, and each lane takes as many neighbours as one instruction moves: 16 bytes. How many
// that is follows from theorems about the addresses (AxisInfo): they count up in runs, and the
// first address of each run is aligned.
//
// A mask may cut an instruction in two. Where it is the same for all elements that move together,
// one predicate does. Where it changes seldom, as `start + lane < n` does once in a whole tile, the
// instruction is as wide as the addresses allow, and elements move alone in the one place where the
// mask does change; the lowering decides that at run time (`mask_run`). A mask that is loaded, or
// computed from something that does not count up, may change everywhere: then width is what its
// runs allow, since neighbours in one thread are far apart in each narrow instruction.
//
//   n = 1000, f32: width 4, mask_run 1; lanes 0…249 move 16 bytes, lane 250 would move nothing
//   n = 1001, f32: the same, and lane 250 moves one element alone
//
// Promises of the author (IsHint) count for addresses, where a broken one faults. That a mask is
// the same for several elements is taken from them too, but said with `mask_promised`, so that
// elements which a broken promise would let through are kept out.
//
// Before: tile-combine. After: each access of a tile has `width` and `layout`, the latter a layout
// within one warp. An access whose addresses are not known to count up gets width 1 and lanes along
// the fastest axis. Rejected: widening by shifting the base to an aligned address. Two buffers that
// are shifted differently cannot both be aligned, and the narrower instructions still ask for whole
// sectors: a warp of them reads or writes one line and a sector of the next.

#include "compiler/analysis/AxisInfo.h"
#include "compiler/transforms/Passes.h"
#include "dialect/TileDialect.h"
#include "dialect/layout/Builders.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
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

/// How many neighbours along `axis` may move in one instruction, by their addresses. Elements and
/// padding never move together.
static int64_t widthAlong(int32_t axis, int64_t extent, int64_t bytes, const AxisFacts &pointer) {
  int64_t width = std::min({extent & -extent, pointer.contiguity[axis], accessBytes / bytes,
                            std::max<int64_t>(pointer.divisibility[axis] / bytes, 1)});
  return std::max<int64_t>(width, 1);
}

/// Whether a mask changes at few places along `axis`: a bound on numbers that count up, and several
/// of these at a time. `run` is how long they must count up for it.
static bool changesSeldom(Value mask, int64_t axis, int64_t run, const compiler::AxisInfo &facts) {
  using P = arith::CmpIPredicate;
  SmallVector<std::pair<Value, int64_t>> parts{{mask, axis}};
  while (!parts.empty()) {
    auto [part, along] = parts.pop_back_val();
    AxisFacts known = facts.of(part);
    if (known.constancy[along] >= run || extentsOf(part.getType())[along] == 1)
      continue;
    Operation *op = part.getDefiningOp();
    if (auto both = dyn_cast_if_present<arith::AndIOp>(op)) {
      parts.push_back({both.getLhs(), along});
      parts.push_back({both.getRhs(), along});
    } else if (auto repeated = dyn_cast_if_present<BroadcastOp>(op)) {
      parts.push_back({repeated.getSource(), along});
    } else if (auto expanded = dyn_cast_if_present<ExpandOp>(op)) {
      int64_t added = expanded.getAxis();
      parts.push_back({expanded.getSource(), along > added ? along - 1 : along});
    } else if (auto compare = dyn_cast_if_present<arith::CmpIOp>(op)) {
      AxisFacts x = facts.of(compare.getLhs()), y = facts.of(compare.getRhs());
      bool isOrder = compare.getPredicate() != P::eq && compare.getPredicate() != P::ne;
      bool countsAgainstBound = (x.contiguity[along] >= run && y.constancy[along] >= run) ||
                                (y.contiguity[along] >= run && x.constancy[along] >= run);
      if (!isOrder || !countsAgainstBound)
        return false;
    } else {
      return false;
    }
  }
  return true;
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
    std::optional<compiler::AxisInfo> withoutHints;
    if (compiler::hasHints(getOperation()))
      withoutHints.emplace(getOperation(), compiler::AxisInfo::Hints::Ignored);
    const compiler::AxisInfo &proven = withoutHints ? *withoutHints : facts;
    WalkResult walked = getOperation().walk([&](Operation *op) {
      if (auto load = dyn_cast<LoadOp>(op))
        return WalkResult(choose(load, facts, proven));
      if (auto store = dyn_cast<StoreOp>(op))
        return WalkResult(choose(store, facts, proven));
      if (auto record = dyn_cast<RecordOp>(op))
        return WalkResult(choose(record));
      return WalkResult::advance();
    });
    if (walked.wasInterrupted())
      signalPassFailure();
  }

  template <class Access>
  static LogicalResult choose(Access access, const compiler::AxisInfo &facts,
                              const compiler::AxisInfo &proven) {
    auto type = dyn_cast<RankedTensorType>(access.getPointer().getType());
    if (!type || type.getRank() == 0)
      return success();
    if (failed(checkExtents(access, type.getShape())))
      return failure();
    const AxisFacts pointer = facts.of(access.getPointer());
    int64_t bytes = memoryBytes(cast<PtrType>(type.getElementType()).getPointee());
    std::vector<int32_t> order = orderOfAxes(pointer);
    int32_t axis = order.front();
    SmallVector<int64_t> padded = paddedExtents(type.getShape());
    int64_t width = widthAlong(axis, type.getShape()[axis], bytes, pointer);
    if (Value mask = access.getMask())
      width = settleMask(access, mask, axis, width, bytes, facts, proven);
    layout::BlockedDescription blocked = warpLayout(padded, order, width);
    std::vector<int64_t> extents(padded.begin(), padded.end());
    access.setLayoutAttr(LayoutAttr::get(access.getContext(), layout::blocked(extents, blocked)));
    access.setWidth(width);
    return success();
  }

  /// How the mask reaches instructions of `width` elements, and how many they then move.
  template <class Access>
  static int64_t settleMask(Access access, Value mask, int32_t axis, int64_t width, int64_t bytes,
                            const compiler::AxisInfo &facts, const compiler::AxisInfo &proven) {
    int64_t promised = std::min(width, facts.of(mask).constancy[axis]),
            certain = std::min(width, proven.of(mask).constancy[axis]);
    bool isSplit = promised < width && width * bytes >= compiler::leastSplitBytes &&
                   changesSeldom(mask, axis, width, facts);
    if (!isSplit)
      width = promised;
    if (certain < width) {
      access.setMaskRun(certain);
      access.setMaskPromised(!isSplit);
    }
    return width;
  }

  /// Neighbours along the last axis in neighbouring lanes, for a tile that nothing else places.
  static LogicalResult choose(RecordOp record) {
    auto type = dyn_cast_if_present<RankedTensorType>(record.getShapeType());
    if (!type || type.getRank() == 0)
      return success();
    if (failed(checkExtents(record, type.getShape())))
      return failure();
    SmallVector<int64_t> padded = paddedExtents(type.getShape());
    std::vector<int64_t> extents(padded.begin(), padded.end());
    layout::BlockedDescription blocked =
        warpLayout(padded, orderOfAxes(AxisFacts::unknown(type.getRank())), /*width=*/1);
    record.setLayoutAttr(LayoutAttr::get(record.getContext(), layout::blocked(extents, blocked)));
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
