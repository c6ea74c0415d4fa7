// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The laws of ways by shuffles: each plan is carried out on values that name their elements, in
// every warp. Small layouts are compared with a search of all orders.
#include "dialect/layout/Shuffle.h"

#include "dialect/layout/Conversion.h"
#include "dialect/layout/Print.h"
#include "tests/unit/layout/Family.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <set>

namespace trowel::layout {
namespace {

std::string describe(const LinearLayout &from, const LinearLayout &to) {
  return layout::describe(from) + " to " + layout::describe(to);
}

using Values = std::vector<BitVector>;

void exchange(Values &values, const std::vector<ValueExchange> &exchanges, int lane, int warp,
              int block) {
  for (const ValueExchange &step : exchanges)
    if (step.where(lane, warp, block)) {
      Values old = values;
      for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = old[i ^ static_cast<std::size_t>(step.distance)];
    }
}

/// Carries out a plan in one warp: the elements in each register of each lane afterwards.
std::vector<Values> carryOut(const ShufflePlan &plan, const LinearLayout &from, int warp,
                             int block) {
  int lanes = from.size(InputDim::Lane);
  std::vector<Values> offered(lanes), received(lanes), results(lanes);
  for (int lane = 0; lane < lanes; ++lane) {
    for (int reg = 0; reg < from.registerCount(); ++reg)
      offered[lane].push_back(from.flatIndex(from.flatten(Place{reg, lane, warp, block})));
    exchange(offered[lane], plan.before, lane, warp, block);
  }
  for (int round = 0; round < static_cast<int>(plan.rounds.size()); ++round)
    for (int lane = 0; lane < lanes; ++lane) {
      int source = plan.sourceLane(round, lane, warp, block);
      EXPECT_TRUE(!plan.staysInLane(round) || source == lane);
      received[lane].push_back(offered.at(source).at(plan.rounds[round].sent));
    }
  for (int lane = 0; lane < lanes; ++lane) {
    exchange(received[lane], plan.after, lane, warp, block);
    for (int value : plan.results)
      results[lane].push_back(received[lane].at(value));
  }
  return results;
}

/// Whether each place of `to` has its element afterwards.
bool isRight(const ShufflePlan &plan, const LinearLayout &from, const LinearLayout &to) {
  for (int block = 0; block < to.size(InputDim::Block); ++block)
    for (int warp = 0; warp < to.size(InputDim::Warp); ++warp) {
      std::vector<Values> results = carryOut(plan, from, warp, block);
      for (int lane = 0; lane < to.size(InputDim::Lane); ++lane)
        for (int reg = 0; reg < to.registerCount(); ++reg)
          if (results[lane].at(reg) != to.flatIndex(to.flatten(Place{reg, lane, warp, block})))
            return false;
    }
  return true;
}

TEST(Shuffle, ExistsWhereElementsStayInTheirWarpAndEveryPlaceReceivesItsOwn) {
  int plans = 0;
  forEachRoutePair([&](const LinearLayout &from, const LinearLayout &to) {
    std::optional<Conversion> conversion = convert(from, to);
    std::optional<ShufflePlan> plan = planShuffles(from, to);
    ASSERT_EQ(plan.has_value(), conversion && conversion->distance <= Distance::Lane &&
                                    from.size(InputDim::Lane) == to.size(InputDim::Lane))
        << describe(from, to);
    ASSERT_TRUE(!plan || isRight(*plan, from, to)) << describe(from, to);
    plans += plan.has_value();
  });
  EXPECT_GT(plans, 2000);
}

TEST(Shuffle, ElementsThatStayInTheirThreadNeedNoShuffle) {
  forEachRoutePair([&](const LinearLayout &from, const LinearLayout &to) {
    std::optional<Conversion> conversion = convert(from, to);
    if (!conversion || conversion->distance > Distance::Register)
      return;
    std::optional<ShufflePlan> plan = planShuffles(from, to);
    ASSERT_TRUE(plan) << describe(from, to);
    EXPECT_EQ(plan->shuffleCount(), 0) << describe(from, to);
    EXPECT_TRUE(plan->after.empty()) << describe(from, to);
  });
}

/// The different elements of a thread.
std::size_t elementsOfAThread(const LinearLayout &layout) {
  std::set<BitVector> elements;
  for (int reg = 0; reg < layout.registerCount(); ++reg)
    elements.insert(layout.flatIndex(static_cast<BitVector>(reg)));
  return elements.size();
}

TEST(Shuffle, TakesOneRoundAnElementBetweenLayoutsWithoutReplicas) {
  int pairs = 0;
  forEachRoutePair([&](const LinearLayout &from, const LinearLayout &to) {
    std::optional<ShufflePlan> plan = planShuffles(from, to);
    if (!plan || !from.isInjective() || !to.isInjective() || !to.isSurjective())
      return;
    ++pairs;
    ASSERT_EQ(plan->rounds.size(), elementsOfAThread(to)) << describe(from, to);
  });
  EXPECT_GT(pairs, 200);
}

/// Whether some linear order of rounds, with some linear choice of replicas, lets every lane be
/// asked for one register: what planShuffles decides by algebra.
bool someOrderExists(const LinearLayout &from, const LinearLayout &to) {
  int registerBits = from.bitCount(InputDim::Register), laneBits = from.bitCount(InputDim::Lane),
      toRegisters = to.bitCount(InputDim::Register);
  F2Matrix source = convert(from, to)->source;
  BitVector inWarp = (BitVector(1) << (registerBits + laneBits)) - 1;
  std::vector<BitVector> same;
  for (BitVector place = 0; place <= inWarp; ++place)
    if (from.flatIndex(place) == 0)
      same.push_back(place);
  // Each lane bit: a register of the new layout and a replica; then all sums.
  int choices = static_cast<int>(same.size()) << toRegisters;
  std::int64_t all = 1;
  for (int bit = 0; bit < laneBits; ++bit)
    all *= choices;
  for (std::int64_t number = 0; number < all; ++number) {
    std::vector<BitVector> columns;
    std::int64_t rest = number;
    for (int bit = 0; bit < laneBits; ++bit, rest /= choices) {
      auto choice = static_cast<std::size_t>(rest % choices);
      BitVector place = choice & ((BitVector(1) << toRegisters) - 1);
      columns.push_back((source(place | BitVector(1) << (toRegisters + bit)) & inWarp) ^
                        same[choice >> toRegisters]);
    }
    F2Matrix asked(registerBits + laneBits, columns);
    bool valid = true;
    for (BitVector lane = 0; lane < BitVector(1) << laneBits && valid; ++lane)
      valid = asked(lane) >> registerBits != 0 || asked(lane) == 0;
    if (valid)
      return true;
  }
  return false;
}

TEST(Shuffle, TakesOneRoundAnElementExactlyWhereSomeOrderExists) {
  std::mt19937 random(3);
  int found = 0, none = 0;
  for (int round = 0; round < 60000; ++round) {
    int bits = 1 + static_cast<int>(random() % 3), lanes = 1 + static_cast<int>(random() % 2),
        warps = static_cast<int>(random() % 2);
    auto draw = [&](int registers) {
      std::vector<BitVector> columns;
      for (int column = 0; column < registers + lanes + warps; ++column)
        columns.push_back(random() % (1u << bits));
      return LinearLayout({std::int64_t(1) << bits}, {registers, lanes, warps, 0},
                          F2Matrix(bits, columns));
    };
    LinearLayout from = draw(static_cast<int>(random() % 3)),
                 to = draw(static_cast<int>(random() % 3));
    std::optional<Conversion> conversion = convert(from, to);
    if (!conversion || conversion->distance > Distance::Lane)
      continue;
    std::optional<ShufflePlan> plan = planShuffles(from, to);
    bool exists = someOrderExists(from, to);
    ASSERT_EQ(plan->rounds.size() == elementsOfAThread(to), exists) << describe(from, to);
    ASSERT_TRUE(isRight(*plan, from, to)) << describe(from, to);
    exists ? ++found : ++none;
  }
  EXPECT_GT(found, 1000);
  EXPECT_GT(none, 10);
}

TEST(Shuffle, OfARegisterAgainstALaneBitKeepsOneRoundAtHome) {
  // Two neighbours a thread, then one here and one half a tile on: five lane bits turn round.
  LinearLayout pairs = blocked({64}, {2}, {32}, {1}, {0}),
               crossed({64}, {{{{2}}, {{1}, {4}, {8}, {16}, {32}}, {}, {}}});
  ShufflePlan plan = *planShuffles(pairs, crossed);
  EXPECT_EQ(plan.shuffleCount(), 1);
  EXPECT_TRUE(plan.isButterfly());
  EXPECT_EQ(plan.rounds[1].laneXor, 1);
}

TEST(Shuffle, OfLanesAmongThemselvesTakesNoSelect) {
  // Rows of lanes become columns of lanes; registers stay.
  LinearLayout rows = blocked({8, 4, 2}, {1, 1, 2}, {8, 4, 1}, {1, 1, 1}, {2, 1, 0}),
               columns = blocked({8, 4, 2}, {1, 1, 2}, {8, 4, 1}, {1, 1, 1}, {2, 0, 1});
  ShufflePlan plan = *planShuffles(rows, columns);
  EXPECT_EQ(plan.shuffleCount(), 2);
  EXPECT_EQ(plan.selectCount(), 0);
}

TEST(Shuffle, OfAWholeTileInEachWarpToAPartOfItTakesTwoRoundsAndASelect) {
  // Pairs of neighbours in each warp; then lane l of warp w has element l + 32 w.
  LinearLayout pairs = blocked({64}, {2}, {32}, {2}, {0}),
               parts = blocked({64}, {1}, {32}, {2}, {0});
  ShufflePlan plan = *planShuffles(pairs, parts);
  EXPECT_EQ(plan.shuffleCount(), 2);
  EXPECT_EQ(plan.selectCount(), 1);
}

} // namespace
} // namespace trowel::layout
