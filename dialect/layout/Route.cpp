// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares the ways from one layout of a tile to another by what they cost a warp.
//
//   way         when                                    slots
//   registers   each thread has its elements            1 a select
//   shuffles    each warp has                           2 a shuffle of 4 bytes, 1 a select
//   shared      each block has                          1 a wavefront, 20 a barrier of several
//   warps
//
// Shuffles are served at half the rate of arithmetic. A barrier has no such price: it stalls until
// the last warp has come, and 20 slots are a guess at what other warps cannot fill.
#include "dialect/layout/Route.h"

namespace trowel::layout {

const char *name(RouteKind kind) {
  static constexpr const char *names[] = {"registers", "shuffles", "shared"};
  return names[static_cast<int>(kind)];
}

RouteKind Route::kind() const {
  if (shared())
    return RouteKind::Shared;
  return withinWarps()->shuffleCount() > 0 ? RouteKind::Shuffles : RouteKind::Registers;
}

std::optional<Route> chooseRoute(const LinearLayout &from, const LinearLayout &to,
                                 int elementBytes) {
  std::optional<Route> best;
  if (std::optional<ShufflePlan> plan = planShuffles(from, to)) {
    int slots = issueSlots(*plan, elementBytes);
    best = Route{std::move(*plan), slots};
    if (best->kind() == RouteKind::Registers)
      return best;
  }
  if (std::optional<SharedPlan> plan = planShared(from, to, elementBytes)) {
    int slots = issueSlots(*plan);
    if (!best || slots < best->issueSlots)
      best = Route{std::move(*plan), slots};
  }
  return best;
}

} // namespace trowel::layout
