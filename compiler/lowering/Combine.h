// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What reductions and scans share: elements that meet, within a thread, across lanes and through
// shared memory.
#pragma once

#include "compiler/lowering/IndexMath.h"
#include "dialect/TileDialect.h"

#include "mlir/Transforms/DialectConversion.h"

#include <map>

namespace trowel::compiler {

/// One element of each operand of the op, and whether there is one: null for certainly.
struct Partial {
  llvm::SmallVector<mlir::Value> values;
  mlir::Value exists;
};

/// How the elements of a reduction or scan meet.
class Combiner {
public:
  /// `region` says what two elements are together. Its ops are copied for each meeting.
  Combiner(mlir::ConversionPatternRewriter &rewriter, mlir::Location location,
           mlir::Region &region);

  /// The two together, `first` being the earlier one; the one that exists where only one does.
  Partial combine(const Partial &first, const Partial &second);
  /// a where the condition holds, else b.
  Partial select(mlir::Value condition, const Partial &a, const Partial &b);
  /// What the lane holds whose number differs in the bits of `laneMask`. Whether it exists there is
  /// for the caller to say.
  Partial fromLane(const Partial &own, int laneMask);

  /// Whether the region is one commutative op, so that the order of two operands shows in no bit.
  bool isCommutative() const { return commutative; }

private:
  llvm::SmallVector<mlir::Value> apply(const Partial &first, const Partial &second);
  mlir::Value shuffle(mlir::Value value, int laneMask);

  mlir::ConversionPatternRewriter &rewriter;
  mlir::Location location;
  mlir::Region &region;
  bool commutative;
};

/// The bits of a layout along one axis, and which elements of a thread exist.
class AxisBits {
public:
  AxisBits(mlir::OpBuilder &builder, mlir::Location location, mlir::RankedTensorType tile,
           int axis);

  const layout::LinearLayout &layout() const { return linear; }
  int axis() const { return position; }
  /// Bits of `dim` that move along the axis, the one that moves least first, as masks.
  llvm::ArrayRef<int> bits(layout::InputDim dim) const { return alongAxis[static_cast<int>(dim)]; }
  /// How far along the axis a bit of `dim` moves.
  int distance(layout::InputDim dim, int mask) const;
  /// The coordinates of register `reg` on the other axes, in thread 0.
  layout::Coordinates lineOf(int reg) const;
  /// The part of the coordinate along the axis that register `reg` contributes.
  int ofRegister(int reg) const;

  /// Whether the element exists whose coordinate is `ofRegister` plus this thread's part, of which
  /// the bits of `cleared` count as 0 and those of `flipped` are inverted: null for certainly.
  mlir::Value exists(int ofRegister, int cleared, int flipped = 0);

private:
  mlir::OpBuilder &builder;
  mlir::Location location;
  layout::LinearLayout linear;
  int position;
  int64_t extent;
  llvm::SmallVector<int> alongAxis[4];
  ElementIndices indices;
  /// The bits of the coordinate that lane and warp decide.
  int ofThreads = 0;
  std::map<std::tuple<int, int, int>, mlir::Value> flags;
};

/// The elements of each line that a thread holds, by the part of the coordinate that registers
/// contribute; each once.
using ElementsOfLines = std::map<layout::Coordinates, std::map<int, Partial>>;

/// The elements of the operands' registers. `exists` says of a register's part of the coordinate
/// whether the element is there.
ElementsOfLines elementsOfLines(const AxisBits &bits, mlir::RankedTensorType tile,
                                llvm::ArrayRef<mlir::ValueRange> registersOfOperands,
                                llvm::function_ref<mlir::Value(int)> exists);

/// Lowers an op with a combining region by a class that is made from the registers of the operands
/// and then tells those of each result.
template <class Op, class Lowering> struct LowerCombining : mlir::OpConversionPattern<Op> {
  using mlir::OpConversionPattern<Op>::OpConversionPattern;
  mlir::LogicalResult
  matchAndRewrite(Op op, typename mlir::OpConversionPattern<Op>::OneToNOpAdaptor adaptor,
                  mlir::ConversionPatternRewriter &rewriter) const override {
    llvm::SmallVector<mlir::ValueRange> operands(adaptor.getOperands());
    Lowering lowering(rewriter, op, operands);
    llvm::SmallVector<llvm::SmallVector<mlir::Value>> results;
    for (unsigned result = 0; result < op.getNumResults(); ++result)
      results.push_back(lowering.registersOf(result));
    rewriter.replaceOpWithMultiple(op, std::move(results));
    return mlir::success();
  }
};

/// The warps along an axis exchange what each has of its lines, through the scratch of the op.
/// Within a warp, all lanes that hold a line have the same of it.
class WarpExchange {
public:
  /// `warpBits` are the bits of warps along the axis, the one that moves least first. Of each line
  /// a warp has `groups` partial results.
  WarpExchange(mlir::ConversionPatternRewriter &rewriter, mlir::Operation *op, const AxisBits &bits,
               llvm::ArrayRef<int> warpBits, int64_t groups = 1);

  /// How many warps there are along the axis, and which of them this one is.
  int64_t warps() const { return int64_t(1) << warpBits.size(); }
  mlir::Value number() const { return own; }
  /// The least coordinate along the axis in a warp.
  int64_t firstOf(int64_t warp) const;

  /// Leaves what this warp has; one thread of each does it. `line` has its coordinates in thread 0.
  void store(const layout::Coordinates &line, int64_t group, const Partial &partial);
  /// Between storing and loading.
  void synchronize();
  /// What a warp has left; it is taken to exist.
  Partial load(const layout::Coordinates &line, int64_t group, int64_t warp);

private:
  /// The slot of a group of a line, less what the warp adds. The lines of a thread lie as far apart
  /// as there are threads with other lines, so that lanes are side by side and no bank is wanted
  /// twice. A line is read by threads that have left it from the same register.
  mlir::Value slotOf(const layout::Coordinates &line, int64_t group);
  mlir::Value address(mlir::Value slot, int operand);

  mlir::ConversionPatternRewriter &rewriter;
  mlir::Location location;
  const AxisBits &bits;
  /// What is left of the layout without the axis.
  layout::LinearLayout lines;
  llvm::SmallVector<int> warpBits;
  int64_t groups;
  llvm::SmallVector<mlir::Type> elements;
  llvm::SmallVector<mlir::Value> bases;
  mlir::Value own, stores;
  /// This thread's number among those that hold different lines.
  mlir::Value threadNumber;
  int64_t threadsWithLines;
  /// The lines of a thread, numbered as they come.
  std::map<layout::Coordinates, size_t> order;
};

} // namespace trowel::compiler
