// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which of the grid's programs this one is.
#pragma once

#include "trowel/Value.h"

namespace trowel {

/// The position of this program along axis 0, 1 or 2 of the grid that launch was given.
///
///   Index row = programId(0);
///   Ptr<const float> rowStart = x + row * columns;
inline Index programId(int axis, std::source_location at = std::source_location::current()) {
  return Index(detail::programId(axis, at));
}

/// The extent of the grid along axis 0, 1 or 2.
///
///   Index last = programCount(0) - 1;
///   Scalar<bool> isLast = programId(0) == last;
inline Index programCount(int axis, std::source_location at = std::source_location::current()) {
  return Index(detail::programCount(axis, at));
}

} // namespace trowel
