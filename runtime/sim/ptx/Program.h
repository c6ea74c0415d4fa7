// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A decoded entry: what the machine executes.
#pragma once

#include "runtime/sim/ptx/Syntax.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace trowel::sim {

struct Warp;
struct Instruction;

constexpr unsigned lanesPerWarp = 32;
/// One bit a lane.
using Mask = std::uint32_t;
constexpr Mask allLanes = 0xffffffffu;
/// Byte offset of a register in a warp's register file.
using Slot = std::uint32_t;
/// Executes one instruction for the lanes of `mask`, which is never empty.
using Handler = void (*)(Warp &warp, const Instruction &instruction, Mask mask);

constexpr std::uint32_t noInstruction = ~0u;
constexpr Slot noGuard = ~0u;

/// Where control may go behind an instruction. Anything but Next ends its block.
enum class Flow : std::uint8_t { Next, Branch, Table, Exit, Block };

struct Instruction {
  Handler execute = nullptr;
  /// Operands: destinations first, then sources in the order of the text.
  const Slot *slots = nullptr;
  Slot guard = noGuard;
  bool guardNegated = false;
  Flow flow = Flow::Next;
  /// Small choices of the family, such as a rounding mode or a number of elements.
  std::uint8_t choice[4] = {0, 0, 0, 0};
  /// Its own position in Program::instructions.
  std::uint32_t index = 0;
  /// A branch's target, or the index of what the family keeps in a side table of the Program.
  std::uint32_t target = 0;
  /// Where lanes that part here meet again: the immediate post-dominator, or noInstruction.
  std::uint32_t reconvergence = noInstruction;
  /// An address offset, a lookup table and the like.
  std::int64_t immediate = 0;
};

/// What messages and counters say about an instruction.
struct InstructionInfo {
  std::string opcode;
  std::uint32_t ptxLine = 0;
  std::string file;
  int line = 0;
  /// Why it cannot be executed; empty if it can.
  std::string unknown;
};

/// How the bits that hold no value go from an instruction's sources to its results (Shadow.cpp).
enum class ShadowRule : std::uint8_t {
  Combine,
  Halves,
  Move,
  And,
  Or,
  Bitwise,
  Shuffle,
  AnyLane,
  Use,
  Access
};

/// An instruction's operands, for who follows values through them.
struct Operands {
  /// In Program::slots and slotBits.
  std::uint32_t first = 0;
  std::uint8_t count = 0;
  /// The first ones are destinations.
  std::uint8_t destinations = 0;
  ShadowRule rule = ShadowRule::Combine;
  /// Move: which sources are moved, the first in bit 0; the others say where.
  std::uint8_t moved = 0;
};

/// A variable in shared or local memory.
struct PlacedVariable {
  std::string name;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

/// Instructions [begin, end) that execute together; control enters at the first.
struct BasicBlock {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::vector<std::uint32_t> successors;
  /// Index of the block that every path from here to an exit passes next, or noInstruction.
  std::uint32_t postDominator = noInstruction;
};

/// A load, store or atomic: what does not change from execution to execution.
struct MemoryAccess {
  std::uint32_t instruction = 0;
  ptx::Space space = ptx::Space::Generic;
  bool store = false;
  bool atomic = false;
  /// An atomic whose new value depends on the old one.
  bool readsOld = false;
  std::uint8_t elementBytes = 4;
  std::uint8_t elements = 1;
};

/// Bytes that one lane moves.
inline unsigned accessBytes(const MemoryAccess &access) {
  return unsigned{access.elementBytes} * access.elements;
}

/// Values that differ between lanes, warps or CTAs and are put into registers when a warp starts.
enum class Special : std::uint8_t {
  TidX,
  TidY,
  TidZ,
  NtidX,
  NtidY,
  NtidZ,
  CtaidX,
  CtaidY,
  CtaidZ,
  NctaidX,
  NctaidY,
  NctaidZ,
  LaneId,
  WarpId,
  NumWarps,
  SmId,
  NumSms,
  GridId,
  LaneMaskEq,
  LaneMaskLe,
  LaneMaskLt,
  LaneMaskGe,
  LaneMaskGt,
  DynamicSharedBytes,
  TotalSharedBytes,
  // Read when executed:
  Clock,
  ClockHigh,
  Clock64,
  GlobalTimer,
  GlobalTimerLow,
  GlobalTimerHigh,
};

struct SpecialRegister {
  Special special;
  Slot slot;
};

struct Parameter {
  std::string name;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

struct Program {
  std::string kernel;
  std::vector<Instruction> instructions;
  std::vector<InstructionInfo> infos;
  /// One an instruction.
  std::vector<Operands> operands;
  std::vector<Slot> slots;
  /// The width of the operand in each slot; 1 for a predicate.
  std::vector<std::uint8_t> slotBits;
  std::vector<BasicBlock> blocks;
  /// Block of each instruction.
  std::vector<std::uint32_t> blockOf;
  std::vector<MemoryAccess> accesses;
  std::vector<std::vector<std::uint32_t>> branchTables;

  /// A warp's register file as it starts: constants in place, registers filled with ones.
  std::vector<std::uint32_t> registerImage;
  std::vector<SpecialRegister> specials;

  std::vector<Parameter> parameters;
  std::uint64_t parameterBytes = 0;
  std::uint64_t staticSharedBytes = 0;
  /// In the order of their offsets; dynamic shared memory has none.
  std::vector<PlacedVariable> sharedVariables, localVariables;
  std::uint64_t localBytesPerThread = 0;
  /// Registers declared and used, of any width; a figure for people, not the hardware's.
  std::uint32_t registersUsed = 0;
  /// CTAs must run one after the other, so that results do not depend on the host's threads.
  bool ordered = false;
  std::array<std::uint32_t, 3> requiredThreads{0, 0, 0};
  std::array<std::uint32_t, 3> maximumThreads{0, 0, 0};
};

} // namespace trowel::sim
