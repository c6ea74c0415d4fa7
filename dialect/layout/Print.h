// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts for people.
#pragma once

#include "dialect/layout/Builders.h"

#include <string>

namespace trowel::layout {

/// blocked<registers = [1, 4], lanes = [8, 4], warps = [4, 1], order = [1, 0]>
std::string describe(const BlockedDescription &description);
/// slice<axis = 1, extent = 64, blocked<…>>
std::string describe(const SliceDescription &description);
/// The shortest builder that makes the layout, else its bases; then, where the builder alone would
/// mean another tile, the extents. It is the text between the brackets of #tile.layout<…>:
///
///   bases<register = [[1, 0]], lane = [[0, 1], [0, 2]], warp = [], block = []>, extents = [2, 4]
std::string describe(const LinearLayout &layout);

/// Which thread and register owns which element, as text with a line break at its end. T5:R0-3 are
/// registers 0 to 3 of thread 5 of the block (lane + lanes · warp). Rank 2 is a table of rows and
/// columns; long axes are cut in the middle; a rank above 2 shows the bases alone.
///
///   4 × 8, 8 threads of 4 registers
///     blocked<registers = [1, 4], lanes = [4, 2], warps = [1, 1], order = [1, 0]>
///        0-3      4-7
///   0  T0:R0-3  T1:R0-3
///   1  T2:R0-3  T3:R0-3
std::string table(const LinearLayout &layout);

} // namespace trowel::layout
