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
// A loop is entered with what its own end leaves, too, so the pass first notes for each block what
// that is, from the inside out, and then sets the barriers from the outside in.
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
    leftBy.clear();
    for (Block &block : getOperation().getBody()) {
      noteLeft(block);
      Ranges reading;
      visit(block, reading);
    }
  }

  /// Notes for a block, and for those inside, what is still being read at its end that it has read
  /// itself. Returns it. Each block is looked at once, however deep it is nested.
  const Ranges &noteLeft(Block &block) {
    Ranges left;
    for (Operation &op : block) {
      if (isa<BarrierOp>(op))
        left.clear();
      else if (std::optional<Range> scratch = scratchOf(op))
        left = {*scratch};
      else if (isStructured(op))
        for (Region &region : op.getRegions())
          for (Block &inner : region) {
            const Ranges &ofInner = noteLeft(inner);
            left.insert(ofInner.begin(), ofInner.end());
          }
    }
    return leftBy[&block] = std::move(left);
  }

  static bool isStructured(Operation &op) {
    return op.getNumRegions() > 0 && !op.hasTrait<CombinesElements>();
  }

  /// Follows `reading` through a block and sets its barriers.
  void visit(Block &block, Ranges &reading) {
    for (Operation &op : block) {
      if (isa<BarrierOp>(op)) {
        reading.clear();
      } else if (std::optional<Range> scratch = scratchOf(op)) {
        if (llvm::any_of(reading, [&](const Range &range) { return overlap(range, *scratch); })) {
          OpBuilder builder(&op);
          BarrierOp::create(builder, op.getLoc());
        }
        reading = {*scratch};
      } else if (isStructured(op)) {
        visitRegions(op, reading);
      }
    }
  }

  void visitRegions(Operation &op, Ranges &reading) {
    Ranges left;
    for (Region &region : op.getRegions())
      for (Block &block : region)
        left.insert(leftBy[&block].begin(), leftBy[&block].end());
    Ranges entry = reading;
    if (isa<LoopLikeOpInterface>(op))
      entry.insert(left.begin(), left.end());
    for (Region &region : op.getRegions())
      for (Block &block : region) {
        Ranges inside = entry;
        visit(block, inside);
      }
    reading.insert(left.begin(), left.end()); // a region may be left out
  }

  llvm::DenseMap<Block *, Ranges> leftBy;
};
} // namespace
