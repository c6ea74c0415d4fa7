// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mov, and cvta and isspacep, which compute addresses and nothing else.
//
// mov copies a register, a literal, a special register or a variable's address; with a vector on
// either side it packs narrow registers into a wide one or the reverse, the first element lowest.
// Special registers that change while a program runs (clocks) are read here and nowhere else; time
// is counted in instructions of the warp, so that it repeats from run to run.
//
// Generic addresses of shared, local and parameter space are windows (AddressSpaces.h); global and
// constant memory have the same addresses in both forms, so cvta is an addition or nothing.

#include "runtime/sim/AddressSpaces.h"
#include "runtime/sim/exec/Lanes.h"
#include "runtime/sim/exec/Table.h"

#include <cstring>

namespace trowel::sim::exec {

using ptx::Operand;
using ptx::Type;

namespace {

template <class W> LANE_HANDLER void moveWord(Warp &w, const Instruction &i, Mask m) {
  unary<W, W>(w, i, m, [](W a) LANE_FUNCTION { return a; });
}
void movePredicate(Warp &w, const Instruction &i, Mask m) {
  writePredicate(w, i.slots[0], m, w.predicate(i.slots[1]) ^ (i.choice[0] ? allLanes : 0));
}
/// 128 bits a lane.
void moveQuad(Warp &w, const Instruction &i, Mask m) {
  auto *d = w.registers + i.slots[0];
  const auto *a = w.registers + i.slots[1];
  for (Mask left = m; left != 0; left &= left - 1) {
    auto lane = static_cast<unsigned>(__builtin_ctz(left));
    std::memmove(d + 16 * lane, a + 16 * lane, 16);
  }
}

// ---- pack and unpack: choice[0] elements of choice[1] bytes ----

unsigned strideOf(unsigned bytes) { return bytes <= 4 ? 4 : bytes; }

void pack(Warp &w, const Instruction &i, Mask m) {
  unsigned count = i.choice[0], bytes = i.choice[1], stride = strideOf(count * bytes);
  for (Mask left = m; left != 0; left &= left - 1) {
    auto lane = static_cast<unsigned>(__builtin_ctz(left));
    std::byte value[16] = {};
    for (unsigned element = 0; element < count; ++element)
      std::memcpy(value + element * bytes,
                  w.registers + i.slots[1 + element] + lane * strideOf(bytes), bytes);
    std::memcpy(w.registers + i.slots[0] + lane * stride, value, stride);
  }
}
void unpack(Warp &w, const Instruction &i, Mask m) {
  unsigned count = i.choice[0], bytes = i.choice[1], stride = strideOf(count * bytes);
  for (Mask left = m; left != 0; left &= left - 1) {
    auto lane = static_cast<unsigned>(__builtin_ctz(left));
    std::byte value[16];
    std::memcpy(value, w.registers + i.slots[count] + lane * stride, stride);
    for (unsigned element = 0; element < count; ++element) {
      std::byte part[8] = {};
      std::memcpy(part, value + element * bytes, bytes);
      std::memcpy(w.registers + i.slots[element] + lane * strideOf(bytes), part, strideOf(bytes));
    }
  }
}

Type bitsType(unsigned width) {
  switch (width) {
  case 8:
    return Type::B8;
  case 16:
    return Type::B16;
  case 32:
    return Type::B32;
  case 64:
    return Type::B64;
  default:
    return Type::B128;
  }
}

void decodeVectorMove(Decoder &decoder, Type type, bool packs) {
  const Operand &vector = decoder.operand(packs ? 1 : 0);
  std::size_t count = vector.parts.size();
  unsigned width = ptx::bitWidth(type);
  if ((count != 2 && count != 4) || width / count < 8 || width / count > 64)
    decoder.fail("a vector of " + std::to_string(count) + " does not fill ." +
                 std::string(name(type)));
  Type part = bitsType(width / static_cast<unsigned>(count));
  decoder.instruction().choice[0] = static_cast<std::uint8_t>(count);
  decoder.instruction().choice[1] = static_cast<std::uint8_t>(ptx::bitWidth(part) / 8);
  if (packs) {
    decoder.write(decoder.operand(0), type);
    for (const Operand &element : vector.parts)
      decoder.read(element, part);
    return decoder.finish(pack);
  }
  for (const Operand &element : vector.parts)
    decoder.write(element, part);
  decoder.read(decoder.operand(1), type);
  decoder.finish(unpack);
}

// ---- clocks: choice[0] is the Special ----

void readClock(Warp &w, const Instruction &i, Mask m) {
  std::uint64_t now = w.instructions;
  auto special = static_cast<Special>(i.choice[0]);
  if (special == Special::Clock64 || special == Special::GlobalTimer)
    return writeLanes<std::uint64_t>(w.at<std::uint64_t>(i.slots[0]), m,
                                     [&](unsigned) { return now; });
  bool upper = special == Special::ClockHigh || special == Special::GlobalTimerHigh;
  auto half = static_cast<std::uint32_t>(upper ? now >> 32 : now);
  writeLanes<std::uint32_t>(w.at<std::uint32_t>(i.slots[0]), m, [&](unsigned) { return half; });
}

void decodeMove(Decoder &decoder) {
  Type type = decoder.takeType();
  decoder.expectOperands(2);
  if (decoder.operand(0).kind == Operand::Kind::Vector)
    return decodeVectorMove(decoder, type, false);
  if (decoder.operand(1).kind == Operand::Kind::Vector)
    return decodeVectorMove(decoder, type, true);
  if (std::optional<Special> special = decoder.dynamicSpecial(decoder.operand(1))) {
    bool wide = *special == Special::Clock64 || *special == Special::GlobalTimer;
    decoder.write(decoder.operand(0), wide ? Type::B64 : Type::B32);
    decoder.instruction().choice[0] = static_cast<std::uint8_t>(*special);
    return decoder.finish(readClock);
  }
  decoder.write(decoder.operand(0), type);
  if (type == Type::Pred) {
    decoder.instruction().choice[0] = decoder.readPredicate(decoder.operand(1));
    return decoder.finish(movePredicate);
  }
  decoder.read(decoder.operand(1), type);
  switch (ptx::bitWidth(type)) {
  case 16:
  case 32:
    return decoder.finish(fastest<moveWord<std::uint32_t>>());
  case 64:
    return decoder.finish(fastest<moveWord<std::uint64_t>>());
  case 128:
    if (decoder.registerWidth(decoder.operand(1)) == 128)
      return decoder.finish(moveQuad);
    decoder.fail("mov.b128 copies a register or a vector of two");
  default:
    decoder.unknown("type ." + std::string(name(type)));
  }
}

// ---- addresses ----

/// The window of the space that the opcode names; nothing for generic.
std::optional<std::uint64_t> takeWindow(Decoder &decoder) {
  if (decoder.opcode.take("global") || decoder.opcode.take("const"))
    return 0;
  if (decoder.opcode.take("shared") || decoder.opcode.take("shared::cta"))
    return sharedWindow;
  if (decoder.opcode.take("local"))
    return localWindow;
  if (decoder.opcode.take("param") || decoder.opcode.take("param::entry"))
    return parameterWindow;
  return std::nullopt;
}

template <class W> LANE_HANDLER void addWindow(Warp &w, const Instruction &i, Mask m) {
  auto window = static_cast<W>(i.immediate);
  unary<W, W>(w, i, m, [window](W a) LANE_FUNCTION { return static_cast<W>(a + window); });
}

void decodeConvertAddress(Decoder &decoder) {
  bool toSpace = decoder.opcode.take("to");
  std::optional<std::uint64_t> window = takeWindow(decoder);
  if (!window)
    decoder.unknown("space");
  Type type = decoder.takeType();
  if (type != Type::U64 && type != Type::U32)
    decoder.unknown("type ." + std::string(name(type)));
  decoder.expectOperands(2);
  decoder.write(decoder.operand(0), type);
  decoder.read(decoder.operand(1), type);
  decoder.instruction().immediate = static_cast<std::int64_t>(toSpace ? 0 - *window : *window);
  decoder.finish(type == Type::U64 ? addWindow<std::uint64_t> : addWindow<std::uint32_t>);
}

void isInWindow(Warp &w, const Instruction &i, Mask m) {
  const auto *a = w.at<std::uint64_t>(i.slots[1]);
  auto base = static_cast<std::uint64_t>(i.immediate);
  std::uint64_t bytes = base == globalBase ? w.cta->memory->totalBytes() : windowBytes;
  writePredicate(w, i.slots[0], m,
                 testLanes([&](unsigned lane) { return a[lane] - base < bytes; }));
}

void decodeIsInSpace(Decoder &decoder) {
  bool global = std::find(decoder.opcode.modifiers.begin(), decoder.opcode.modifiers.end(),
                          "global") != decoder.opcode.modifiers.end();
  bool constant = decoder.opcode.take("const");
  std::optional<std::uint64_t> window = constant ? std::nullopt : takeWindow(decoder);
  if (!window)
    decoder.unknown("space");
  decoder.expectOperands(2);
  decoder.writePredicate(decoder.operand(0));
  decoder.read(decoder.operand(1), Type::U64);
  decoder.instruction().immediate = static_cast<std::int64_t>(global ? globalBase : *window);
  decoder.finish(isInWindow);
}

constexpr OpcodeRow rows[] = {
    {"mov", decodeMove}, {"cvta", decodeConvertAddress}, {"isspacep", decodeIsInSpace}};

} // namespace

std::span<const OpcodeRow> moveOpcodes() { return rows; }

} // namespace trowel::sim::exec
