// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How bits without a value pass through an instruction.
//
// A value that nothing wrote may be carried about, packed with others, shifted into place and be
// chosen against; a correct program does so with the parts of a vector that it masks later. So the
// instructions that move bits are followed bit by bit. Everything else combines: its result has no
// value if any bit of a source has none, for packed pairs each half apart. The table lists what
// does not combine; an opcode that is in no row does.
//
// A Move's handler is executed on the shadows of the moved sources, with the true values of the
// others, which say where the bits go (Shadow.cpp). Only handlers that change nothing but their
// results can be rows of that kind.

#include "runtime/sim/ptx/ShadowRules.h"

namespace trowel::sim {

namespace {

struct RuleRow {
  std::string_view root;
  ShadowRule rule;
  std::uint8_t moved = 0;
};

constexpr RuleRow rows[] = {
    // d = a, or its parts; {d, e} = a and d = {a, b} as well
    {"mov", ShadowRule::Move, 0b1111},
    // d, a, amount
    {"shl", ShadowRule::Move, 0b01},
    {"shr", ShadowRule::Move, 0b01},
    // d, low, high, amount
    {"shf", ShadowRule::Move, 0b011},
    // d, a, b, selector
    {"prmt", ShadowRule::Move, 0b011},
    {"selp", ShadowRule::Move, 0b011},
    {"slct", ShadowRule::Move, 0b011},
    // d, a, position, length; d, a, b, position, length
    {"bfe", ShadowRule::Move, 0b001},
    {"bfi", ShadowRule::Move, 0b0011},
    // A zero that has a value decides an and, a one an or.
    {"and", ShadowRule::And},
    {"or", ShadowRule::Or},
    {"xor", ShadowRule::Bitwise},
    {"not", ShadowRule::Bitwise},
    {"lop3", ShadowRule::Bitwise},
    // d, p, a, lane, clamp, members: a moves between lanes.
    {"shfl", ShadowRule::Shuffle, 0b0001},
    // One result from all lanes.
    {"vote", ShadowRule::AnyLane},
    {"match", ShadowRule::AnyLane},
    {"redux", ShadowRule::AnyLane},
    // One result from all warps: none may bring what nothing wrote.
    {"bar", ShadowRule::Use},
    {"barrier", ShadowRule::Use},
};

/// cvt between integers and nothing else: it extends or cuts.
bool convertsIntegers(const ptx::Opcode &opcode) {
  if (opcode.root != "cvt" || opcode.modifiers.size() != 2)
    return false;
  for (std::string_view modifier : opcode.modifiers)
    if (modifier[0] != 'u' && modifier[0] != 's')
      return false;
  return true;
}

} // namespace

void chooseShadowRule(const ptx::Opcode &opcode, Operands &operands) {
  if (opcode.root == "mov" && !opcode.modifiers.empty() && opcode.modifiers.back() == "pred")
    return; // it may negate
  for (const RuleRow &row : rows)
    if (row.root == opcode.root) {
      operands.rule = row.rule;
      operands.moved = row.moved;
      return;
    }
  if (convertsIntegers(opcode)) {
    operands.rule = ShadowRule::Move;
    operands.moved = 0b1;
  } else if (opcode.root != "cvt" && opcode.root != "set" && opcode.root != "setp" &&
             !opcode.modifiers.empty() &&
             (opcode.modifiers.back() == "f16x2" || opcode.modifiers.back() == "bf16x2")) {
    operands.rule = ShadowRule::Halves;
  }
}

} // namespace trowel::sim
