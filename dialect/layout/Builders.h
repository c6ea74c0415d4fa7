// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts from few words, and the few words back from a layout.
#pragma once

#include "dialect/layout/LinearLayout.h"

#include <optional>
#include <string>
#include <vector>

namespace trowel::layout {

/// blocked<registers = [1, 4], lanes = [8, 4], warps = [4, 1], order = [1, 0]>
///
/// A thread holds registers[a] neighbours along axis a, a warp has lanes[a] threads along it, a
/// block warps[a] warps. `order` lists the axes, fastest first: the order in which register, lane
/// and warp numbers count.
///
/// Where the tile is larger than registers · lanes · warps along an axis, the rest become further
/// registers, the highest ones. Where it is smaller, the surplus bits (of warps first, then lanes,
/// then registers) hold replicas. So a layout covers its tile exactly, whatever the extents.
struct BlockedDescription {
  std::vector<std::int32_t> registers, lanes, warps, order;

  int rank() const { return static_cast<int>(order.size()); }
  friend bool operator==(const BlockedDescription &, const BlockedDescription &) = default;
};

/// slice<axis = 1, extent = 64, blocked<…>>: without that axis, a blocked layout in which it has
/// that extent.
struct SliceDescription {
  BlockedDescription parent;
  int axis = 0;
  std::int64_t extent = 1;

  friend bool operator==(const SliceDescription &, const SliceDescription &) = default;
};

/// The extents that the threads and registers said cover exactly: the tile's, if nothing else is
/// said.
std::vector<std::int64_t> impliedShape(const BlockedDescription &description);
std::vector<std::int64_t> impliedShape(const SliceDescription &description);

/// Why this describes no layout of that tile, as a sentence; nothing if it does. For what users
/// write.
std::optional<std::string> findFault(const std::vector<std::int64_t> &shape,
                                     const BlockedDescription &blocked);
std::optional<std::string> findFault(const std::vector<std::int64_t> &shape,
                                     const SliceDescription &slice);

/// The layout of a tile of that shape.
LinearLayout blocked(std::vector<std::int64_t> shape, const BlockedDescription &description);
LinearLayout blocked(std::vector<std::int64_t> shape, std::vector<std::int32_t> registers,
                     std::vector<std::int32_t> lanes, std::vector<std::int32_t> warps,
                     std::vector<std::int32_t> order);

/// The layout of a tile that expands along `axis` to one that lies as `parent`, without moving a
/// register.
LinearLayout slice(const LinearLayout &parent, int axis);
LinearLayout slice(const std::vector<std::int64_t> &shape, const SliceDescription &description);

/// The blocked description that makes exactly this layout, if there is one. Where several do: the
/// first order in the sequence that starts at row-major, with the most registers said rather than
/// implied.
std::optional<BlockedDescription> asBlocked(const LinearLayout &layout);
/// The same for slices of blocked layouts: the last axis that may have been removed, then as above.
std::optional<SliceDescription> asSlice(const LinearLayout &layout);

} // namespace trowel::layout
