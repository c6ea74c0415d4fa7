// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layout as text: one line for MLIR, a table for people.
//
// The table answers "who holds this element". A cell is a run of columns that are consecutive
// registers of one thread, since such runs are what a thread loads at once; without them a row of
// 4096 elements would be 4096 cells. Only owners are shown: where an element is replicated, a line
// above the table says how, and every other place follows by flipping a bit named there.
//
// Long axes keep their first cells, where the pattern shows, and their last one, which shows where
// it ends.
#include "dialect/layout/Print.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <vector>

namespace trowel::layout {

std::string describe(const BlockedDescription &description) {
  return fmt::format("blocked<registers = {}, lanes = {}, warps = {}, order = {}>",
                     description.registers, description.lanes, description.warps,
                     description.order);
}

std::string describe(const SliceDescription &description) {
  return fmt::format("slice<axis = {}, extent = {}, {}>", description.axis, description.extent,
                     describe(description.parent));
}

static std::string describeBases(const LinearLayout &layout) {
  LinearLayout::Bases bases = layout.bases();
  std::vector<std::string> parts;
  for (InputDim dim : allInputDims)
    parts.push_back(fmt::format("{} = {}", name(dim), bases[static_cast<int>(dim)]));
  return fmt::format("bases<{}>, extents = {}", fmt::join(parts, ", "), layout.shape());
}

/// The description, with the extents where they are not the ones that it implies.
template <class Description>
static std::string describeWithin(const LinearLayout &layout, const Description &description) {
  std::string text = describe(description);
  return impliedShape(description) == layout.shape()
             ? text
             : fmt::format("{}, extents = {}", text, layout.shape());
}

std::string describe(const LinearLayout &layout) {
  if (std::optional<BlockedDescription> description = asBlocked(layout))
    return describeWithin(layout, *description);
  if (std::optional<SliceDescription> description = asSlice(layout))
    return describeWithin(layout, *description);
  return describeBases(layout);
}

static constexpr std::int64_t maxRows = 16, maxCells = 8;

/// The positions 0 ≤ i < count to show: all, or the first ones and the last. A gap is marked by -1.
static std::vector<std::int64_t> shownPositions(std::int64_t count, std::int64_t limit) {
  std::vector<std::int64_t> shown;
  for (std::int64_t i = 0; i < count; ++i) {
    if (count > limit && i == limit - 1) {
      shown.push_back(-1);
      i = count - 1;
    }
    shown.push_back(i);
  }
  return shown;
}

static std::string range(std::int64_t first, std::int64_t count) {
  return count == 1 ? fmt::format("{}", first) : fmt::format("{}-{}", first, first + count - 1);
}

/// "T5:R0-3": who owns the `run` elements that start at `index`.
static std::string cell(const LinearLayout &layout, const Coordinates &index, int run) {
  std::optional<Place> owner = layout.ownerOf(index);
  if (!owner)
    return "nobody";
  std::string block = layout.bitCount(InputDim::Block) ? fmt::format("B{}:", owner->block) : "";
  std::int32_t thread = owner->lane + layout.size(InputDim::Lane) * owner->warp;
  return fmt::format("{}T{}:R{}", block, thread, range(owner->reg, run));
}

/// "lane bits 0x18, register bits 0x3"; empty without replication.
static std::string replication(const LinearLayout &layout) {
  std::vector<std::string> parts;
  for (InputDim dim : {InputDim::Register, InputDim::Lane, InputDim::Warp, InputDim::Block})
    if (std::int32_t mask = layout.redundantMask(dim))
      parts.push_back(fmt::format("{} bits {:#x}", name(dim), mask));
  return fmt::format("{}", fmt::join(parts, ", "));
}

static std::string plural(std::int64_t count, const char *noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

static std::string alignRight(const std::vector<std::vector<std::string>> &rows) {
  std::vector<std::size_t> widths;
  for (const auto &row : rows)
    for (std::size_t column = 0; column < row.size(); ++column) {
      widths.resize(std::max(widths.size(), column + 1));
      widths[column] = std::max(widths[column], row[column].size());
    }
  std::string text;
  for (const auto &row : rows) {
    for (std::size_t column = 0; column < row.size(); ++column)
      text += fmt::format("{}{:>{}}", column ? "  " : "", row[column], widths[column]);
    text += '\n';
  }
  return text;
}

static std::string header(const LinearLayout &layout) {
  std::string shape =
      layout.rank() ? fmt::format("{}", fmt::join(layout.shape(), " x ")) : "scalar";
  std::string text =
      fmt::format("{}, {} of {}\n  {}\n", shape, plural(layout.threadCount(), "thread"),
                  plural(layout.registerCount(), "register"), describe(layout));
  std::string replicas = replication(layout);
  if (!replicas.empty())
    text += fmt::format("  each element has {} places: owners have zeros in {}\n",
                        std::int64_t(1) << layout.freeInputs().size(), replicas);
  return text;
}

std::string table(const LinearLayout &layout) {
  std::string text = header(layout);
  if (layout.rank() > 2)
    return text + "  " + describeBases(layout) + "\n";
  if (layout.rank() == 0)
    return text + cell(layout, {}, 1) + "\n";

  int lastAxis = layout.rank() - 1;
  int run = layout.contiguousRegisters(lastAxis);
  std::vector<std::int64_t> runs = shownPositions(layout.extent(lastAxis) / run, maxCells);
  std::vector<std::vector<std::string>> rows{{""}};
  for (std::int64_t position : runs)
    rows[0].push_back(position < 0 ? "..." : range(position * run, run));
  std::int64_t rowCount = layout.rank() == 2 ? layout.extent(0) : 1;
  for (std::int64_t row : shownPositions(rowCount, maxRows)) {
    rows.push_back({layout.rank() == 1 ? "" : row < 0 ? "..." : fmt::format("{}", row)});
    for (std::int64_t position : runs) {
      Coordinates index{static_cast<std::int32_t>(position * run)};
      if (layout.rank() == 2)
        index.insert(index.begin(), static_cast<std::int32_t>(row));
      rows.back().push_back(row < 0 || position < 0 ? "..." : cell(layout, index, run));
    }
  }
  return text + alignRight(rows);
}

} // namespace trowel::layout
