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

/// Lanes that stand at an instruction until others have come to it.
struct WaitingLanes {
  /// Its pc is where they go on.
  LaneGroup group;
  /// The instruction at which they stand.
  std::uint32_t instruction = 0;
  /// The barrier of the CTA that they wait for; `ofTheWarp` if it is lanes of their own warp.
  int barrier = ofTheWarp;
  /// Lanes of the warp that must come, if these are what they wait for.
  Mask members = 0;

  static constexpr int ofTheWarp = -1;
};

/// Splits a warp's lanes at branches and joins them again.
class Divergence {
public:
  /// All `lanes` at instruction 0.
  void start(Mask lanes);
  /// Every lane has exited.
  bool finished() const { return living == 0; }
  /// There is a group to run. If not, and lanes are left, all of them wait.
  bool runnable() const { return current.mask != 0; }
  std::uint32_t pc() const { return current.pc; }
  Mask mask() const { return current.mask; }
  /// Lanes that have not exited, running or waiting.
  Mask alive() const { return living; }

  /// The running group goes to `pc`: the beginning of a block, or in the middle of one a place from
  /// which it will go on.
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

  /// `lanes` of the running group stay at `instruction` until resume() lets them go on at `pc`.
  /// After all such calls of a handler the rest of the group, if any, must advance.
  void wait(Mask lanes, std::uint32_t instruction, std::uint32_t pc, int barrier, Mask members);
  const std::vector<WaitingLanes> &waiting() const { return stopped; }
  /// Lets those that wait for `barrier` go on.
  void resume(int barrier);
  /// Lets those of `lanes` go on that wait for lanes of the warp.
  void resumeOfWarp(Mask lanes);
  /// Lanes that are at the end of a branch and wait there for others that took it: groups with the
  /// pc where they will go on together.
  std::vector<LaneGroup> atMeetings() const;

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
  std::vector<WaitingLanes> stopped;
  std::vector<Meeting> meetings;
  Mask living = 0;
  /// There is one group that can run, and it is on its way to no meeting.
  bool alone = true;

  int openMeeting(std::uint32_t pc, Mask expected, int parent);
  void add(LaneGroup group);
  void completeIfAllThere(int meeting);
  void settle();
  template <class Test> void resumeIf(Test test);
};

} // namespace trowel::sim
