// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The barriers of a CTA: who has arrived, who is awaited, what the arrivals sum to.
#pragma once

#include "runtime/sim/ptx/Program.h"

#include <array>
#include <string>
#include <vector>

namespace trowel::sim {

struct Cta;

constexpr std::uint32_t barriersPerCta = 16;

/// What a barrier computes of its threads' predicates.
enum class BarrierOperation : std::uint8_t { None, Count, And, Or };

/// What an instruction does at a barrier.
struct BarrierArrival {
  std::uint32_t barrier = 0;
  /// Threads that complete it; 0 for all of the CTA.
  std::uint32_t threads = 0;
  BarrierOperation operation = BarrierOperation::None;
  /// Lanes whose predicate holds.
  Mask predicate = 0;
};

class Barriers {
public:
  /// Makes room for this number of warps.
  void prepare(std::size_t warpCount);
  /// Nobody has arrived anywhere.
  void start() { active = 0; }

  /// `lanes` of the warp arrive; if they wait, they wait already. Completes the barrier if they
  /// were the last, throws Fault if the arrival does not fit the earlier ones.
  void arrive(Warp &warp, const Instruction &instruction, Mask lanes,
              const BarrierArrival &arrival);
  /// Completes those barriers for which only threads were missing that have exited by now.
  void lookAgain(Cta &cta);
  /// "32 of 64 threads have arrived".
  std::string progress(const Cta &cta, std::uint32_t barrier) const;

private:
  struct Barrier {
    std::uint32_t threads = 0;
    /// All threads of the CTA are awaited, without those that have exited.
    bool wholeCta = false;
    BarrierOperation operation = BarrierOperation::None;
    std::uint32_t sum = 0;
    /// The instruction that arrived first, for messages.
    std::uint32_t first = 0;
    /// Lanes that have arrived, by warp.
    std::vector<Mask> arrived;
  };
  std::array<Barrier, barriersPerCta> all;
  /// One bit for each barrier at which somebody has arrived.
  std::uint32_t active = 0;

  std::uint32_t arrivedThreads(const Cta &cta, const Barrier &barrier) const;
  bool everybodyIsThere(const Cta &cta, const Barrier &barrier) const;
  void complete(Cta &cta, std::uint32_t number);
};

} // namespace trowel::sim
