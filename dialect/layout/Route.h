// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cheapest way from one layout of a tile to another.
#pragma once

#include "dialect/layout/Shuffle.h"
#include "dialect/layout/Swizzle.h"

#include <cstdint>
#include <optional>
#include <variant>

namespace trowel::layout {

enum class RouteKind : std::uint8_t { Registers, Shuffles, Shared };
/// "registers", "shuffles", "shared".
const char *name(RouteKind kind);

/// How a tile gets from one layout to another.
///
///   Route route = *chooseRoute(from, to, sizeof(float));
///   if (const SharedPlan *plan = route.shared()) ...   // else *route.withinWarps()
struct Route {
  std::variant<ShufflePlan, SharedPlan> plan;
  /// What it costs a warp, in slots of its scheduler.
  int issueSlots = 0;

  RouteKind kind() const;
  /// Registers and shuffles are one plan: elements that stay in their thread need no shuffle.
  const ShufflePlan *withinWarps() const { return std::get_if<ShufflePlan>(&plan); }
  const SharedPlan *shared() const { return std::get_if<SharedPlan>(&plan); }
  /// The shared memory that it takes, in bytes; aligned to 16.
  std::int64_t sharedBytes() const { return shared() ? shared()->bufferBytes : 0; }
};

/// The route with the fewest issue slots; of equal ones the one without shared memory. Nothing if
/// an element comes from another block, or is nowhere. Elements have 1, 2, 4 or 8 bytes.
std::optional<Route> chooseRoute(const LinearLayout &from, const LinearLayout &to,
                                 int elementBytes);

} // namespace trowel::layout
