// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lanes of one warp as groups that run together.
//
// When the lanes of a warp disagree about a branch they go on as two groups, each with its own pc.
// Two rules bring them together again:
//
//  1. Meetings. A branch whose block has an immediate post-dominator opens a meeting there for all
//     its lanes. A group that arrives waits until every lane that is expected has arrived or
//     exited; then they go on as one. Meetings nest: the group that leaves one is still expected at
//     the one around it. A loop that lanes leave one by one uses a single meeting, since each
//     further divergence has the same meeting point.
//  2. Smallest pc first. Of the groups that can run, the one furthest behind in the text runs until
//     it has caught up. Groups on their way to the same meeting that come to the same pc merge,
//     also where there is no post-dominator because some path returns early.
//
//     pc 10  bra (lanes 0-15 to 30)      meeting {pc 40, expected 0-31}
//     pc 11  lanes 16-31 run to 40       arrive, wait
//     pc 30  lanes 0-15 run to 40        arrive; all there, go on together
//
// Lanes that must wait, at a barrier of the CTA or until other lanes of the warp have come to the
// same instruction, leave the groups that can run and keep their meeting; when they go on they are
// a group again and join others as any group does. When a lane exits, those that wait for lanes of
// the warp look again at their instruction whether it was the last one missing.
//
// The order is a function of the program and its data alone, so runs repeat exactly. Rejected: a
// stack of masks as in old hardware, because lanes that wait for others of their warp (a spin lock,
// a barrier in one branch) need groups that run in any order.

#include "runtime/sim/Divergence.h"

#include <algorithm>
#include <cassert>

namespace trowel::sim {

void Divergence::start(Mask lanes) {
  current = {0, lanes, -1};
  others.clear();
  stopped.clear();
  meetings.clear();
  living = lanes;
  alone = true;
}

void Divergence::split(Mask taken, std::uint32_t target, std::uint32_t otherwise,
                       std::uint32_t reconvergence) {
  assert(taken != 0 && (taken & ~current.mask) == 0 && taken != current.mask);
  int meeting = openMeeting(reconvergence, current.mask, current.meeting);
  LaneGroup rest = {otherwise, current.mask & ~taken, meeting};
  current.mask = 0;
  add({target, taken, meeting});
  add(rest);
  settle();
}

void Divergence::scatter(const std::uint32_t (&targets)[lanesPerWarp],
                         std::uint32_t reconvergence) {
  Mask left = current.mask;
  int meeting = openMeeting(reconvergence, left, current.meeting);
  current.mask = 0;
  while (left != 0) {
    std::uint32_t target = targets[__builtin_ctz(left)];
    Mask same = 0;
    for (unsigned lane = 0; lane < lanesPerWarp; ++lane)
      if (left >> lane & 1 && targets[lane] == target)
        same |= Mask{1} << lane;
    left &= ~same;
    add({target, same, meeting});
  }
  settle();
}

void Divergence::exit(Mask lanes, std::uint32_t pc) {
  living &= ~lanes;
  int meeting = current.meeting;
  current.mask &= ~lanes;
  current.pc = pc;
  // Those that wait for these lanes wait no longer.
  while (meeting >= 0) {
    int parent = meetings[static_cast<std::size_t>(meeting)].parent;
    meetings[static_cast<std::size_t>(meeting)].expected &= ~lanes;
    completeIfAllThere(meeting);
    meeting = parent;
  }
  for (WaitingLanes &group : stopped)
    if (group.barrier == WaitingLanes::ofTheWarp && (group.members & lanes) != 0)
      group.group.pc = group.instruction;
  resumeIf([&](const WaitingLanes &group) {
    return group.barrier == WaitingLanes::ofTheWarp && (group.members & lanes) != 0;
  });
  settle();
}

void Divergence::wait(Mask lanes, std::uint32_t instruction, std::uint32_t pc, int barrier,
                      Mask members) {
  assert(lanes != 0 && (lanes & ~current.mask) == 0);
  stopped.push_back({{pc, lanes, current.meeting}, instruction, barrier, members});
  current.mask &= ~lanes;
  alone = false;
}

template <class Test> void Divergence::resumeIf(Test test) {
  for (std::size_t i = 0; i < stopped.size();) {
    if (!test(stopped[i])) {
      ++i;
      continue;
    }
    LaneGroup group = stopped[i].group;
    stopped.erase(stopped.begin() + static_cast<std::ptrdiff_t>(i));
    add(group);
    alone = false;
  }
}

void Divergence::resume(int barrier) {
  resumeIf([&](const WaitingLanes &group) { return group.barrier == barrier; });
  if (current.mask == 0)
    settle();
}

void Divergence::resumeOfWarp(Mask lanes) {
  resumeIf([&](const WaitingLanes &group) {
    return group.barrier == WaitingLanes::ofTheWarp && (group.group.mask & ~lanes) == 0;
  });
}

std::vector<LaneGroup> Divergence::atMeetings() const {
  std::vector<LaneGroup> groups;
  for (const Meeting &meeting : meetings)
    if (meeting.used && meeting.arrived != 0)
      groups.push_back({meeting.pc, meeting.arrived, meeting.parent});
  return groups;
}

int Divergence::openMeeting(std::uint32_t pc, Mask expected, int parent) {
  if (pc == noInstruction)
    return parent;
  if (parent >= 0 && meetings[static_cast<std::size_t>(parent)].pc == pc)
    return parent;
  auto free = std::find_if(meetings.begin(), meetings.end(),
                           [](const Meeting &meeting) { return !meeting.used; });
  if (free == meetings.end())
    free = meetings.insert(free, Meeting{});
  *free = {pc, expected, 0, parent, true};
  return static_cast<int>(free - meetings.begin());
}

/// Puts a group that is not running where it belongs: into its meeting if it is there, else among
/// the others.
void Divergence::add(LaneGroup group) {
  if (group.meeting >= 0) {
    Meeting &meeting = meetings[static_cast<std::size_t>(group.meeting)];
    if (meeting.pc == group.pc) {
      meeting.arrived |= group.mask;
      completeIfAllThere(group.meeting);
      return;
    }
  }
  for (LaneGroup &other : others)
    if (other.pc == group.pc && other.meeting == group.meeting) {
      other.mask |= group.mask;
      return;
    }
  others.push_back(group);
}

void Divergence::completeIfAllThere(int index) {
  Meeting &meeting = meetings[static_cast<std::size_t>(index)];
  if (meeting.arrived != meeting.expected)
    return;
  meeting.used = false;
  if (meeting.arrived != 0)
    add({meeting.pc, meeting.arrived, meeting.parent});
}

/// Chooses the group to run.
void Divergence::settle() {
  if (current.mask != 0) {
    LaneGroup running = current;
    current.mask = 0;
    add(running);
  }
  if (others.empty()) {
    current = {};
    return;
  }
  auto first = std::min_element(others.begin(), others.end(),
                                [](const LaneGroup &a, const LaneGroup &b) { return a.pc < b.pc; });
  current = *first;
  *first = others.back();
  others.pop_back();
  alone = others.empty() && current.meeting < 0;
}

} // namespace trowel::sim
