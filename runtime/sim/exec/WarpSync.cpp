// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions that lanes of a warp execute together, as their member masks say.
//
// shfl.sync, vote.sync and their like name, lane by lane, the lanes that take part. Nearly always
// the whole warp is at the instruction and names itself; that is decided in the header. Otherwise:
//
//  - Lanes of one instruction may name different sets, such as the halves of a warp that each
//    exchange among themselves. Each set is for itself.
//  - A set of which some lanes are elsewhere waits for them, as lanes do at a barrier, while the
//    rest of the warp goes on. Lanes that have exited are not awaited. The last that comes executes
//    the instruction for all; each then goes on in the group it came with.
//  - They must come to the same instruction with the same set. bar.warp.sync alone may be met
//    anywhere. Lanes that can never come together are found when nothing in the CTA can run any
//    more (Deadlock.cpp).
//  - A lane must be a member of its own set.
//
// A waiting instruction counts as executed when it is, once, with all its lanes.

#include "runtime/sim/exec/WarpSync.h"

#include "runtime/sim/Findings.h"
#include "runtime/sim/Shadow.h"
#include "runtime/sim/exec/Table.h"

#include <fmt/format.h>

namespace trowel::sim::exec {

namespace {

/// Lanes of the warp that wait at this instruction for exactly `members`.
Mask waitingFor(const Warp &w, const Instruction &i, Mask members) {
  Mask lanes = 0;
  for (const WaitingLanes &group : w.lanes.waiting()) {
    if (group.barrier != WaitingLanes::ofTheWarp || group.members != members)
      continue;
    const Instruction &there = w.cta->program->instructions[group.instruction];
    if (&there == &i || (i.choice[anyPlaceChoice] && there.execute == i.execute))
      lanes |= group.group.mask;
  }
  return lanes;
}

} // namespace

void exchangeShadows(Warp &w, const Instruction &i, Mask lanes, Exchange exchange) {
  w.shadow->exchange(i, lanes, exchange);
}

void gather(Warp &w, const Instruction &i, Mask m, Exchange exchange) {
  const auto *members = w.at<std::uint32_t>(i.slots[i.choice[memberSlotChoice]]);
  Mask waiting = 0;
  bool moved = false;
  std::uint64_t &threads = w.cta->counters.threadInstructions;
  for (Mask left = m; left != 0;) {
    const Mask set = members[__builtin_ctz(left)];
    const Mask same = left & testLanes([&](unsigned lane) { return members[lane] == set; });
    left &= ~same;
    if ((same & ~set) != 0)
      raise(w, i, same & ~set, driver::cudaErrorLaunchFailed, "not-a-member",
            fmt::format("is executed by lanes that their member mask {:#010x} does not name,", set),
            "each lane must be in its own mask");
    const Mask earlier = waitingFor(w, i, set);
    if ((set & w.lanes.alive() & ~(same | earlier)) != 0) {
      w.lanes.wait(same, i.index, w.next, WaitingLanes::ofTheWarp, set);
      threads -= static_cast<unsigned>(__builtin_popcount(same));
      waiting |= same;
      moved = true;
      continue;
    }
    perform(w, i, same | earlier, exchange);
    if (earlier == 0)
      continue;
    threads += static_cast<unsigned>(__builtin_popcount(earlier));
    w.lanes.resumeOfWarp(earlier);
    moved = true;
  }
  if (waiting == m)
    --w.cta->counters.warpInstructions;
  if (!moved)
    return;
  w.moved = true;
  w.lanes.advance(w.next);
}

void readMembers(Decoder &decoder, const ptx::Operand &operand) {
  decoder.instruction().choice[memberSlotChoice] = static_cast<std::uint8_t>(decoder.slotCount());
  decoder.read(operand, ptx::Type::B32);
}

namespace {
void nothing(Warp &, const Instruction &, Mask) {}
} // namespace

void decodeWarpBarrier(Decoder &decoder) {
  if (!decoder.opcode.take("sync"))
    decoder.unknown("form");
  decoder.expectOperands(1);
  decoder.instruction().choice[anyPlaceChoice] = 1;
  readMembers(decoder, decoder.operand(0));
  decoder.finish(together<nothing>, Flow::Block);
}

} // namespace trowel::sim::exec
