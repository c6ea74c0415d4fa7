// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The barriers of a CTA: who has arrived, who is awaited, what the arrivals sum to.
//
// A barrier is a set of threads that grows until it is complete, and then empty again:
//
//   barrier.sync a       complete when every thread of the CTA that has not exited is there
//   barrier.sync a, b    complete when b threads are there, whoever they are
//
// Threads that wait are resumed then; those that only arrived had gone on. Hardware counts warps: a
// warp counts as 32 threads once all its lanes that have not exited are there, so that a last warp
// of 7 threads and one of which lanes returned early complete a barrier that counts threads. Until
// then a warp of which some lanes are elsewhere counts as the lanes that came.
//
// The arrivals of one round must agree: the same number of threads, either all with a reduction or
// none. Hardware does not look and hangs or passes early; here each disagreement is a finding, and
// so is a thread that arrives twice in one round, since it takes the place of one that is still
// missing.
//
// Memory is sequentially consistent here, so the ordering that a barrier gives comes by itself.

#include "runtime/sim/Barriers.h"

#include "runtime/sim/Findings.h"
#include "runtime/sim/Machine.h"
#include "runtime/sim/exec/Lanes.h"

#include <fmt/format.h>

#include <algorithm>

namespace trowel::sim {

namespace {

std::uint32_t threadsOf(const Cta &cta) {
  return static_cast<std::uint32_t>(cta.warps.size()) * lanesPerWarp;
}

std::string threadsText(bool wholeCta, std::uint32_t threads) {
  return wholeCta ? "all threads of the program" : fmt::format("{} threads", threads);
}

std::uint32_t count(Mask lanes) { return static_cast<std::uint32_t>(__builtin_popcount(lanes)); }

} // namespace

void Barriers::prepare(std::size_t warpCount) {
  for (Barrier &barrier : all)
    barrier.arrived.resize(warpCount);
}

void Barriers::arrive(Warp &warp, const Instruction &instruction, Mask lanes,
                      const BarrierArrival &arrival) {
  Cta &cta = *warp.cta;
  Barrier &barrier = all[arrival.barrier];
  std::uint32_t threads = arrival.threads == 0 ? threadsOf(cta) : arrival.threads;
  bool wholeCta = arrival.threads == 0;
  auto refuse = [&](Mask who, const char *kind, const std::string &what, const char *advice) {
    raise(warp, instruction, who, driver::cudaErrorLaunchFailed, kind, what, advice);
  };
  if (!(active >> arrival.barrier & 1)) {
    active |= 1u << arrival.barrier;
    std::fill(barrier.arrived.begin(), barrier.arrived.end(), Mask{0});
    barrier.threads = threads;
    barrier.wholeCta = false;
    barrier.operation = arrival.operation;
    barrier.sum = arrival.operation == BarrierOperation::And;
    barrier.first = instruction.index;
  }
  const InstructionInfo &first = cta.program->infos[barrier.first];
  if (barrier.threads != threads)
    refuse(lanes, "barrier-count",
           fmt::format("waits for {} at barrier {}, where {} (PTX line {}) waits for {},",
                       threadsText(wholeCta, threads), arrival.barrier, first.opcode, first.ptxLine,
                       threadsText(barrier.wholeCta, barrier.threads)),
           "all that meet at a barrier must name the same number of threads");
  if (barrier.operation != arrival.operation)
    refuse(lanes, "barrier-mixed",
           fmt::format("arrives at barrier {}, where {} (PTX line {}) waits,", arrival.barrier,
                       first.opcode, first.ptxLine),
           "a reduction at a barrier is not mixed with another operation in one round");
  Mask &arrived = barrier.arrived[warp.index];
  if ((arrived & lanes) != 0)
    refuse(
        arrived & lanes, "barrier-twice",
        fmt::format("arrives at barrier {} a second time before it is complete", arrival.barrier),
        "wait, at this or another barrier, until the round is over");
  barrier.wholeCta |= wholeCta;
  arrived |= lanes;
  Mask holds = arrival.predicate & lanes;
  switch (arrival.operation) {
  case BarrierOperation::None:
    break;
  case BarrierOperation::Count:
    barrier.sum += count(holds);
    break;
  case BarrierOperation::And:
    barrier.sum &= holds == lanes;
    break;
  case BarrierOperation::Or:
    barrier.sum |= holds != 0;
    break;
  }
  if (!barrier.wholeCta && arrivedThreads(cta, barrier) > barrier.threads)
    refuse(lanes, "barrier-count",
           fmt::format("is one of {} threads that arrive at barrier {}, which waits for {},",
                       arrivedThreads(cta, barrier), arrival.barrier, barrier.threads),
           "the number of threads must be that of the warps that meet, times 32");
  if (everybodyIsThere(cta, barrier))
    complete(cta, arrival.barrier);
}

std::uint32_t Barriers::arrivedThreads(const Cta &cta, const Barrier &barrier) const {
  std::uint32_t threads = 0;
  for (const Warp &warp : cta.warps) {
    Mask arrived = barrier.arrived[warp.index];
    bool whole = arrived != 0 && (warp.lanes.alive() & ~arrived) == 0;
    threads += whole ? lanesPerWarp : count(arrived);
  }
  return threads;
}

bool Barriers::everybodyIsThere(const Cta &cta, const Barrier &barrier) const {
  if (!barrier.wholeCta)
    return arrivedThreads(cta, barrier) == barrier.threads;
  for (const Warp &warp : cta.warps)
    if ((warp.lanes.alive() & ~barrier.arrived[warp.index]) != 0)
      return false;
  return true;
}

void Barriers::lookAgain(Cta &cta) {
  for (std::uint32_t left = active; left != 0; left &= left - 1) {
    auto number = static_cast<std::uint32_t>(__builtin_ctz(left));
    if (everybodyIsThere(cta, all[number]))
      complete(cta, number);
  }
}

void Barriers::complete(Cta &cta, std::uint32_t number) {
  const Barrier &barrier = all[number];
  active &= ~(1u << number);
  for (Warp &warp : cta.warps) {
    bool waits = false;
    for (const WaitingLanes &group : warp.lanes.waiting()) {
      if (group.barrier != static_cast<int>(number))
        continue;
      waits = true;
      Slot result = cta.program->instructions[group.instruction].slots[0];
      if (barrier.operation == BarrierOperation::Count)
        exec::writeLanes<std::uint32_t>(warp.at<std::uint32_t>(result), group.group.mask,
                                        [&](unsigned) { return barrier.sum; });
      else if (barrier.operation != BarrierOperation::None)
        exec::writePredicate(warp, result, group.group.mask, barrier.sum != 0 ? allLanes : 0);
    }
    if (!waits)
      continue;
    warp.lanes.resume(static_cast<int>(number));
    warp.state = WarpState::Ready;
  }
}

std::string Barriers::progress(const Cta &cta, std::uint32_t number) const {
  const Barrier &barrier = all[number];
  std::uint32_t expected = barrier.threads;
  if (barrier.wholeCta) {
    expected = 0;
    for (const Warp &warp : cta.warps)
      expected += count(warp.lanes.alive() | barrier.arrived[warp.index]);
    std::uint32_t there = 0;
    for (Mask arrived : barrier.arrived)
      there += count(arrived);
    return fmt::format("{} of {} threads have arrived", there, expected);
  }
  return fmt::format("{} of {} threads have arrived", arrivedThreads(cta, barrier), expected);
}

} // namespace trowel::sim
