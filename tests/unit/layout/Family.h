// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Families of layouts over which the laws are tested. Small enough to visit every point of every
// member.
#pragma once

#include "dialect/layout/Builders.h"

#include <vector>

namespace trowel::layout {

struct BlockedCase {
  std::vector<std::int64_t> shape;
  BlockedDescription description;
};

/// Blocked layouts of rank 1 to 3: extents below, at and above what their threads cover, each
/// order.
const std::vector<BlockedCase> &blockedCases();
/// The layouts of a part of blockedCases(), their slices and broadcasts, and hand-made ones:
/// swizzles, duplicates that are not zero, blocks of a cluster, layouts that do not cover their
/// tile.
const std::vector<LinearLayout> &allLayouts();

/// Layouts of whole warps as conversions meet them: blocked ones of many kinds with one and four
/// warps, slices and broadcasts of them, transposed and swizzled ones, the small hand-made ones of
/// allLayouts(), and random ones. Of a few shapes, so that there are many pairs.
const std::vector<LinearLayout> &routeLayouts();

/// Calls visit(from, to) for each pair of routeLayouts() of one shape.
template <class Visit> void forEachRoutePair(Visit visit) {
  for (const LinearLayout &from : routeLayouts())
    for (const LinearLayout &to : routeLayouts())
      if (from.shape() == to.shape())
        visit(from, to);
}

/// Calls visit(place) for each place of the layout.
template <class Visit> void forEachPlace(const LinearLayout &layout, Visit visit) {
  for (std::int64_t flat = 0; flat < layout.inputCount(); ++flat)
    visit(layout.unflattenPlace(static_cast<BitVector>(flat)));
}

/// Calls visit(index) for each element of the tile.
template <class Visit> void forEachElement(const LinearLayout &layout, Visit visit) {
  for (std::int64_t flat = 0; flat < layout.elementCount(); ++flat)
    visit(layout.unflattenIndex(static_cast<BitVector>(flat)));
}

} // namespace trowel::layout
