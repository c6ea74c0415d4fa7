// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The laws of routes: the one that is taken is possible and the cheapest.
#include "dialect/layout/Route.h"

#include "dialect/layout/Conversion.h"
#include "dialect/layout/Print.h"
#include "tests/unit/layout/Family.h"

#include <gtest/gtest.h>

namespace trowel::layout {
namespace {

TEST(Route, IsTheCheapestOfThoseThatExist) {
  int routes[3] = {};
  forEachRoutePair([&](const LinearLayout &from, const LinearLayout &to) {
    for (int elementBytes : {2, 8}) {
      std::optional<Route> route = chooseRoute(from, to, elementBytes);
      std::optional<ShufflePlan> shuffles = planShuffles(from, to);
      std::optional<SharedPlan> shared = planShared(from, to, elementBytes);
      ASSERT_EQ(route.has_value(), shuffles || shared) << describe(from) << " to " << describe(to);
      if (!route)
        return;
      ++routes[static_cast<int>(route->kind())];
      ASSERT_TRUE(!shuffles || shuffles->shuffleCount() == 0 ||
                  route->issueSlots <= issueSlots(*shuffles, elementBytes));
      ASSERT_TRUE(route->kind() == RouteKind::Registers || !shared ||
                  route->issueSlots <= issueSlots(*shared));
      ASSERT_EQ(route->sharedBytes() > 0, route->kind() == RouteKind::Shared);
    }
  });
  for (RouteKind kind : {RouteKind::Registers, RouteKind::Shuffles, RouteKind::Shared})
    EXPECT_GT(routes[static_cast<int>(kind)], 300) << name(kind);
}

TEST(Route, StaysInRegistersWhereEachThreadHasItsElements) {
  forEachRoutePair([&](const LinearLayout &from, const LinearLayout &to) {
    std::optional<Conversion> conversion = convert(from, to);
    if (conversion && conversion->distance <= Distance::Register)
      ASSERT_EQ(chooseRoute(from, to, 4)->kind(), RouteKind::Registers)
          << describe(from) << " to " << describe(to);
  });
}

TEST(Route, ToItselfCostsNothing) {
  for (const LinearLayout &layout : routeLayouts())
    ASSERT_EQ(chooseRoute(layout, layout, 4)->issueSlots, 0) << describe(layout);
}

TEST(Route, CrossesWarpsThroughSharedMemory) {
  LinearLayout rows = blocked({64, 64}, {1, 4}, {2, 16}, {4, 1}, {1, 0}),
               columns = blocked({64, 64}, {4, 1}, {16, 2}, {1, 4}, {0, 1});
  Route route = *chooseRoute(rows, columns, 4);
  EXPECT_EQ(route.kind(), RouteKind::Shared);
  EXPECT_EQ(route.sharedBytes(), 64 * 64 * 4);
}

TEST(Route, ShufflesAFewRegistersRatherThanWaitingForOtherWarps) {
  // What a reduction along rows leaves, four lanes with each row's result, to one row a lane.
  LinearLayout results = blocked({128, 16}, {4, 4}, {8, 4}, {4, 1}, {1, 0}).withAxisRemoved(1),
               rows = LinearLayout({128}, {{{}, {{4}, {8}, {16}, {1}, {2}}, {{32}, {64}}, {}}});
  EXPECT_EQ(chooseRoute(results, rows, 4)->kind(), RouteKind::Shuffles);
}

} // namespace
} // namespace trowel::layout
