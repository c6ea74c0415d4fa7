// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches, returns, traps and broken promises.
//
// A branch moves the running group itself (Divergence.cpp): whole if its lanes agree, else in two
// parts that meet at the post-dominator. The mask that a handler gets is what its guard leaves of
// the running group; when it is empty the handler is not called and the group falls through. `.uni`
// promises that the lanes agree; nothing depends on it, so it is not checked.
//
// promise.true and promise.multiple are no PTX. They stand behind "//@sim " where the author of a
// kernel made a promise, which the code behind relies on.

#include "runtime/sim/Findings.h"
#include "runtime/sim/exec/Lanes.h"
#include "runtime/sim/exec/Table.h"

namespace trowel::sim::exec {

namespace {

void branch(Warp &w, const Instruction &i, Mask m) {
  w.moved = true;
  if (m == w.active)
    w.lanes.advance(i.target);
  else
    w.lanes.split(m, i.target, w.next, i.reconvergence);
}

void decodeBranch(Decoder &decoder) {
  decoder.opcode.take("uni");
  decoder.expectOperands(1);
  if (decoder.operand(0).kind != ptx::Operand::Kind::Name)
    decoder.fail("expected a label behind 'bra'");
  decoder.branchTo(decoder.operand(0).name);
  decoder.finish(branch, Flow::Branch);
}

void branchIndexed(Warp &w, const Instruction &i, Mask m) {
  const std::vector<std::uint32_t> &table = w.cta->program->branchTables[i.target];
  const auto *index = w.at<std::uint32_t>(i.slots[0]);
  std::uint32_t targets[lanesPerWarp];
  Mask outside = 0;
  for (unsigned lane = 0; lane < lanesPerWarp; ++lane) {
    bool jumps = m >> lane & 1;
    if (jumps && index[lane] >= table.size())
      outside |= Mask{1} << lane;
    else
      targets[lane] = jumps ? table[index[lane]] : w.next;
  }
  if (outside != 0)
    raise(w, i, outside, driver::cudaErrorLaunchFailed, "branch-index",
          "jumps by index " + std::to_string(index[__builtin_ctz(outside)]) + " in a table of " +
              std::to_string(table.size()) + " targets",
          "the index must be less than the number of targets");
  w.moved = true;
  w.lanes.scatter(targets, i.reconvergence);
}

void decodeBranchIndexed(Decoder &decoder) {
  if (!decoder.opcode.take("idx"))
    decoder.unknown("form");
  decoder.opcode.take("uni");
  decoder.expectOperands(2);
  decoder.read(decoder.operand(0), ptx::Type::U32);
  if (decoder.operand(1).kind != ptx::Operand::Kind::Name)
    decoder.fail("expected the name of a .branchtargets list");
  decoder.branchTable(decoder.operand(1).name);
  decoder.finish(branchIndexed, Flow::Table);
}

void exitThreads(Warp &w, const Instruction &, Mask m) {
  w.moved = true;
  w.lanes.exit(m, w.next);
}

/// Calls are not executed, so a return is the end of the thread.
void decodeExit(Decoder &decoder) {
  decoder.opcode.take("uni");
  decoder.expectOperands(0);
  decoder.finish(exitThreads, Flow::Exit);
}

void trap(Warp &w, const Instruction &i, Mask m) {
  raise(w, i, m, driver::cudaErrorLaunchFailed, "trap", "was reached");
}

void decodeTrap(Decoder &decoder) {
  decoder.expectOperands(0);
  decoder.finish(trap, Flow::Exit);
}

[[noreturn]] void raiseBrokenPromise(Warp &w, const Instruction &i, Mask lanes,
                                     const std::string &what) {
  raise(w, i, lanes, driver::cudaErrorLaunchFailed, "broken-promise", "is broken: " + what,
        "the code behind it relies on what the kernel promises there");
}

/// choice[0]: the predicate is negated.
void promiseTrue(Warp &w, const Instruction &i, Mask m) {
  Mask holds = w.predicate(i.slots[0]) ^ (i.choice[0] ? allLanes : 0);
  if (Mask broken = m & ~holds)
    raiseBrokenPromise(w, i, broken, "the condition is false");
}

/// choice[0]: the operand has 64 bits; immediate: the divisor, a power of two.
void promiseMultiple(Warp &w, const Instruction &i, Mask m) {
  for (Mask left = m; left != 0; left &= left - 1) {
    auto lane = static_cast<unsigned>(__builtin_ctz(left));
    std::uint64_t number =
        i.choice[0] ? w.at<std::uint64_t>(i.slots[0])[lane] : w.at<std::uint32_t>(i.slots[0])[lane];
    if ((number & static_cast<std::uint64_t>(i.immediate - 1)) != 0)
      raiseBrokenPromise(w, i, Mask{1} << lane,
                         std::to_string(number) + " is not a multiple of " +
                             std::to_string(i.immediate) + ",");
  }
}

void decodePromise(Decoder &decoder) {
  if (decoder.opcode.take("true")) {
    decoder.expectOperands(1);
    decoder.instruction().choice[0] = decoder.readPredicate(decoder.operand(0));
    return decoder.finish(promiseTrue);
  }
  if (!decoder.opcode.take("multiple"))
    decoder.unknown("form");
  ptx::Type type = decoder.takeType();
  decoder.expectOperands(2);
  decoder.read(decoder.operand(0), type);
  const ptx::Operand &divisor = decoder.operand(1);
  auto number = static_cast<std::int64_t>(divisor.bits);
  if (divisor.kind != ptx::Operand::Kind::Integer || number < 1 || (number & (number - 1)) != 0)
    decoder.fail("expected a power of two behind 'promise.multiple'");
  decoder.instruction().choice[0] = ptx::bitWidth(type) == 64;
  decoder.instruction().immediate = number;
  decoder.finish(promiseMultiple);
}

constexpr OpcodeRow rows[] = {
    {"bra", decodeBranch}, {"brx", decodeBranchIndexed}, {"ret", decodeExit},
    {"exit", decodeExit},  {"trap", decodeTrap},         {"promise", decodePromise},
};

} // namespace

std::span<const OpcodeRow> controlOpcodes() { return rows; }

} // namespace trowel::sim::exec
