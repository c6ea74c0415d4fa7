// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers reductions.
//
// The elements of a line meet in three places, the cheapest first: in the registers of a thread, as
// a tree; across the lanes of a warp, by butterfly shuffles, after which every lane has the result;
// and across warps through shared memory, where one lane of each warp leaves what the warp has and,
// behind one barrier, every thread reads what all warps have. So the result is where it is wanted,
// in every thread of the line, and is the same bits in each: all combine in the same order.
//
//   row of 8192 over 8 warps:  31 meetings in a thread, 5 shuffles, 8 words of shared memory
//
// Integers of 32 bits meet across a whole warp in one redux.sync. Where the region is not one
// commutative op, the two lanes of a butterfly might disagree in a bit, so both put the lower
// lane's element first.
//
// Rejected: a second round of shuffles over the warps' results, for up to 32 of them: reading 8 is
// two loads of 16 bytes and 7 meetings, all independent of other lanes.

#include "compiler/lowering/Combine.h"
#include "compiler/lowering/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace trowel;
using namespace trowel::tile;
using compiler::AxisBits;
using compiler::Combiner;
using compiler::constant;
using compiler::Partial;
using layout::InputDim;

/// The redux.sync that does what the region says, for integers of 32 bits.
static std::optional<NVVM::ReduxKind> reduxOf(Region &region) {
  Operation &op = region.front().front();
  if (op.getNumResults() != 1 || !op.getResult(0).getType().isInteger(32))
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, std::optional<NVVM::ReduxKind>>(&op)
      .Case([](arith::AddIOp) { return NVVM::ReduxKind::ADD; })
      .Case([](arith::MaxSIOp) { return NVVM::ReduxKind::MAX; })
      .Case([](arith::MinSIOp) { return NVVM::ReduxKind::MIN; })
      .Case([](arith::MaxUIOp) { return NVVM::ReduxKind::UMAX; })
      .Case([](arith::MinUIOp) { return NVVM::ReduxKind::UMIN; })
      .Case([](arith::AndIOp) { return NVVM::ReduxKind::AND; })
      .Case([](arith::OrIOp) { return NVVM::ReduxKind::OR; })
      .Case([](arith::XOrIOp) { return NVVM::ReduxKind::XOR; })
      .Default([](Operation *) { return std::nullopt; });
}

namespace {
/// One reduction on its way.
class Reduction {
public:
  Reduction(ConversionPatternRewriter &rewriter, ReduceOp op,
            ArrayRef<ValueRange> registersOfOperands)
      : rewriter(rewriter), op(op), location(op.getLoc()),
        tile(cast<RankedTensorType>(op.getOperands()[0].getType())),
        bits(rewriter, location, tile, op.getAxis()),
        lines(bits.layout().withAxisRemoved(op.getAxis())),
        combiner(rewriter, location, op.getCombine()),
        thread(compiler::threadIndex(rewriter, location, lines.size(InputDim::Warp))) {
    meetInThreads(registersOfOperands);
    meetAcrossLanes();
    meetAcrossWarps();
  }

  /// The registers of one result.
  SmallVector<Value> registersOf(unsigned result) {
    auto type = dyn_cast<RankedTensorType>(op.getResult(result).getType());
    if (!type)
      return {partials.begin()->second.values[result]};
    SmallVector<Value> registers;
    for (int reg : liveRegisters(type))
      registers.push_back(partials.at(lines(reg, 0, 0)).values[result]);
    return registers;
  }

private:
  void meetInThreads(ArrayRef<ValueRange> registersOfOperands) {
    compiler::ElementsOfLines elements =
        compiler::elementsOfLines(bits, tile, registersOfOperands, [&](int coordinate) {
          return bits.exists(coordinate, /*cleared=*/0);
        });
    for (auto &[line, byCoordinate] : elements) {
      SmallVector<Partial> level; // in the order of the axis
      for (auto &[coordinate, element] : byCoordinate)
        level.push_back(std::move(element));
      partials[line] = meet(std::move(level));
    }
  }

  void meetAcrossLanes() {
    ArrayRef<int> masks = bits.bits(InputDim::Lane);
    int processed = 0;
    std::optional<NVVM::ReduxKind> redux = reduxOf(op.getCombine());
    bool existEverywhere =
        llvm::all_of(partials, [](const auto &line) { return !line.second.exists; });
    if (redux && combiner.isCommutative() && masks.size() == compiler::laneBits &&
        existEverywhere) {
      for (auto &[line, own] : partials)
        own.values[0] =
            NVVM::ReduxOp::create(rewriter, location, rewriter.getI32Type(), own.values[0], *redux,
                                  constant(rewriter, location, -1));
      return;
    }
    for (int mask : masks) {
      int distance = bits.distance(InputDim::Lane, mask);
      for (auto &[line, own] : partials)
        own = meetLane(own, mask, processed, distance);
      processed |= distance;
    }
  }

  Partial meetLane(const Partial &own, int mask, int processed, int distance) {
    Partial other = combiner.fromLane(own, mask);
    other.exists = bits.exists(0, processed, distance);
    Partial both;
    if (combiner.isCommutative()) {
      both = combiner.combine(own, other);
    } else {
      Value bit =
          LLVM::AndOp::create(rewriter, location, thread, constant(rewriter, location, mask));
      Value isUpper = LLVM::ICmpOp::create(rewriter, location, LLVM::ICmpPredicate::ne, bit,
                                           constant(rewriter, location, 0));
      both = combiner.combine(combiner.select(isUpper, other, own),
                              combiner.select(isUpper, own, other));
    }
    both.exists = bits.exists(0, processed | distance);
    return both;
  }

  void meetAcrossWarps() {
    ArrayRef<int> masks = bits.bits(InputDim::Warp);
    if (masks.empty())
      return;
    compiler::WarpExchange exchange(rewriter, op, bits, masks);
    for (auto &[line, partial] : partials)
      exchange.store(line, /*group=*/0, partial);
    exchange.synchronize();
    for (auto &[line, partial] : partials) {
      SmallVector<Partial> ofWarps;
      for (int64_t warp = 0; warp < exchange.warps(); ++warp)
        if (exchange.firstOf(warp) < tile.getDimSize(op.getAxis())) // else padding alone
          ofWarps.push_back(exchange.load(line, /*group=*/0, warp));
      partial = meet(std::move(ofWarps));
    }
  }

  /// Combines neighbours, then what they make, until one is left. An element exists if any later
  /// one does.
  Partial meet(SmallVector<Partial> level) {
    while (level.size() > 1) {
      SmallVector<Partial> next;
      for (size_t i = 0; i + 1 < level.size(); i += 2) {
        next.push_back(combiner.combine(level[i], level[i + 1]));
        next.back().exists = level[i].exists;
      }
      if (level.size() % 2 == 1)
        next.push_back(level.back());
      level = std::move(next);
    }
    return level.front();
  }

  ConversionPatternRewriter &rewriter;
  ReduceOp op;
  Location location;
  RankedTensorType tile;
  AxisBits bits;
  layout::LinearLayout lines;
  Combiner combiner;
  Value thread;
  /// What this thread has of each of its lines, by the line's coordinates in thread 0.
  std::map<layout::Coordinates, Partial> partials;
};
} // namespace

void compiler::populateReducePatterns(const LoweringContext &context, RewritePatternSet &patterns) {
  patterns.add<LowerCombining<ReduceOp, Reduction>>(context.types, patterns.getContext());
}
