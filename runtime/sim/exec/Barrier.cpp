// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bar and barrier: arrive, wait, reduce.
//
//   bar.sync a{, b}                barrier.cta.sync.aligned, also without .aligned
//   bar.arrive a, b                goes on at once
//   bar.red.popc.u32 d, a{, b}, p  waits, and gives all the number of threads whose p holds
//   bar.red.and.pred q, a{, b}, p
//
// What a barrier is lies in Barriers.cpp; here lanes arrive. `bar` and `.aligned` promise that the
// lanes of a warp come together with the same operands. Hardware counts such a warp as a whole
// whatever its lanes do, and passes too early if some are elsewhere: then it is a finding and not a
// barrier. Without the promise each lane arrives by itself, and lanes of one instruction may even
// name different barriers.

#include "runtime/sim/Findings.h"
#include "runtime/sim/exec/Lanes.h"
#include "runtime/sim/exec/Table.h"
#include "runtime/sim/exec/WarpSync.h"

#include <fmt/format.h>

namespace trowel::sim::exec {

using ptx::Operand;
using ptx::Type;

namespace {

// Slots: {d,} a, b{, p}.
enum Choice { Operation, Aligned, Waits, Negated };

[[noreturn]] void refuse(Warp &w, const Instruction &i, Mask lanes, const char *kind,
                         const std::string &what, const std::string &more) {
  raise(w, i, lanes, driver::cudaErrorLaunchFailed, kind, what, more);
}

void checkArrival(Warp &w, const Instruction &i, Mask lanes, const BarrierArrival &arrival) {
  if (arrival.barrier >= barriersPerCta)
    refuse(w, i, lanes, "barrier-number", fmt::format("names barrier {}", arrival.barrier),
           fmt::format("a program has the barriers 0 to {}", barriersPerCta - 1));
  auto threads = static_cast<std::uint32_t>(w.cta->warps.size()) * lanesPerWarp;
  if (arrival.threads == 0 && !i.choice[Waits])
    refuse(w, i, lanes, "barrier-count", "counts 0 threads",
           "to arrive without waiting, name the number of all threads that meet");
  if (arrival.threads % lanesPerWarp != 0)
    refuse(w, i, lanes, "barrier-count", fmt::format("counts {} threads", arrival.threads),
           fmt::format("the number must be a multiple of {}", lanesPerWarp));
  if (arrival.threads > threads)
    refuse(w, i, lanes, "barrier-count",
           fmt::format("counts {} threads, more than the {} of the program,", arrival.threads,
                       threads),
           "they can never all arrive");
}

void arrive(Warp &w, const Instruction &i, Mask m) {
  if (i.choice[Aligned] && m != w.lanes.alive())
    refuse(w, i, w.lanes.alive() & ~m, "divergent-barrier",
           "is missed, while other lanes of the warp reach it,",
           "a barrier must not stand under a condition on which the lanes differ");
  auto operation = static_cast<BarrierOperation>(i.choice[Operation]);
  const Slot *slots = i.slots + (operation == BarrierOperation::None ? 0 : 1);
  const auto *numbers = w.at<std::uint32_t>(slots[0]), *threads = w.at<std::uint32_t>(slots[1]);
  struct Arrivals {
    Mask lanes;
    BarrierArrival arrival;
  };
  Arrivals arrivals[lanesPerWarp];
  unsigned count = 0;
  for (Mask left = m; left != 0; ++count) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(left));
    BarrierArrival arrival{numbers[lane], threads[lane], operation, 0};
    if (operation != BarrierOperation::None)
      arrival.predicate = w.predicate(slots[2]) ^ (i.choice[Negated] ? allLanes : 0);
    Mask same = left & testLanes([&](unsigned other) {
                  return numbers[other] == numbers[lane] && threads[other] == threads[lane];
                });
    if (i.choice[Aligned] && same != m)
      refuse(w, i, m & ~same, "barrier-operand",
             fmt::format("names another barrier or number of threads than lane {}", lane),
             "the lanes of a warp must agree, or use barrier without .aligned");
    checkArrival(w, i, same, arrival);
    arrivals[count] = {same, arrival};
    left &= ~same;
  }
  if (i.choice[Waits]) {
    for (unsigned at = 0; at < count; ++at)
      w.lanes.wait(arrivals[at].lanes, i.index, w.next,
                   static_cast<int>(arrivals[at].arrival.barrier), 0);
    w.moved = true;
    w.lanes.advance(w.next);
  }
  for (unsigned at = 0; at < count; ++at)
    w.cta->barriers.arrive(w, i, arrivals[at].lanes, arrivals[at].arrival);
}

void readThreads(Decoder &decoder, const Operand &operand) {
  if (operand.kind == Operand::Kind::Integer && operand.bits % lanesPerWarp != 0)
    decoder.fail(
        fmt::format("the number of threads at a barrier must be a multiple of {}, found {}",
                    lanesPerWarp, operand.bits));
  decoder.read(operand, Type::U32);
}

void readBarrier(Decoder &decoder, const Operand &operand) {
  if (operand.kind == Operand::Kind::Integer && operand.bits >= barriersPerCta)
    decoder.fail(fmt::format("a CTA has the barriers 0 to {}", barriersPerCta - 1));
  decoder.read(operand, Type::U32);
}

struct ReductionRow {
  const char *modifier;
  BarrierOperation operation;
  Type type;
};
constexpr ReductionRow reductions[] = {
    {"popc", BarrierOperation::Count, Type::U32},
    {"and", BarrierOperation::And, Type::Pred},
    {"or", BarrierOperation::Or, Type::Pred},
};

void decodeReduction(Decoder &decoder) {
  Instruction &instruction = decoder.instruction();
  const ReductionRow *row = nullptr;
  for (const ReductionRow &candidate : reductions)
    if (decoder.opcode.take(candidate.modifier))
      row = &candidate;
  if (!row || decoder.takeType() != row->type)
    decoder.unknown("form");
  instruction.choice[Operation] = static_cast<std::uint8_t>(row->operation);
  decoder.expectOperands(3, 4);
  if (row->operation == BarrierOperation::Count)
    decoder.write(decoder.operand(0), Type::U32);
  else
    decoder.writePredicate(decoder.operand(0));
  readBarrier(decoder, decoder.operand(1));
  if (decoder.operandCount() == 4)
    readThreads(decoder, decoder.operand(2));
  else
    decoder.readConstant(0, 32);
  instruction.choice[Negated] = decoder.readPredicate(decoder.operand(decoder.operandCount() - 1));
  decoder.finish(arrive, Flow::Block);
}

void decodeBarrier(Decoder &decoder) {
  if (decoder.opcode.take("warp"))
    return decodeWarpBarrier(decoder);
  if (decoder.opcode.take("cluster"))
    decoder.unknown("a barrier of a cluster");
  decoder.opcode.take("cta");
  Instruction &instruction = decoder.instruction();
  instruction.choice[Aligned] = decoder.opcode.root == "bar" || decoder.opcode.take("aligned");
  instruction.choice[Waits] = !decoder.opcode.take("arrive");
  if (decoder.opcode.take("red"))
    return decodeReduction(decoder);
  if (instruction.choice[Waits] && !decoder.opcode.take("sync"))
    decoder.unknown("form");
  decoder.expectOperands(instruction.choice[Waits] ? 1 : 2, 2);
  readBarrier(decoder, decoder.operand(0));
  if (decoder.operandCount() == 2)
    readThreads(decoder, decoder.operand(1));
  else
    decoder.readConstant(0, 32);
  decoder.finish(arrive, Flow::Block);
}

constexpr OpcodeRow rows[] = {
    {"bar", decodeBarrier},
    {"barrier", decodeBarrier},
};

} // namespace

std::span<const OpcodeRow> barrierOpcodes() { return rows; }

} // namespace trowel::sim::exec
