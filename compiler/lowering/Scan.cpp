// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers scans.
//
// The coordinate along the axis has bits, and each is a bit of a register's, a lane's or a warp's
// number. Taking them from the lowest up, places that differ in the bits taken so far form groups
// of neighbours, twice as large with each bit. A place knows the total of its group, and what comes
// before its own neighbours in it, the prefix. With the next bit two groups become one:
//
//   total  = total of the earlier one · total of the later one
//   prefix = total of the earlier one · prefix        in the later one, unchanged in the earlier
//
// In a register bit both are in the thread, across lanes the other total comes by a shuffle, and
// all bits of warps are taken at once through shared memory. The lowest bits are registers' as a
// rule; these are scanned one after the other, so that an element is combined with its prefix once,
// at the end. In all of this the earlier operand stays first: the function need not be commutative.
//
// Backwards everything is the same with earlier and later exchanged. Then padding comes first, and
// totals of groups of padding alone do not exist; forwards it comes last and concerns nobody.

#include "compiler/lowering/Combine.h"
#include "compiler/lowering/Patterns.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace trowel;
using namespace trowel::tile;
using compiler::AxisBits;
using compiler::Combiner;
using compiler::constant;
using compiler::Partial;
using layout::InputDim;

namespace {
/// A bit of the coordinate, and whose it is.
struct Step {
  int distance;
  InputDim dim;
  int mask;
};

/// The elements of one line that a thread holds, by the part of the coordinate that registers
/// contribute. Leaves are what the head leaves separate; groups what all steps so far do.
struct Line {
  std::map<int, Partial> inclusive; // by register
  std::map<int, Partial> prefix;    // by leaf; none at first
  std::map<int, Partial> total;     // by group
};

class Scan {
public:
  Scan(ConversionPatternRewriter &rewriter, ScanOp op, ArrayRef<ValueRange> registersOfOperands)
      : rewriter(rewriter), op(op), location(op.getLoc()), isReverse(op.getReverse()),
        tile(cast<RankedTensorType>(op.getOperands()[0].getType())),
        bits(rewriter, location, tile, op.getAxis()), combiner(rewriter, location, op.getCombine()),
        thread(compiler::threadIndex(rewriter, location, bits.layout().size(InputDim::Warp))) {
    SmallVector<Step> steps = stepsFromTheLowest();
    auto rest =
        llvm::find_if(steps, [](const Step &step) { return step.dim != InputDim::Register; });
    for (const Step &step : llvm::make_range(steps.begin(), rest))
      head |= step.distance;
    gather(registersOfOperands);
    processed = head;
    for (auto step = rest; step != steps.end(); ++step) {
      if (step->dim == InputDim::Register) {
        joinRegisters(step->distance);
      } else if (step->dim == InputDim::Lane) {
        joinLanes(*step);
      } else {
        auto last = std::find_if(step, steps.end(),
                                 [](const Step &each) { return each.dim != InputDim::Warp; });
        joinWarps(ArrayRef<Step>(step, last));
        step = std::prev(last);
        continue;
      }
      processed |= step->distance;
    }
    for (auto &[coordinates, line] : lines)
      for (auto &[element, value] : line.inclusive)
        if (auto prefix = line.prefix.find(element & ~head); prefix != line.prefix.end())
          value = ordered(prefix->second, value);
  }

  SmallVector<Value> registersOf(unsigned result) {
    int repeated = bits.layout().replicationMask(InputDim::Register);
    SmallVector<Value> registers;
    for (int reg : liveRegisters(tile)) {
      int origin = reg & ~repeated;
      registers.push_back(
          lines.at(bits.lineOf(origin)).inclusive.at(bits.ofRegister(origin)).values[result]);
    }
    return registers;
  }

private:
  SmallVector<Step> stepsFromTheLowest() {
    SmallVector<Step> steps;
    for (InputDim dim : {InputDim::Register, InputDim::Lane, InputDim::Warp})
      for (int mask : bits.bits(dim))
        steps.push_back({bits.distance(dim, mask), dim, mask});
    llvm::sort(steps, [](const Step &a, const Step &b) { return a.distance < b.distance; });
    return steps;
  }

  /// `earlier` and then `later`, in the direction of the scan.
  Partial ordered(const Partial &earlier, const Partial &later) {
    return combiner.combine(earlier, later);
  }

  /// Only backwards do some elements of padding come before others that exist.
  Value exists(int ofRegister, int cleared, int flipped = 0) {
    return isReverse ? bits.exists(ofRegister, cleared, flipped) : Value();
  }

  /// Takes the elements and scans the lowest bits, those of registers, one after the other.
  void gather(ArrayRef<ValueRange> registersOfOperands) {
    compiler::ElementsOfLines elements =
        compiler::elementsOfLines(bits, tile, registersOfOperands, [&](int coordinate) {
          return exists(coordinate, /*cleared=*/0);
        });
    for (auto &[coordinates, ofLine] : elements)
      lines[coordinates].inclusive = std::move(ofLine);
    for (auto &[coordinates, line] : lines) {
      auto take = [&line = line, this](int coordinate, Partial &element) {
        Partial &total = line.total[coordinate & ~head];
        if (!total.values.empty())
          element = ordered(total, element);
        total = element;
      };
      if (isReverse)
        for (auto &[coordinate, element] : llvm::reverse(line.inclusive))
          take(coordinate, element);
      else
        for (auto &[coordinate, element] : line.inclusive)
          take(coordinate, element);
    }
  }

  /// Puts `earlier` before what the leaves of a group have as their prefix.
  void prepend(Line &line, int group, const Partial &earlier) {
    int others = processed & ~head;
    std::set<int> leaves;
    for (auto &[coordinate, element] : line.inclusive)
      if ((coordinate & ~head & ~others) == group)
        leaves.insert(coordinate & ~head);
    for (int leaf : leaves) {
      auto [place, isFirst] = line.prefix.try_emplace(leaf, earlier);
      if (!isFirst)
        place->second = ordered(earlier, place->second);
    }
  }

  void joinRegisters(int distance) {
    for (auto &[coordinates, line] : lines) {
      std::map<int, Partial> joined;
      for (auto &[group, total] : line.total) {
        if (group & distance)
          continue;
        auto upper = line.total.find(group | distance);
        if (upper == line.total.end()) { // padding alone
          joined[group] = total;
          continue;
        }
        const Partial &earlier = isReverse ? upper->second : total;
        const Partial &later = isReverse ? total : upper->second;
        prepend(line, isReverse ? group : group | distance, earlier);
        joined[group] = ordered(earlier, later);
      }
      line.total = std::move(joined);
    }
  }

  void joinLanes(const Step &step) {
    Value bit =
        LLVM::AndOp::create(rewriter, location, thread, constant(rewriter, location, step.mask));
    Value isLater = LLVM::ICmpOp::create(
        rewriter, location, isReverse ? LLVM::ICmpPredicate::eq : LLVM::ICmpPredicate::ne, bit,
        constant(rewriter, location, 0));
    for (auto &[coordinates, line] : lines)
      for (auto &[group, total] : line.total) {
        Partial other = combiner.fromLane(total, step.mask);
        other.exists = exists(group, processed, step.distance);
        Partial earlier = other;
        earlier.exists =
            other.exists ? LLVM::AndOp::create(rewriter, location, isLater, other.exists) : isLater;
        prepend(line, group, earlier);
        total =
            ordered(combiner.select(isLater, other, total), combiner.select(isLater, total, other));
        total.exists = exists(group, processed | step.distance);
      }
  }

  void joinWarps(ArrayRef<Step> steps) {
    SmallVector<int> masks;
    int distance = 0;
    for (const Step &step : steps) {
      masks.push_back(step.mask);
      distance |= step.distance;
    }
    compiler::WarpExchange exchange(rewriter, op, bits, masks,
                                    /*groups=*/lines.begin()->second.total.size());
    for (auto &[coordinates, line] : lines)
      for (auto [index, entry] : llvm::enumerate(line.total))
        exchange.store(coordinates, index, entry.second);
    exchange.synchronize();
    for (auto &[coordinates, line] : lines)
      for (auto [index, entry] : llvm::enumerate(line.total))
        joinGroup(exchange, coordinates, line, index, entry.first, entry.second, distance);
    processed |= distance;
  }

  /// Runs through the totals that the warps have left of a group, from the earliest on: before this
  /// warp's they add up to its prefix, and in all to the new total.
  void joinGroup(compiler::WarpExchange &exchange, const layout::Coordinates &coordinates,
                 Line &line, int64_t index, int group, Partial &total, int distance) {
    Partial sum, before;
    for (int64_t i = 0; i < exchange.warps(); ++i) {
      int64_t warp = isReverse ? exchange.warps() - 1 - i : i;
      if (!sum.values.empty()) {
        Value isOwn =
            LLVM::ICmpOp::create(rewriter, location, LLVM::ICmpPredicate::eq, exchange.number(),
                                 constant(rewriter, location, static_cast<int32_t>(warp)));
        Partial candidate{sum.values, isOwn};
        if (before.values.empty()) {
          before = candidate;
        } else {
          Value either = LLVM::OrOp::create(rewriter, location, before.exists, isOwn);
          before = combiner.select(isOwn, candidate, before);
          before.exists = either;
        }
      }
      if (isReverse && (group | exchange.firstOf(warp)) >= tile.getDimSize(op.getAxis()))
        continue; // padding alone
      Partial next = exchange.load(coordinates, index, warp);
      sum = sum.values.empty() ? next : ordered(sum, next);
    }
    if (!before.values.empty())
      prepend(line, group, before);
    if (!sum.values.empty())
      total = sum;
    total.exists = exists(group, processed | distance);
  }

  ConversionPatternRewriter &rewriter;
  ScanOp op;
  Location location;
  bool isReverse;
  RankedTensorType tile;
  AxisBits bits;
  Combiner combiner;
  Value thread;
  /// The bits of the coordinate that are registers' below all others, and those taken so far.
  int head = 0, processed = 0;
  std::map<layout::Coordinates, Line> lines;
};
} // namespace

void compiler::populateScanPatterns(const LoweringContext &context, RewritePatternSet &patterns) {
  patterns.add<LowerCombining<ScanOp, Scan>>(context.types, patterns.getContext());
}
