// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The barrier of a CTA.
//
// A warp that arrives is blocked until every warp of the CTA that has not exited waits at the same
// barrier; the scheduler then lets all of them go on (Scheduler.cpp). Memory is sequentially
// consistent here, so the barrier's ordering comes by itself. Lanes arrive together: a warp of
// which some lanes are elsewhere, or whose guard leaves some out, would be counted as a whole by
// the hardware and pass too early, so it is a finding and not a barrier.
//
// Only barriers of the whole CTA are known; those that count threads are reported when executed.

#include "runtime/sim/Findings.h"
#include "runtime/sim/exec/Lanes.h"
#include "runtime/sim/exec/Table.h"

#include <string>

namespace trowel::sim::exec {

namespace {

constexpr std::uint32_t barriersPerCta = 16;

void synchronize(Warp &w, const Instruction &i, Mask m) {
  if (m != w.lanes.alive())
    raise(w, i, w.lanes.alive() & ~m, driver::cudaErrorLaunchFailed, "divergent-barrier",
          "is missed, while other lanes of the warp reach it,",
          "a barrier must not stand under a condition on which the lanes differ");
  auto barrier = static_cast<std::uint32_t>(i.immediate);
  w.barrier = barrier;
  w.state = WarpState::Blocked;
  w.moved = true;
  w.lanes.advance(w.next);
}

/// bar.sync 0; barrier.sync 0; barrier.cta.sync.aligned 0
void decodeBarrier(Decoder &decoder) {
  decoder.opcode.take("cta");
  if (!decoder.opcode.take("sync"))
    decoder.unknown("form");
  decoder.opcode.take("aligned");
  decoder.expectOperands(1, 2);
  if (decoder.operandCount() != 1)
    decoder.unknown("a barrier that counts threads");
  const ptx::Operand &barrier = decoder.operand(0);
  if (barrier.kind != ptx::Operand::Kind::Integer)
    decoder.unknown("a barrier chosen at run time");
  if (barrier.bits >= barriersPerCta)
    decoder.fail("a CTA has the barriers 0 to " + std::to_string(barriersPerCta - 1));
  decoder.instruction().immediate = static_cast<std::int64_t>(barrier.bits);
  decoder.finish(synchronize, Flow::Block);
}

constexpr OpcodeRow rows[] = {
    {"bar", decodeBarrier},
    {"barrier", decodeBarrier},
};

} // namespace

std::span<const OpcodeRow> barrierOpcodes() { return rows; }

} // namespace trowel::sim::exec
