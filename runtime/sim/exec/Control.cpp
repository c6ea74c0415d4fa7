// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches, returns and traps.
//
// A branch moves the running group itself (Divergence.cpp): whole if its lanes agree, else in two
// parts that meet at the post-dominator. The mask that a handler gets is what its guard leaves of
// the running group; when it is empty the handler is not called and the group falls through. `.uni`
// promises that the lanes agree; nothing depends on it, so it is not checked.

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

constexpr OpcodeRow rows[] = {
    {"bra", decodeBranch}, {"brx", decodeBranchIndexed}, {"ret", decodeExit},
    {"exit", decodeExit},  {"trap", decodeTrap},
};

} // namespace

std::span<const OpcodeRow> controlOpcodes() { return rows; }

} // namespace trowel::sim::exec
