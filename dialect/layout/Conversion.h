// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From one layout of a tile to another.
#pragma once

#include "dialect/layout/LinearLayout.h"

#include <optional>

namespace trowel::layout {

/// How far an element travels: not at all, between registers of a thread, between lanes of a warp,
/// between warps of a block, between blocks of a cluster.
enum class Distance : std::uint8_t { None, Register, Lane, Warp, Block };

/// How each place of a layout gets its element from another layout of the same tile.
struct Conversion {
  /// From the flat places of the new layout to flat places of the old one that hold the same
  /// element. Each place reads from as near as it can.
  F2Matrix source;
  /// The farthest that any element travels: what the hardware must do for the whole tile.
  Distance distance = Distance::None;
};

/// The conversion; nothing if `from` lacks an element that `to` holds. Both lay out tiles of one
/// shape.
///
///   Conversion conversion = *convert(from, to);
///   Place source = from.unflattenPlace(conversion.source(to.flatten(place)));
std::optional<Conversion> convert(const LinearLayout &from, const LinearLayout &to);

/// Whether each register is a copy of one register of the same thread, of the same one in all
/// threads: then the conversion is no instruction. Lanes that all hold a whole line have each
/// element of it, but the one that a lane wants lies in a register that depends on the lane.
bool isRenaming(const Conversion &conversion, const LinearLayout &from, const LinearLayout &to);

} // namespace trowel::layout
