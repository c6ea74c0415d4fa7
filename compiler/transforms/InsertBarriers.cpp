// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sets a barrier where shared memory would be written while another thread still reads it.
//
// An op with scratch writes it, meets the other threads, and reads it. Its own barrier orders the
// reading after the writing, in the op. Between ops one hazard is left: what one op reads another
// may overwrite. It is there only if no barrier lies between, and every op with scratch has one
// inside, so what counts are the places that were read since the last barrier: those of one op, or
// of several where paths meet.
//
//   reduce at 0      reads 0…64 after its barrier
//   reduce at 64     writes 64…128: no hazard; its barrier ends the hazard of 0…64
//   reduce at 64     writes 64…128, which the one before may still read: barrier
//
// A loop is entered with what its own end leaves, too, so the pass first finds what that is, to a
// fixed point, and then sets the barriers of the body.
//
// Before: tile-allocate-shared. After: no thread writes shared memory that another is still to
// read. Barriers for global memory are tile-order-memory's, and count here.

#include "compiler/transforms/Passes.h"
#include "dialect/TileDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include <set>

namespace trowel::compiler {
#define GEN_PASS_DEF_INSERTBARRIERS
#include "compiler/transforms/Passes.h.inc"
} // namespace trowel::compiler

using namespace mlir;
using namespace trowel;
using namespace trowel::tile;

namespace {
/// From a first byte to the one behind the last.
using Range = std::pair<int64_t, int64_t>;
/// What threads may still be reading.
using Ranges = std::set<Range>;

bool overlap(const Range &a, const Range &b) { return a.first < b.second && b.first < a.second; }

std::optional<Range> scratchOf(Operation &op) {
  auto offset = op.getAttrOfType<IntegerAttr>(TileDialect::scratchAttr);
  if (!offset)
    return std::nullopt;
  int64_t begin = offset.getInt();
  return Range(begin, begin + cast<LayoutInterface>(op).scratchBytes());
}

struct InsertBarriers : compiler::impl::InsertBarriersBase<InsertBarriers> {
  void runOnOperation() override {
    Ranges reading;
    for (Block &block : getOperation().getBody())
      visit(block, reading, /*inserts=*/true);
  }

  /// Follows `reading` through a block.
  void visit(Block &block, Ranges &reading, bool inserts) {
    for (Operation &op : block) {
      if (isa<BarrierOp>(op)) {
        reading.clear();
      } else if (std::optional<Range> scratch = scratchOf(op)) {
        bool isHazard =
            llvm::any_of(reading, [&](const Range &range) { return overlap(range, *scratch); });
        if (isHazard && inserts) {
          OpBuilder builder(&op);
          BarrierOp::create(builder, op.getLoc());
        }
        reading = {*scratch};
      } else if (op.getNumRegions() > 0 && !op.hasTrait<CombinesElements>()) {
        visitRegions(op, reading, inserts);
      }
    }
  }

  void visitRegions(Operation &op, Ranges &reading, bool inserts) {
    bool grows = isa<LoopLikeOpInterface>(op);
    while (grows) {
      size_t before = reading.size();
      Ranges around = throughRegions(op, reading, /*inserts=*/false);
      reading.insert(around.begin(), around.end());
      grows = reading.size() > before;
    }
    Ranges after = throughRegions(op, reading, inserts);
    reading.insert(after.begin(), after.end()); // a region may be left out
  }

  /// What is being read at the ends of the regions. A loop's second region follows its first.
  Ranges throughRegions(Operation &op, const Ranges &before, bool inserts) {
    Ranges after, entry = before;
    for (Region &region : op.getRegions())
      for (Block &block : region) {
        Ranges inside = entry;
        visit(block, inside, inserts);
        after.insert(inside.begin(), inside.end());
        if (isa<LoopLikeOpInterface>(op))
          entry.insert(inside.begin(), inside.end());
      }
    return after;
  }
};
} // namespace
