// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows what was read from memory that nothing wrote to where it is used.
//
// Reading such memory is no mistake yet: a correct program may load a whole vector of which it
// wants a part, and choose between what it loaded and a fill. The mistake is to let the result
// depend on it, that is to use it as an address, to branch on it, to let it guard an instruction,
// to store it to global memory or to update memory atomically with it. So the bits without a value
// are followed through the registers and through shared and local memory, and a finding names the
// load that they come from and the instruction that uses them. After it they count as values: one
// mistake is told once.
//
// Almost no program needs this, so it must cost nothing until then. A warp has a Shadow only from
// its first load of bytes without a value on. That load ends the machine's plain loop (Warp::stop)
// and the rest of the warp's instructions are executed here: first what happens to the shadow, then
// the instruction itself. What happens is one of a few rules (ptx/ShadowRules.cpp).
//
// Instructions that move bits need no second implementation. Their handler is executed once more
// with the shadows of its sources in the place of their values, and what it writes is the shadow of
// the result: a shift shifts it, a sign is extended, a permutation permutes it. Loads and stores
// work the same way with their addresses turned to a small buffer that holds the shadow of the
// bytes in memory.
//
// In memory a byte of which any bit has no value has none. Not followed: the carry flag, and the
// old value of an atomic exchange.

#include "runtime/sim/Shadow.h"

#include "runtime/sim/Findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace trowel::sim {

using ptx::Space;

namespace {

constexpr unsigned wordBytes = sizeof(std::uint32_t);

/// Words that an operand takes for each lane.
unsigned wordsPerLane(unsigned bits) { return bits <= 32 ? 1 : bits / 32; }
unsigned wordCount(unsigned bits) { return bits == 1 ? 1 : lanesPerWarp * wordsPerLane(bits); }
std::uint32_t fullWord(unsigned bits) { return bits < 32 ? (1u << bits) - 1 : ~0u; }

/// An instruction's operands, destinations first.
struct OperandList {
  const Slot *slots;
  const std::uint8_t *bits;
  unsigned destinations, count;

  OperandList(const Program &program, const Instruction &instruction) {
    const Operands &operands = program.operands[instruction.index];
    slots = instruction.slots;
    bits = program.slotBits.data() + operands.first;
    destinations = operands.destinations;
    count = operands.count;
  }
};

/// Takes over the lanes of `mask` from `from`.
void mergeLanes(std::uint32_t *to, const std::uint32_t *from, unsigned bits, Mask mask) {
  if (bits == 1) {
    *to = (*to & ~mask) | (*from & mask);
    return;
  }
  unsigned words = wordsPerLane(bits);
  for (Mask left = mask; left != 0; left &= left - 1) {
    auto lane = static_cast<unsigned>(__builtin_ctz(left));
    std::copy_n(from + lane * words, words, to + lane * words);
  }
}

} // namespace

Shadow::Shadow(Warp &warp, std::size_t registerBytes, std::size_t accessCount)
    : warp(warp), program(*warp.cta->program), words(registerBytes / wordBytes),
      originOf(registerBytes / 16), origins(accessCount) {}

std::uint64_t Shadow::run(const Instruction *begin, const Instruction *end, Mask active) {
  finishLoad(); // the one with which it began
  std::uint64_t threads = 0;
  for (const Instruction *instruction = begin; instruction != end; ++instruction) {
    Mask mask = active;
    if (instruction->guard != noGuard) {
      checkGuard(*instruction, active);
      Mask guard = warp.predicate(instruction->guard);
      mask &= instruction->guardNegated ? ~guard : guard;
      if (mask == 0)
        continue;
    }
    threads += static_cast<unsigned>(__builtin_popcount(mask));
    step(*instruction, mask);
  }
  return threads;
}

void Shadow::step(const Instruction &instruction, Mask mask) {
  const Operands &operands = program.operands[instruction.index];
  if (operands.rule == ShadowRule::Access)
    return access(instruction, mask);
  OperandList list(program, instruction);
  if (operands.rule == ShadowRule::Shuffle || operands.rule == ShadowRule::AnyLane) {
    unsigned members = list.count - 1;
    use(instruction, list.slots[members], list.bits[members], mask,
        "waits for lanes that it names");
    return instruction.execute(warp, instruction, mask); // which calls exchange()
  }
  if (instruction.flow == Flow::Table)
    checkSources(instruction, mask, "branches on it");
  if (operands.rule == ShadowRule::Use)
    checkSources(instruction, mask, "gives it to other warps");
  Mask missing = 0, unmovable = 0;
  std::uint32_t origin = 0;
  for (unsigned i = list.destinations; i < list.count; ++i) {
    Mask here = missingLanes(list.slots[i], list.bits[i], mask);
    if (here != 0 && missing == 0)
      origin = originOf[list.slots[i] / 16];
    missing |= here;
    if ((operands.moved >> (i - list.destinations) & 1) == 0)
      unmovable |= here;
  }
  ShadowRule rule = missing == 0 ? ShadowRule::Combine : operands.rule;
  Mask whole = missing;
  switch (rule) {
  case ShadowRule::Move:
    executeOnShadows(instruction, mask, operands.moved, instruction.execute);
    whole = unmovable;
    break;
  case ShadowRule::Halves:
  case ShadowRule::And:
  case ShadowRule::Or:
  case ShadowRule::Bitwise:
    combineBits(instruction, mask);
    whole = 0;
    break;
  default:
    for (unsigned i = 0; i < list.destinations; ++i)
      setLanes(list.slots[i], list.bits[i], mask & ~missing, false);
    break;
  }
  for (unsigned i = 0; i < list.destinations; ++i) {
    setLanes(list.slots[i], list.bits[i], whole, true);
    if (missing != 0)
      originOf[list.slots[i] / 16] = origin;
  }
  instruction.execute(warp, instruction, mask);
}

void Shadow::exchange(const Instruction &instruction, Mask lanes, Handler exchange) {
  const Operands &operands = program.operands[instruction.index];
  OperandList list(program, instruction);
  Mask missing = 0, unmovable = 0;
  std::uint32_t origin = 0;
  for (unsigned i = list.destinations; i < list.count; ++i) {
    Mask here = missingLanes(list.slots[i], list.bits[i], lanes);
    if (here != 0 && missing == 0)
      origin = originOf[list.slots[i] / 16];
    missing |= here;
    if (i != list.destinations)
      unmovable |= here;
  }
  bool shuffles = operands.rule == ShadowRule::Shuffle;
  if (missing != 0 && shuffles)
    executeOnShadows(instruction, lanes, operands.moved, exchange);
  for (unsigned i = 0; i < list.destinations; ++i) {
    // The second result of a shuffle says only whether there was a source.
    if (missing == 0 || !shuffles || i != 0)
      setLanes(list.slots[i], list.bits[i], lanes, false);
    setLanes(list.slots[i], list.bits[i], shuffles ? unmovable : missing != 0 ? lanes : 0, true);
    if (missing != 0)
      originOf[list.slots[i] / 16] = origin;
  }
}

Mask Shadow::missingLanes(Slot slot, unsigned bits, Mask mask) {
  const std::uint32_t *shadow = shadowAt(slot);
  if (bits == 1)
    return *shadow & mask;
  Mask result = 0;
  unsigned count = wordsPerLane(bits);
  for (unsigned lane = 0; lane < lanesPerWarp; ++lane) {
    std::uint32_t any = 0;
    for (unsigned word = 0; word < count; ++word)
      any |= shadow[lane * count + word];
    result |= Mask{any != 0} << lane;
  }
  return result & mask;
}

void Shadow::setLanes(Slot slot, unsigned bits, Mask lanes, bool missing) {
  std::uint32_t filling = !missing ? 0 : bits == 1 ? ~0u : fullWord(bits);
  std::uint32_t all[4 * lanesPerWarp];
  std::fill(std::begin(all), std::end(all), filling);
  mergeLanes(shadowAt(slot), all, bits, lanes);
}

/// Executes the handler with the shadows of the `moved` sources as their values; what it writes
/// becomes the shadow of the destinations.
void Shadow::executeOnShadows(const Instruction &instruction, Mask mask, unsigned moved,
                              Handler handler) {
  OperandList list(program, instruction);
  struct Saved {
    Slot slot;
    std::uint32_t words[4 * lanesPerWarp];
  };
  std::vector<Saved> saved(list.count);
  for (unsigned i = 0; i < list.count; ++i) {
    saved[i].slot = list.slots[i];
    std::copy_n(warp.at<std::uint32_t>(list.slots[i]), wordCount(list.bits[i]), saved[i].words);
  }
  for (unsigned i = list.destinations; i < list.count; ++i)
    if ((moved >> (i - list.destinations) & 1) != 0)
      std::copy_n(shadowAt(list.slots[i]), wordCount(list.bits[i]),
                  warp.at<std::uint32_t>(list.slots[i]));
  handler(warp, instruction, mask);
  for (unsigned i = 0; i < list.destinations; ++i)
    mergeLanes(shadowAt(list.slots[i]), warp.at<std::uint32_t>(list.slots[i]), list.bits[i], mask);
  for (unsigned i = 0; i < list.count; ++i)
    std::copy_n(saved[i].words, wordCount(list.bits[i]), warp.at<std::uint32_t>(saved[i].slot));
}

/// The rules that look at each bit, or at each half of a pair.
void Shadow::combineBits(const Instruction &instruction, Mask mask) {
  OperandList list(program, instruction);
  ShadowRule rule = program.operands[instruction.index].rule;
  unsigned bits = list.bits[0], count = wordCount(bits);
  std::uint32_t result[4 * lanesPerWarp] = {};
  auto value = [&](unsigned source, unsigned word) {
    std::uint32_t bitsOfWord = warp.at<std::uint32_t>(list.slots[1 + source])[word];
    // Predicates may be negated, as choice says.
    return bits == 1 && instruction.choice[source] ? ~bitsOfWord : bitsOfWord;
  };
  for (unsigned word = 0; word < count; ++word) {
    for (unsigned i = list.destinations; i < list.count; ++i)
      if (list.bits[i] == bits)
        result[word] |= shadowAt(list.slots[i])[word];
    if (rule == ShadowRule::And || rule == ShadowRule::Or) {
      std::uint32_t a = value(0, word), b = value(1, word);
      if (rule == ShadowRule::And)
        a = ~a, b = ~b;
      result[word] &=
          ~((a & ~shadowAt(list.slots[1])[word]) | (b & ~shadowAt(list.slots[2])[word]));
    }
    if (rule == ShadowRule::Halves)
      result[word] = ((result[word] & 0xffff) != 0 ? 0xffffu : 0) |
                     ((result[word] >> 16) != 0 ? 0xffff0000u : 0);
  }
  mergeLanes(shadowAt(list.slots[0]), result, bits, mask);
}

// ---- memory ----

void Shadow::access(const Instruction &instruction, Mask mask) {
  const MemoryAccess &memory = program.accesses[instruction.target];
  OperandList list(program, instruction);
  unsigned address = list.destinations;
  use(instruction, list.slots[address], list.bits[address], mask, "takes it for an address");
  if (memory.atomic)
    checkSources(instruction, mask, "updates memory with it");
  for (unsigned i = 0; i < list.destinations; ++i)
    setLanes(list.slots[i], list.bits[i], mask, false);
  instruction.execute(warp, instruction, mask);
  finishLoad();
  if (memory.store && !memory.atomic)
    finishStore(instruction, mask);
}

void Shadow::noteRead(const Instruction &instruction, Mask mask, Space space, WrittenBytes written,
                      const std::uint64_t (&addresses)[lanesPerWarp], std::uint64_t base) {
  if (pending != &instruction)
    std::memset(bytes, 0, sizeof bytes);
  unsigned count = accessBytes(program.accesses[instruction.target]);
  Origin origin;
  origin.space = space;
  for (Mask left = mask; left != 0; left &= left - 1) {
    auto lane = static_cast<unsigned>(__builtin_ctz(left));
    std::uint32_t missing = written.missing(addresses[lane] - base, count);
    if (missing == 0)
      continue;
    for (unsigned byte = 0; byte < count; ++byte)
      bytes[lane][byte] = static_cast<std::byte>((missing >> byte & 1) != 0 ? 0xff : 0);
    if (origin.lanes == 0) {
      origin.address = addresses[lane];
      origin.firstMissing = addresses[lane] + static_cast<unsigned>(__builtin_ctz(missing));
    }
    origin.lanes |= Mask{1} << lane;
  }
  origins[instruction.target] = origin;
  pending = &instruction;
  pendingMask |= mask;
}

void Shadow::noteStore(Mask mask, Space space, WrittenBytes written,
                       const std::uint64_t (&addresses)[lanesPerWarp], std::uint64_t base) {
  for (Mask left = mask; left != 0; left &= left - 1) {
    auto lane = static_cast<unsigned>(__builtin_ctz(left));
    stores[lane] = {space, written, addresses[lane] - base};
  }
}

void Shadow::finishLoad() {
  const Instruction *load = std::exchange(pending, nullptr);
  Mask mask = std::exchange(pendingMask, 0);
  if (!load)
    return;
  OperandList list(program, *load);
  redirecting = true;
  executeOnShadows(*load, mask, 0, load->execute);
  redirecting = false;
  for (unsigned i = 0; i < list.destinations; ++i)
    originOf[list.slots[i] / 16] = load->target;
}

void Shadow::finishStore(const Instruction &instruction, Mask mask) {
  OperandList list(program, instruction);
  Mask missing = 0;
  for (unsigned i = 1; i < list.count; ++i)
    missing |= missingLanes(list.slots[i], list.bits[i], mask);
  if (missing == 0)
    return;
  redirecting = true;
  executeOnShadows(instruction, missing, ~1u, instruction.execute);
  redirecting = false;
  Mask global = 0;
  unsigned count = accessBytes(program.accesses[instruction.target]);
  for (Mask left = missing; left != 0; left &= left - 1) {
    auto lane = static_cast<unsigned>(__builtin_ctz(left));
    for (unsigned byte = 0; byte < count; ++byte) {
      if (bytes[lane][byte] == std::byte{0})
        continue;
      if (stores[lane].space == Space::Global)
        global |= Mask{1} << lane;
      else
        stores[lane].written.clear(stores[lane].offset + byte, 1);
    }
  }
  for (unsigned i = 1; i < list.count; ++i)
    use(instruction, list.slots[i], list.bits[i], global, "stores it to global memory");
}

// ---- uses ----

void Shadow::checkGuard(const Instruction &instruction, Mask active) {
  use(instruction, instruction.guard, 1, active,
      instruction.flow == Flow::Branch ? "branches on it" : "is executed or not depending on it");
}

void Shadow::checkSources(const Instruction &instruction, Mask mask, const char *how) {
  OperandList list(program, instruction);
  for (unsigned i = list.destinations; i < list.count; ++i)
    use(instruction, list.slots[i], list.bits[i], mask, how);
}

void Shadow::use(const Instruction &instruction, Slot slot, unsigned bits, Mask lanes,
                 const char *how) {
  Mask missing = missingLanes(slot, bits, lanes);
  if (missing == 0)
    return;
  report(instruction, originOf[slot / 16], how);
  setLanes(slot, bits, missing, false);
}

void Shadow::reportAtomic(const Instruction &instruction) {
  report(instruction, instruction.target, nullptr);
  pending = nullptr;
  pendingMask = 0;
}

void Shadow::report(const Instruction &instruction, std::uint32_t access, const char *how) {
  Cta &cta = *warp.cta;
  if (cta.unwrittenReads.count(access) != 0)
    return;
  const MemoryAccess &memory = program.accesses[access];
  const Instruction &read = program.instructions[memory.instruction];
  const Origin &origin = origins[access];
  std::string where, place;
  if (origin.space == Space::Global) {
    where = addressText(origin.address);
    place = cta.memory->place(origin.firstMissing);
  } else {
    bool local = origin.space == Space::Local;
    where = fmt::format("offset {} of {} memory", origin.address,
                        local ? "the thread's local" : "the program's shared");
    place = placeText(program, origin.space, origin.firstMissing);
  }
  std::string more = "the first of these is " + place;
  if (how) {
    const InstructionInfo &info = program.infos[instruction.index];
    more += fmt::format("; {} {} (PTX line {}{})", info.opcode, how, info.ptxLine,
                        info.file.empty() ? "" : fmt::format(", {}:{}", info.file, info.line));
  }
  cta.unwrittenReads.emplace(
      access,
      UnwrittenRead{
          cta.linearPosition,
          makeFinding(warp, read, origin.lanes, "uninitialised-read",
                      fmt::format("{} {} bytes at {}, some of which nothing wrote,",
                                  memory.atomic ? "updates" : "reads", accessBytes(memory), where),
                      more)});
}

} // namespace trowel::sim
