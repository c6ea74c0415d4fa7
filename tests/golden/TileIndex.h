// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the elements of a tile of several axes lie in memory.
//
//   store(y + indexOf({8, 3, 16}), tile);   // the last axis is the fastest
#pragma once

#include <trowel/trowel.h>

#include <vector>

namespace trowel::golden {

/// 0, 1, 2, … along one axis of a tile of `rank` axes; 1 along the others.
inline Tile<int32> along(int axis, int rank, int extent) {
  Tile<int32> index = iota(extent);
  for (int before = 0; before < axis; ++before)
    index = expand(index, Axis{0});
  for (int after = axis + 1; after < rank; ++after)
    index = expand(index, Axis{after});
  return index;
}

/// The index of each element of a tile in memory where the last axis is the fastest.
inline Tile<int32> indexOf(const std::vector<int> &extents) {
  int rank = static_cast<int>(extents.size());
  Tile<int32> index = along(0, rank, extents[0]);
  for (int axis = 1; axis < rank; ++axis)
    index = index * extents[axis] + along(axis, rank, extents[axis]);
  return index;
}

inline int elementsOf(const std::vector<int> &extents) {
  int count = 1;
  for (int extent : extents)
    count *= extent;
  return count;
}

/// The lines of a tile along an axis: `extent` elements, `stride` apart in memory, of which the
/// first is the element `start(line)`. Lines are counted as the elements of the tile without the
/// axis.
struct Lines {
  Lines(const std::vector<int> &extents, int axis) : extent(extents[axis]) {
    for (int i = axis + 1; i < static_cast<int>(extents.size()); ++i)
      stride *= extents[i];
    count = elementsOf(extents) / extent;
    others = extents;
    others.erase(others.begin() + axis);
  }
  int start(int line) const { return line / stride * stride * extent + line % stride; }
  int element(int line, int place) const { return start(line) + place * stride; }

  int extent, stride = 1, count;
  /// The extents of the other axes.
  std::vector<int> others;
};

} // namespace trowel::golden
