// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocked layouts and their slices, built and recognized.
//
// Building deals out index bits. Each axis has a counter `next` of the bits of it that are placed;
// register, lane, warp and then again register bits each take the next bit of the axis whose turn
// it is, or zero if the axis has none left. For a tile of 4 × 16, registers = [1, 2], lanes = [2,
// 4], warps = [2, 1], order = [1, 0]:
//
//   register 0   (0, 1)    axis 1: bit 0        warp 0       (2, 0)
//   lane 0       (0, 2)    axis 1: bit 1        register 1   (0, 8)    what is left of axis 1
//   lane 1       (0, 4)
//   lane 2       (1, 0)    axis 0: bit 0
//
// Recognizing plays the same game backwards. For a given order and a given number of explicit
// registers, each basis says which axis it came from: the one whose next bit it is, or, if it is
// zero, one that is used up. A zero goes to the first used-up axis in the order, as that leaves
// most choices to later bits. What was found is built again and compared, so a recognizer cannot be
// wrong, only give up; tests show that it does not give up on what the builders make.
//
// In a slice, the removed axis leaves zeros of its own: for the recognizer it is an axis that is
// always used up. Its extent in the parent is not visible from the slice; the one that is found
// gives an equal slice.
#include "dialect/layout/Builders.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <numeric>
#include <span>

namespace trowel::layout {

static bool isPowerOfTwo(std::int64_t value) { return value > 0 && (value & (value - 1)) == 0; }
static int log2Exact(std::int64_t value) {
  return std::countr_zero(static_cast<std::uint64_t>(value));
}

std::optional<std::string> findFault(const std::vector<std::int64_t> &shape,
                                     const BlockedDescription &blocked) {
  const struct {
    const char *name;
    const std::vector<std::int32_t> &values;
  } lists[] = {
      {"registers", blocked.registers}, {"lanes", blocked.lanes}, {"warps", blocked.warps}};
  for (const auto &list : lists) {
    if (list.values.size() != shape.size())
      return fmt::format("{} has {} entries, the tile has {} axes", list.name, list.values.size(),
                         shape.size());
    int bits = 0;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      if (!isPowerOfTwo(list.values[axis]))
        return fmt::format("{} has {} for axis {}, which is not a power of two", list.name,
                           list.values[axis], axis);
      bits += log2Exact(list.values[axis]);
    }
    if (bits > 15)
      return fmt::format("{} multiply to 2^{}, at most 2^15 are possible", list.name, bits);
  }
  std::vector<std::int32_t> sorted = blocked.order, axes(shape.size());
  std::sort(sorted.begin(), sorted.end());
  std::iota(axes.begin(), axes.end(), 0);
  if (sorted != axes)
    return fmt::format("order does not list each axis of 0 to {} once",
                       static_cast<int>(shape.size()) - 1);
  int bits = 0;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (!isPowerOfTwo(shape[axis]))
      return fmt::format("extent {} of axis {} is not a power of two", shape[axis], axis);
    bits += log2Exact(shape[axis]);
  }
  if (bits > 30)
    return fmt::format("the tile has 2^{} elements, at most 2^30 can be laid out", bits);
  return std::nullopt;
}

std::vector<std::int64_t> impliedShape(const BlockedDescription &description) {
  std::vector<std::int64_t> shape;
  for (int axis = 0; axis < description.rank(); ++axis)
    shape.push_back(std::int64_t(1) * description.registers[axis] * description.lanes[axis] *
                    description.warps[axis]);
  return shape;
}

std::vector<std::int64_t> impliedShape(const SliceDescription &description) {
  std::vector<std::int64_t> shape = impliedShape(description.parent);
  shape.erase(shape.begin() + description.axis);
  return shape;
}

static std::vector<std::int64_t> parentShape(std::vector<std::int64_t> shape,
                                             const SliceDescription &slice) {
  shape.insert(shape.begin() + slice.axis, slice.extent);
  return shape;
}

std::optional<std::string> findFault(const std::vector<std::int64_t> &shape,
                                     const SliceDescription &slice) {
  if (slice.axis < 0 || slice.axis > static_cast<int>(shape.size()))
    return fmt::format("axis {} is none of the parent's axes 0 to {}", slice.axis, shape.size());
  return findFault(parentShape(shape, slice), slice.parent);
}

namespace {

/// Deals out the bits of a tile's axes, each from its lowest.
class Dealer {
public:
  explicit Dealer(const std::vector<std::int64_t> &shape) : shape(shape), next(shape.size(), 0) {}

  int bitsLeft(int axis) const { return log2Exact(shape[axis]) - next[axis]; }
  /// The basis of the next bit of the axis; zero if it has none left.
  Coordinates deal(int axis) {
    Coordinates basis(shape.size(), 0);
    if (bitsLeft(axis) > 0)
      basis[axis] = std::int32_t(1) << next[axis]++;
    return basis;
  }
  /// Whether `basis` is what deal(axis) would give.
  bool wouldDeal(int axis, const Coordinates &basis) const {
    for (int other = 0; other < static_cast<int>(shape.size()); ++other) {
      std::int32_t expected =
          other == axis && bitsLeft(axis) > 0 ? std::int32_t(1) << next[axis] : 0;
      if (basis[other] != expected)
        return false;
    }
    return true;
  }

private:
  const std::vector<std::int64_t> &shape;
  std::vector<int> next;
};

} // namespace

LinearLayout blocked(std::vector<std::int64_t> shape, const BlockedDescription &description) {
  assert(!findFault(shape, description) && "check what users write with findFault first");
  LinearLayout::Bases bases;
  auto &[registers, lanes, warps, blocks] = bases;
  Dealer dealer(shape);
  auto dealAll = [&](const std::vector<std::int32_t> &counts, std::vector<Coordinates> &to) {
    for (int axis : description.order)
      for (int bit = 0; bit < log2Exact(counts[axis]); ++bit)
        to.push_back(dealer.deal(axis));
  };
  dealAll(description.registers, registers);
  dealAll(description.lanes, lanes);
  dealAll(description.warps, warps);
  for (int axis : description.order)
    while (dealer.bitsLeft(axis) > 0)
      registers.push_back(dealer.deal(axis));
  return LinearLayout(std::move(shape), bases);
}

LinearLayout blocked(std::vector<std::int64_t> shape, std::vector<std::int32_t> registers,
                     std::vector<std::int32_t> lanes, std::vector<std::int32_t> warps,
                     std::vector<std::int32_t> order) {
  return blocked(std::move(shape), BlockedDescription{std::move(registers), std::move(lanes),
                                                      std::move(warps), std::move(order)});
}

LinearLayout slice(const LinearLayout &parent, int axis) { return parent.withAxisRemoved(axis); }

LinearLayout slice(const std::vector<std::int64_t> &shape, const SliceDescription &description) {
  assert(!findFault(shape, description) && "check what users write with findFault first");
  return slice(blocked(parentShape(shape, description), description.parent), description.axis);
}

/// Explains `bases` as bits dealt in `order`: how many each axis got, as powers of two. Nothing if
/// they are not.
static std::optional<std::vector<std::int32_t>> explain(std::span<const Coordinates> bases,
                                                        const std::vector<std::int32_t> &order,
                                                        Dealer &dealer) {
  std::vector<std::int32_t> counts(order.size(), 1);
  std::size_t turn = 0;
  for (const Coordinates &basis : bases) {
    while (turn < order.size() && !dealer.wouldDeal(order[turn], basis))
      ++turn;
    if (turn == order.size())
      return std::nullopt;
    dealer.deal(order[turn]);
    counts[order[turn]] *= 2;
  }
  return counts;
}

/// The description with that order and that many explicit register bits, if the bases allow one.
static std::optional<BlockedDescription> explain(const std::vector<std::int64_t> &shape,
                                                 const LinearLayout::Bases &bases,
                                                 const std::vector<std::int32_t> &order,
                                                 std::size_t explicitBits) {
  Dealer dealer(shape);
  const auto &[registers, lanes, warps, blocks] = bases;
  auto explicitRegisters = explain(std::span(registers).first(explicitBits), order, dealer);
  if (!explicitRegisters)
    return std::nullopt;
  auto laneCounts = explain(lanes, order, dealer);
  if (!laneCounts)
    return std::nullopt;
  auto warpCounts = explain(warps, order, dealer);
  if (!warpCounts)
    return std::nullopt;
  return BlockedDescription{*explicitRegisters, *laneCounts, *warpCounts, order};
}

/// The order of row-major tiles: the last axis fastest.
static std::vector<std::int32_t> rowMajorOrder(int rank) {
  std::vector<std::int32_t> order(rank);
  std::iota(order.rbegin(), order.rend(), 0);
  return order;
}

std::optional<BlockedDescription> asBlocked(const LinearLayout &layout) {
  if (layout.bitCount(InputDim::Block) != 0)
    return std::nullopt;
  LinearLayout::Bases bases = layout.bases();
  std::vector<std::int32_t> order = rowMajorOrder(layout.rank());
  do
    for (int explicitBits = layout.bitCount(InputDim::Register); explicitBits >= 0;
         --explicitBits) {
      auto found = explain(layout.shape(), bases, order, explicitBits);
      if (found && !findFault(layout.shape(), *found) && blocked(layout.shape(), *found) == layout)
        return found;
    }
  while (std::prev_permutation(order.begin(), order.end()));
  return std::nullopt;
}

std::optional<SliceDescription> asSlice(const LinearLayout &layout) {
  if (layout.bitCount(InputDim::Block) != 0)
    return std::nullopt;
  for (int axis = layout.rank(); axis >= 0; --axis) {
    LinearLayout stretched = layout.withAxisInserted(axis);
    LinearLayout::Bases bases = stretched.bases();
    std::vector<std::int32_t> order = rowMajorOrder(stretched.rank());
    do
      for (int explicitBits = layout.bitCount(InputDim::Register); explicitBits >= 0;
           --explicitBits) {
        auto parent = explain(stretched.shape(), bases, order, explicitBits);
        if (!parent)
          continue;
        // The extent that the parent's own bits use up; registers beyond them are further bits of
        // that axis.
        SliceDescription found{*parent, axis, impliedShape(*parent)[axis]};
        if (findFault(layout.shape(), found))
          continue;
        int beyond = layout.bitCount(InputDim::Register) -
                     slice(layout.shape(), found).bitCount(InputDim::Register);
        if (beyond < 0)
          continue;
        found.extent <<= beyond;
        if (!findFault(layout.shape(), found) && slice(layout.shape(), found) == layout)
          return found;
      }
    while (std::prev_permutation(order.begin(), order.end()));
  }
  return std::nullopt;
}

} // namespace trowel::layout
