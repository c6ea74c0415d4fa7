// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ld and st, in every space, width and vector form.
//
// Loading is: addresses to host pointers (AccessPath.cpp, which checks and counts), then a copy for
// each lane. The copies are templates over the width in memory and the width of the register, since
// a narrow value may be loaded into a wider register, extended by zeros or, for .s types, by its
// sign. Where the 32 lanes lie side by side in memory, the copy runs over one block without
// pointers.
//
// Cache operators, eviction hints, prefetch sizes, volatile, orders and scopes change nothing here:
// memory is sequentially consistent and has no cache. Two lanes that store to one address do so in
// the order of the lanes. A parameter loaded by its name is the same for all lanes and takes a path
// of its own.

#include "runtime/sim/exec/AccessPath.h"
#include "runtime/sim/exec/Table.h"

#include <algorithm>
#include <cstring>

namespace trowel::sim::exec {

using ptx::Operand;
using ptx::Space;
using ptx::Type;

namespace {

/// `R`: the register's word. `M`: the value in memory; signed types extend their sign.
template <class R, class M> R loadOne(const std::byte *from) {
  M value;
  std::memcpy(&value, from, sizeof value);
  return static_cast<R>(value);
}

/// Calls `with` with the vector length as a constant.
template <class With> [[gnu::always_inline]] inline void withLength(unsigned length, With with) {
  switch (length) {
  case 1:
    return with(std::integral_constant<unsigned, 1>());
  case 2:
    return with(std::integral_constant<unsigned, 2>());
  case 4:
    return with(std::integral_constant<unsigned, 4>());
  default:
    return with(std::integral_constant<unsigned, 8>());
  }
}

// choice[1]: registers of 16 bits take only that much of an extended value. choice[2]: elements.
template <class R, class M> LANE_HANDLER void load(Warp &w, const Instruction &i, Mask m) {
  LaneAddresses addresses;
  unsigned count = i.choice[2];
  resolveAddresses(w, i, m, count, addresses);
  R keep = i.choice[1] ? static_cast<R>(0xffff) : static_cast<R>(~R(0));
  if (addresses.isBlock(count * sizeof(M)))
    return withLength(count, [&](auto length) __attribute__((always_inline)) {
      M values[lanesPerWarp * length];
      std::memcpy(values, addresses.host(0), sizeof values);
      for (unsigned element = 0; element < length; ++element) {
        R *d = w.at<R>(i.slots[element]);
        for (unsigned lane = 0; lane < lanesPerWarp; ++lane)
          d[lane] = static_cast<R>(values[lane * length + element]) & keep;
      }
    });
  if (addresses.isBlock(0)) { // one address for all lanes
    for (unsigned element = 0; element < count; ++element) {
      R value = loadOne<R, M>(addresses.host(0) + element * sizeof(M)) & keep;
      std::fill_n(w.at<R>(i.slots[element]), lanesPerWarp, value);
    }
    return;
  }
  for (unsigned element = 0; element < count; ++element) {
    R *d = w.at<R>(i.slots[element]);
    for (Mask left = m; left != 0; left &= left - 1) {
      auto lane = static_cast<unsigned>(__builtin_ctz(left));
      d[lane] = loadOne<R, M>(addresses.host(lane) + element * sizeof(M)) & keep;
    }
  }
}

/// 128 bits a lane.
void loadQuad(Warp &w, const Instruction &i, Mask m) {
  LaneAddresses addresses;
  resolveAddresses(w, i, m, 1, addresses);
  for (Mask left = m; left != 0; left &= left - 1) {
    auto lane = static_cast<unsigned>(__builtin_ctz(left));
    std::memcpy(w.registers + i.slots[0] + 16 * lane, addresses.host(lane), 16);
  }
}
void storeQuad(Warp &w, const Instruction &i, Mask m) {
  LaneAddresses addresses;
  resolveAddresses(w, i, m, 0, addresses);
  for (Mask left = m; left != 0; left &= left - 1) {
    auto lane = static_cast<unsigned>(__builtin_ctz(left));
    std::memcpy(addresses.host(lane), w.registers + i.slots[1] + 16 * lane, 16);
  }
}

/// slots: the address, then the values.
template <class R, class M> LANE_HANDLER void store(Warp &w, const Instruction &i, Mask m) {
  LaneAddresses addresses;
  unsigned count = i.choice[2];
  resolveAddresses(w, i, m, 0, addresses);
  if (addresses.isBlock(count * sizeof(M)))
    return withLength(count, [&](auto length) __attribute__((always_inline)) {
      M values[lanesPerWarp * length];
      for (unsigned element = 0; element < length; ++element) {
        const R *a = w.at<R>(i.slots[1 + element]);
        for (unsigned lane = 0; lane < lanesPerWarp; ++lane)
          values[lane * length + element] = static_cast<M>(a[lane]);
      }
      std::memcpy(addresses.host(0), values, sizeof values);
    });
  // Lane by lane, so that of two stores to one address the higher lane's vector stays whole.
  for (Mask left = m; left != 0; left &= left - 1) {
    auto lane = static_cast<unsigned>(__builtin_ctz(left));
    for (unsigned element = 0; element < count; ++element) {
      auto value = static_cast<M>(w.at<R>(i.slots[1 + element])[lane]);
      std::memcpy(addresses.host(lane) + element * sizeof(M), &value, sizeof value);
    }
  }
}

/// A parameter by its name. immediate: its offset; choice[3]: bytes from it that exist.
template <class R, class M> void loadParameter(Warp &w, const Instruction &i, Mask m) {
  R keep = i.choice[1] ? static_cast<R>(0xffff) : static_cast<R>(~R(0));
  const std::byte *from = w.cta->configuration->parameters.data() + i.immediate;
  for (unsigned element = 0; element < i.choice[2]; ++element) {
    R value = loadOne<R, M>(from + element * sizeof(M)) & keep;
    writeLanes<R>(w.at<R>(i.slots[element]), m, [value](unsigned) { return value; });
  }
}

// ---- decoding ----

/// What a load makes of a value in memory, for a 32- or 64-bit register word.
struct LoadHandlers {
  Handler memory32, memory64, parameter32, parameter64;
};
template <class M> LoadHandlers loadHandlers() {
  using W = std::uint32_t;
  using L = std::uint64_t;
  if constexpr (sizeof(M) == 8)
    return {nullptr, fastest<load<L, M>>(), nullptr, loadParameter<L, M>};
  else
    return {fastest<load<W, M>>(), fastest<load<L, M>>(), loadParameter<W, M>, loadParameter<L, M>};
}
LoadHandlers loadHandlersFor(Type type) {
  bool isSigned = ptx::isSigned(type);
  switch (ptx::bitWidth(type)) {
  case 8:
    return isSigned ? loadHandlers<std::int8_t>() : loadHandlers<std::uint8_t>();
  case 16:
    return isSigned ? loadHandlers<std::int16_t>() : loadHandlers<std::uint16_t>();
  case 32:
    return isSigned ? loadHandlers<std::int32_t>() : loadHandlers<std::uint32_t>();
  default:
    return loadHandlers<std::uint64_t>();
  }
}
Handler storeHandlerFor(Type type, bool wideRegister) {
  using W = std::uint32_t;
  using L = std::uint64_t;
  switch (ptx::bitWidth(type)) {
  case 8:
    return wideRegister ? fastest<store<L, std::uint8_t>>() : fastest<store<W, std::uint8_t>>();
  case 16:
    return wideRegister ? fastest<store<L, std::uint16_t>>() : fastest<store<W, std::uint16_t>>();
  case 32:
    return wideRegister ? fastest<store<L, std::uint32_t>>() : fastest<store<W, std::uint32_t>>();
  default:
    return fastest<store<L, std::uint64_t>>();
  }
}

unsigned takeVectorLength(Decoder &decoder) {
  if (decoder.opcode.take("v2"))
    return 2;
  if (decoder.opcode.take("v4"))
    return 4;
  if (decoder.opcode.take("v8"))
    return 8;
  return 1;
}

/// The elements of a vector operand, or the operand itself.
std::vector<Operand> elementsOf(Decoder &decoder, const Operand &operand, unsigned count) {
  if (count == 1)
    return {operand.kind == Operand::Kind::Vector && operand.parts.size() == 1 ? operand.parts[0]
                                                                               : operand};
  if (operand.kind != Operand::Kind::Vector || operand.parts.size() != count)
    decoder.fail("'" + std::string(decoder.statement().opcode) + "' moves a vector of " +
                 std::to_string(count) + ", write {a, b, …} with as many elements");
  return operand.parts;
}

struct Form {
  Space space;
  unsigned count;
  Type type;
};

Form takeForm(Decoder &decoder) {
  bool hinted = decoder.opcode.take("L2::cache_hint");
  takeHints(decoder);
  Form form{takeSpace(decoder), takeVectorLength(decoder), decoder.takeType()};
  unsigned bytes = ptx::bitWidth(form.type) / 8 * form.count;
  if (form.type == Type::Pred || bytes > 32 || (form.type == Type::B128 && form.count != 1))
    decoder.unknown("vector of " + std::to_string(form.count) + " times ." +
                    std::string(name(form.type)));
  // The policy of a cache hint is an operand that is not looked at.
  decoder.expectOperands(hinted ? 3 : 2);
  decoder.instruction().choice[2] = static_cast<std::uint8_t>(form.count);
  return form;
}

void addAccess(Decoder &decoder, const Form &form, bool isStore) {
  MemoryAccess &access = decoder.addAccess();
  access.space = form.space;
  access.store = isStore;
  access.elementBytes = static_cast<std::uint8_t>(ptx::bitWidth(form.type) / 8);
  access.elements = static_cast<std::uint8_t>(form.count);
}

void decodeLoad(Decoder &decoder) {
  Form form = takeForm(decoder);
  Instruction &instruction = decoder.instruction();
  unsigned width = 0;
  for (const Operand &element : elementsOf(decoder, decoder.operand(0), form.count)) {
    unsigned actual = decoder.writeWide(element, form.type);
    if (element.kind != Operand::Kind::Sink) {
      if (width != 0 && width != actual)
        decoder.fail("the registers of a vector differ in width");
      width = actual;
    }
  }
  if (width == 0)
    width = std::max(32u, ptx::bitWidth(form.type));
  instruction.choice[1] = width <= 16;
  unsigned addressWidth = decoder.readAddress(decoder.operand(1));
  instruction.choice[0] = static_cast<std::uint8_t>(addressWidth);
  if (addressWidth == 0) {
    std::int64_t offset = instruction.immediate;
    auto bytes = static_cast<std::int64_t>(ptx::bitWidth(form.type) / 8 * form.count);
    auto total = static_cast<std::int64_t>(decoder.result().parameterBytes);
    if (form.space != Space::Parameter)
      decoder.fail("'" + std::string(decoder.operand(1).name) +
                   "' is a parameter, load it with ld.param");
    if (offset < 0 || offset > total - bytes || offset % bytes != 0)
      decoder.fail("the " + std::to_string(bytes) + " bytes at offset " + std::to_string(offset) +
                   " of the parameters are misaligned or outside of their " +
                   std::to_string(total) + " bytes");
    LoadHandlers handlers = loadHandlersFor(form.type);
    if (form.type == Type::B128)
      decoder.unknown("128-bit parameter");
    return decoder.finish(width == 64 ? handlers.parameter64 : handlers.parameter32);
  }
  addAccess(decoder, form, false);
  if (form.type == Type::B128)
    return decoder.finish(loadQuad);
  LoadHandlers handlers = loadHandlersFor(form.type);
  if (width > 64)
    decoder.unknown("128-bit register");
  decoder.finish(width == 64 ? handlers.memory64 : handlers.memory32);
}

void decodeStore(Decoder &decoder) {
  Form form = takeForm(decoder);
  Instruction &instruction = decoder.instruction();
  unsigned addressWidth = decoder.readAddress(decoder.operand(0));
  if (addressWidth == 0)
    decoder.fail("the parameters of an entry cannot be written");
  instruction.choice[0] = static_cast<std::uint8_t>(addressWidth);
  unsigned width = 0;
  for (const Operand &element : elementsOf(decoder, decoder.operand(1), form.count)) {
    unsigned actual = decoder.readWide(element, form.type);
    bool isRegister = decoder.registerWidth(element) != 0;
    if (isRegister && width != 0 && (width > 32) != (actual > 32))
      decoder.fail("the registers of a vector differ in width");
    if (isRegister || width == 0)
      width = std::max(width, actual);
  }
  addAccess(decoder, form, true);
  if (form.type == Type::B128)
    return decoder.finish(storeQuad);
  if (width > 64)
    decoder.unknown("128-bit register");
  decoder.finish(storeHandlerFor(form.type, width == 64));
}

constexpr OpcodeRow rows[] = {{"ld", decodeLoad}, {"ldu", decodeLoad}, {"st", decodeStore}};

} // namespace

std::span<const OpcodeRow> memoryOpcodes() { return rows; }

} // namespace trowel::sim::exec
