// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lanes of one warp as groups that run together.
#pragma once

#include "runtime/sim/ptx/Program.h"

#include <vector>

namespace trowel::sim {

/// Lanes that are at one instruction.
struct LaneGroup {
  std::uint32_t pc = 0;
  Mask mask = 0;
  /// The meeting these lanes are on their way to; -1 for none.
  int meeting = -1;
};

/// Splits a warp's lanes at branches and joins them again.
class Divergence {
public:
  /// All `lanes` at instruction 0.
  void start(Mask lanes);
  /// Every lane has exited.
  bool finished() const { return current.mask == 0; }
  std::uint32_t pc() const { return current.pc; }
  Mask mask() const { return current.mask; }
  /// Lanes that have not exited, running or waiting.
  Mask alive() const { return living; }

  /// The running group goes to `pc`, the beginning of a block.
  void advance(std::uint32_t pc) {
    current.pc = pc;
    if (!alone)
      settle();
  }
  /// `taken`, a proper part of the running group, goes to `target` and the rest to `otherwise`.
  /// They meet again at `reconvergence`, if that is an instruction.
  void split(Mask taken, std::uint32_t target, std::uint32_t otherwise,
             std::uint32_t reconvergence);
  /// As above with a target for each lane.
  void scatter(const std::uint32_t (&targets)[lanesPerWarp], std::uint32_t reconvergence);
  /// `lanes` of the running group exit, the rest goes to `pc`.
  void exit(Mask lanes, std::uint32_t pc);

private:
  struct Meeting {
    std::uint32_t pc = 0;
    Mask expected = 0;
    Mask arrived = 0;
    int parent = -1;
    bool used = false;
  };

  LaneGroup current;
  std::vector<LaneGroup> others;
  std::vector<Meeting> meetings;
  Mask living = 0;
  /// There is one group and it is on its way to no meeting.
  bool alone = true;

  int openMeeting(std::uint32_t pc, Mask expected, int parent);
  void add(LaneGroup group);
  void completeIfAllThere(int meeting);
  void settle();
};

} // namespace trowel::sim
