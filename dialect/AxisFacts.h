// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of a tile's integers or addresses along each axis.
#pragma once

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace trowel::tile {

/// Facts of an integer, bool or pointer value. A scalar has one pseudo axis of extent 1. All
/// numbers are powers of two and at least 1, and 1 means that nothing is known.
struct AxisFacts {
  /// Along each axis: aligned runs of so many elements count up by one (pointers: by one element).
  llvm::SmallVector<std::int64_t> contiguity;
  /// Along each axis: divides the first element of each such run (pointers: in bytes).
  llvm::SmallVector<std::int64_t> divisibility;
  /// Along each axis: aligned runs of so many elements are equal.
  llvm::SmallVector<std::int64_t> constancy;
  /// The value of all elements, where known.
  std::optional<std::int64_t> constant;

  static AxisFacts unknown(unsigned rank) {
    unsigned axes = rank == 0 ? 1 : rank;
    AxisFacts facts;
    facts.contiguity.assign(axes, 1);
    facts.divisibility.assign(axes, 1);
    facts.constancy.assign(axes, 1);
    return facts;
  }
  unsigned rank() const { return static_cast<unsigned>(contiguity.size()); }
};

} // namespace trowel::tile
