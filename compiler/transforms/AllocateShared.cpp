// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives each op that needs shared memory its place there.
//
// An op that moves data between warps writes its scratch, meets the other threads and reads it.
// Nothing lives longer, so one place would do for all ops. But then each op had to wait until every
// thread has read what the one before it wrote: a barrier more for each. With two places in turn
// the barrier inside the next op stands between:
//
//   write A, barrier, read A;  write B, barrier, read B;  write A, barrier, read A
//
// The second writing of A comes after the barrier of B, which every thread reaches only when it has
// read A. So ops alternate between a lower and an upper place as long as both together stay small;
// larger ones share one place, since room for more programs on a multiprocessor is worth more than
// a barrier.
//
// Before: every tile has a layout. After: ops with scratch have `tile.scratch`, the function
// `tile.shared_bytes`. Which barriers are needed is tile-insert-barriers' business.

#include "compiler/transforms/Passes.h"
#include "dialect/TileDialect.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

namespace trowel::compiler {
#define GEN_PASS_DEF_ALLOCATESHARED
#include "compiler/transforms/Passes.h.inc"
} // namespace trowel::compiler

using namespace mlir;
using namespace trowel;
using namespace trowel::tile;

/// Accesses of 16 bytes are the widest.
static constexpr int64_t alignment = 16;
/// Two places of this size leave room for 32 programs in the 164 KiB of an sm_80.
static constexpr int64_t mostForTwoPlaces = 2048;

namespace {
struct AllocateShared : compiler::impl::AllocateSharedBase<AllocateShared> {
  void runOnOperation() override {
    SmallVector<std::pair<LayoutInterface, int64_t>> users;
    getOperation().walk([&](LayoutInterface op) {
      if (int64_t bytes = op.scratchBytes())
        users.emplace_back(op, llvm::alignTo(bytes, alignment));
    });
    if (users.empty())
      return;
    int64_t largestSmall = 0;
    for (auto [op, bytes] : users)
      if (bytes <= mostForTwoPlaces)
        largestSmall = std::max(largestSmall, bytes);
    Builder builder(&getContext());
    int64_t total = 0, smallSoFar = 0;
    for (auto [op, bytes] : users) {
      bool isUpper = bytes <= mostForTwoPlaces && smallSoFar++ % 2 == 1;
      int64_t offset = isUpper ? largestSmall : 0;
      op->setAttr(TileDialect::scratchAttr, builder.getI64IntegerAttr(offset));
      total = std::max(total, offset + bytes);
    }
    getOperation()->setAttr(TileDialect::sharedBytesAttr, builder.getI64IntegerAttr(total));
  }
};
} // namespace
