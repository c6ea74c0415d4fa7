// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts loads before the threads of a program meet.
//
// A reduction across warps has a barrier, and no load passes a barrier on its way to PTX. So what
// is loaded behind it, as the weights of a layer are, begins only when the slowest warp has
// arrived, and its latency is paid a second time:
//
//   x = load, s = reduce x, w = load, y = x · s · w      two latencies
//   x = load, w = load, s = reduce x, y = x · s · w      one
//
// In each stretch of ops without writes to memory, loads that need nothing of a meeting op (one
// that takes scratch) go before the first one, together with the addresses that they need. What
// waits in registers costs room for other programs, so only few bytes a thread are moved in a
// stretch.
//
// Before: every tile has a layout; barriers for global memory are not set yet. After: the same ops
// in another order; no load has passed a write.

#include "compiler/transforms/Passes.h"
#include "dialect/TileDialect.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace trowel::compiler {
#define GEN_PASS_DEF_HOISTLOADS
#include "compiler/transforms/Passes.h.inc"
} // namespace trowel::compiler

using namespace mlir;
using namespace trowel;
using namespace trowel::tile;

/// Sixteen registers: what a thread of 8 elements of two bf16 rows of weights takes, twice.
static constexpr int64_t mostBytesWaiting = 64;

/// Whether the threads of the program meet in the op.
static bool meets(Operation &op) {
  auto rules = dyn_cast<LayoutInterface>(op);
  return rules && rules.scratchBytes() > 0;
}

/// Bytes of registers that the result of a load takes in a thread.
static int64_t bytesOfThread(LoadOp load) {
  auto tile = dyn_cast<RankedTensorType>(load.getType());
  int64_t registers = tile ? static_cast<int64_t>(liveRegisters(tile).size()) : 1;
  return registers * memoryBytes(elementTypeOf(load.getType()));
}

namespace {
/// Ops of a block between two that write memory or have regions that may.
class Stretch {
public:
  void add(Operation &op) {
    if (!firstMeeting && meets(op))
      firstMeeting = &op;
    if (firstMeeting)
      behind.push_back(&op);
  }

  void hoist() {
    llvm::DenseSet<Operation *> moved;
    int64_t waiting = 0;
    for (Operation *op : behind)
      if (auto load = dyn_cast<LoadOp>(op)) {
        llvm::SetVector<Operation *> needed;
        int64_t bytes = bytesOfThread(load);
        if (waiting + bytes > mostBytesWaiting || !isFree(op, needed))
          continue;
        waiting += bytes;
        moved.insert(needed.begin(), needed.end());
      }
    for (Operation *op : behind)
      if (moved.contains(op))
        op->moveBefore(firstMeeting);
  }

private:
  /// Whether `op` needs nothing of a meeting op of the stretch; collects what it needs of it.
  bool isFree(Operation *op, llvm::SetVector<Operation *> &needed) {
    needed.insert(op);
    for (size_t next = 0; next < needed.size(); ++next) {
      if (meets(*needed[next]))
        return false;
      for (Value operand : needed[next]->getOperands()) {
        Operation *producer = operand.getDefiningOp();
        if (producer && producer->getBlock() == firstMeeting->getBlock() &&
            (producer == firstMeeting || firstMeeting->isBeforeInBlock(producer)))
          needed.insert(producer);
      }
    }
    return true;
  }

  Operation *firstMeeting = nullptr;
  SmallVector<Operation *> behind;
};

struct HoistLoads : compiler::impl::HoistLoadsBase<HoistLoads> {
  void runOnOperation() override {
    getOperation()->walk([](Block *block) {
      Stretch stretch;
      for (Operation &op : llvm::make_early_inc_range(*block)) {
        bool ends = op.hasTrait<OpTrait::IsTerminator>() ||
                    (op.getNumRegions() > 0 && !op.hasTrait<CombinesElements>()) ||
                    (!isa<LoadOp>(op) && !isMemoryEffectFree(&op)) || isa<ReturnIfOp>(op);
        if (!ends) {
          stretch.add(op);
          continue;
        }
        stretch.hoist();
        stretch = Stretch();
      }
    });
  }
};
} // namespace
