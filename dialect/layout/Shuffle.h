// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From one layout of a tile to another by moving registers within each warp.
#pragma once

#include "dialect/layout/LinearLayout.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace trowel::layout {

/// The threads in which an odd number of these bits are set; mostly there is one bit.
struct ThreadParity {
  std::int32_t lanes = 0, warps = 0, blocks = 0;

  bool operator()(std::int32_t lane, std::int32_t warp, std::int32_t block = 0) const;
};

/// In the threads of `where`, every value v[i] becomes v[i ^ distance]; elsewhere all stay. One
/// select a value.
struct ValueExchange {
  std::int32_t distance = 0;
  ThreadParity where;
};

/// One shuffle: each lane offers the value `sent` and receives what sourceLane offers.
struct ShuffleRound {
  std::int32_t sent = 0;
  std::int32_t laneXor = 0;
};

/// A way within each warp, by selects and mostly one shuffle an element of a thread:
///
///   1. values are the registers of the old layout; the exchanges of `before` move them;
///   2. round k gives value k: the value `sent` of lane sourceLane(k, …);
///   3. the exchanges of `after` move the values of the rounds; then register r of the new layout
///   is
///      value results[r].
struct ShufflePlan {
  std::vector<ValueExchange> before, after;
  /// As many as a thread has different elements; twice, four times, … as many where lanes want
  /// different registers of one lane whatever the order.
  std::vector<ShuffleRound> rounds;
  std::vector<std::int32_t> results;
  /// What each bit of a thread's lane, warp and block contributes to the number of the lane that it
  /// receives from.
  std::vector<std::int32_t> laneBases, warpBases, blockBases;

  std::int32_t sourceLane(int round, std::int32_t lane, std::int32_t warp,
                          std::int32_t block = 0) const;
  /// Whether every lane receives from lane ^ laneXor: a shuffle that needs no number of a lane.
  bool isButterfly() const;
  /// Whether every lane receives from itself, so that the round needs no shuffle.
  bool staysInLane(int round) const { return isButterfly() && rounds[round].laneXor == 0; }
  int shuffleCount() const;
  /// Selects before and after, without those of values that nobody uses.
  int selectCount() const;
};

/// The plan with the fewest issue slots; nothing if an element comes from another warp, or is
/// nowhere, or if warps of the two layouts have different numbers of lanes.
///
///   ShufflePlan plan = *planShuffles(from, to);
///   plan.shuffleCount();   // 0 if all elements stay in their thread
std::optional<ShufflePlan> planShuffles(const LinearLayout &from, const LinearLayout &to);

/// What a plan costs a warp, in slots of its scheduler.
int issueSlots(const ShufflePlan &plan, int elementBytes);

} // namespace trowel::layout
