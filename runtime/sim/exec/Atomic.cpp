// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// atom and red: read, combine, write, lane after lane.
//
// Lanes that update one address do so in the order of the lanes, and CTAs of a program with atomics
// run one after the other (Scheduler.cpp). So the old values that atom returns, and sums of floats,
// are the same on every run; on a GPU the order is open. Float additions round to nearest; global
// f32 additions flush subnormals on a GPU, shared ones do not, and so it is here.
//
// The scope and the order (.relaxed.gpu and its like) make no difference on a machine that executes
// one CTA at a time.

#include "runtime/sim/exec/AccessPath.h"
#include "runtime/sim/exec/Numerics.h"
#include "runtime/sim/exec/Table.h"

#include <cstring>

namespace trowel::sim::exec {

using ptx::Operand;
using ptx::Type;

namespace {

struct Add {
  template <class T> static T apply(T old, T b, T) {
    if constexpr (std::is_floating_point_v<T>)
      return canonical(old + b);
    else
      return static_cast<T>(static_cast<Word<T>>(old) + static_cast<Word<T>>(b));
  }
};
struct AddFlushed {
  template <class T> static T apply(T old, T b, T) {
    return canonical(flushed(flushed(old) + flushed(b)));
  }
};
struct AddHalf {
  template <class T> static T apply(T old, T b, T) {
    T result;
    narrowTo(result, addOdd(widen(old), widen(b)));
    return result;
  }
};
struct Minimum {
  template <class T> static T apply(T old, T b, T) { return b < old ? b : old; }
};
struct Maximum {
  template <class T> static T apply(T old, T b, T) { return old < b ? b : old; }
};
struct And {
  template <class T> static T apply(T old, T b, T) { return old & b; }
};
struct Or {
  template <class T> static T apply(T old, T b, T) { return old | b; }
};
struct Xor {
  template <class T> static T apply(T old, T b, T) { return old ^ b; }
};
struct Exchange {
  template <class T> static T apply(T, T b, T) { return b; }
};
struct CompareAndSwap {
  template <class T> static T apply(T old, T b, T c) { return old == b ? c : old; }
};
struct Increment { // wraps to 0 at b
  template <class T> static T apply(T old, T b, T) { return old >= b ? T(0) : old + 1; }
};
struct Decrement { // wraps to b at 0
  template <class T> static T apply(T old, T b, T) { return old == 0 || old > b ? b : old - 1; }
};

// slots: old value (or the sink), address, b, and c or b again.
template <class Op, class T> void atomicHandler(Warp &w, const Instruction &i, Mask m) {
  LaneAddresses addresses;
  resolveAddresses(w, i, m, 1, addresses);
  auto *d = w.at<Word<T>>(i.slots[0]);
  const auto *b = w.at<Word<T>>(i.slots[2]);
  const auto *c = w.at<Word<T>>(i.slots[3]);
  for (Mask left = m; left != 0; left &= left - 1) {
    auto lane = static_cast<unsigned>(__builtin_ctz(left));
    T old;
    std::memcpy(&old, addresses.host(lane), sizeof old);
    T value = Op::template apply<T>(old, fromWord<T>(b[lane]), fromWord<T>(c[lane]));
    std::memcpy(addresses.host(lane), &value, sizeof value);
    d[lane] = toWord<T>(old);
  }
}

/// Two 16-bit floats in a word.
template <class T> void atomicAddPair(Warp &w, const Instruction &i, Mask m) {
  LaneAddresses addresses;
  resolveAddresses(w, i, m, 1, addresses);
  auto *d = w.at<std::uint32_t>(i.slots[0]);
  const auto *b = w.at<std::uint32_t>(i.slots[2]);
  for (Mask left = m; left != 0; left &= left - 1) {
    auto lane = static_cast<unsigned>(__builtin_ctz(left));
    T old[2], add[2];
    std::memcpy(old, addresses.host(lane), sizeof old);
    std::memcpy(add, &b[lane], sizeof add);
    std::memcpy(&d[lane], old, sizeof old);
    for (unsigned half = 0; half < 2; ++half)
      old[half] = AddHalf::apply<T>(old[half], add[half], T{});
    std::memcpy(addresses.host(lane), old, sizeof old);
  }
}

/// Additions of f32 by generic address: as the space is that each lane's address leads to.
void addGeneric(Warp &w, const Instruction &i, Mask m) {
  LaneAddresses addresses;
  resolveAddresses(w, i, m, 1, addresses);
  auto *d = w.at<std::uint32_t>(i.slots[0]);
  const auto *b = w.at<std::uint32_t>(i.slots[2]);
  for (Mask left = m; left != 0; left &= left - 1) {
    auto lane = static_cast<unsigned>(__builtin_ctz(left));
    float old, add = fromWord<float>(b[lane]);
    std::memcpy(&old, addresses.host(lane), sizeof old);
    float value = (addresses.inShared >> lane & 1) != 0 ? Add::apply<float>(old, add, 0)
                                                        : AddFlushed::apply<float>(old, add, 0);
    std::memcpy(addresses.host(lane), &value, sizeof value);
    d[lane] = toWord<float>(old);
  }
}

template <class Op> Handler forBits(Type type) {
  return type == Type::B32   ? atomicHandler<Op, std::uint32_t>
         : type == Type::B64 ? atomicHandler<Op, std::uint64_t>
                             : nullptr;
}
template <class Op> Handler forInteger(Type type) {
  switch (type) {
  case Type::U32:
    return atomicHandler<Op, std::uint32_t>;
  case Type::S32:
    return atomicHandler<Op, std::int32_t>;
  case Type::U64:
    return atomicHandler<Op, std::uint64_t>;
  case Type::S64:
    return atomicHandler<Op, std::int64_t>;
  default:
    return nullptr;
  }
}

Handler addFor(Type type, ptx::Space space) {
  switch (type) {
  case Type::F32:
    return space == ptx::Space::Shared    ? atomicHandler<Add, float>
           : space == ptx::Space::Generic ? addGeneric
                                          : atomicHandler<AddFlushed, float>;
  case Type::F64:
    return atomicHandler<Add, double>;
  case Type::F16:
    return atomicHandler<AddHalf, Half>;
  case Type::BF16:
    return atomicHandler<AddHalf, BFloat>;
  case Type::F16x2:
    return atomicAddPair<Half>;
  case Type::BF16x2:
    return atomicAddPair<BFloat>;
  default:
    return forInteger<Add>(type);
  }
}

Handler chooseOperation(Decoder &decoder, Type type, ptx::Space space) {
  auto &opcode = decoder.opcode;
  if (opcode.take("add"))
    return addFor(type, space);
  if (opcode.take("min"))
    return forInteger<Minimum>(type);
  if (opcode.take("max"))
    return forInteger<Maximum>(type);
  if (opcode.take("and"))
    return forBits<And>(type);
  if (opcode.take("or"))
    return forBits<Or>(type);
  if (opcode.take("xor"))
    return forBits<Xor>(type);
  if (opcode.take("exch"))
    return forBits<Exchange>(type);
  if (opcode.take("cas"))
    return type == Type::B16 ? atomicHandler<CompareAndSwap, std::uint16_t>
                             : forBits<CompareAndSwap>(type);
  if (opcode.take("inc"))
    return type == Type::U32 ? atomicHandler<Increment, std::uint32_t> : nullptr;
  if (opcode.take("dec"))
    return type == Type::U32 ? atomicHandler<Decrement, std::uint32_t> : nullptr;
  decoder.unknown("operation");
}

void decodeAtomic(Decoder &decoder) {
  bool returns = decoder.opcode.root == "atom";
  bool hinted = decoder.opcode.take("L2::cache_hint");
  takeHints(decoder);
  ptx::Space space = takeSpace(decoder);
  decoder.opcode.take("noftz");
  Type type = decoder.takeType();
  bool compares = std::find(decoder.opcode.modifiers.begin(), decoder.opcode.modifiers.end(),
                            "cas") != decoder.opcode.modifiers.end();
  bool exchanges = std::find(decoder.opcode.modifiers.begin(), decoder.opcode.modifiers.end(),
                             "exch") != decoder.opcode.modifiers.end();
  Handler handler = chooseOperation(decoder, type, space);
  if (!handler)
    decoder.unknown("type ." + std::string(name(type)));
  std::size_t first = returns ? 1 : 0;
  decoder.expectOperands(first + 2 + (compares ? 1 : 0) + (hinted ? 1 : 0));
  Operand sink;
  sink.kind = Operand::Kind::Sink;
  decoder.write(returns ? decoder.operand(0) : sink, type);
  unsigned width = decoder.readAddress(decoder.operand(first));
  if (width == 0)
    decoder.fail("the parameters of an entry cannot be updated");
  decoder.instruction().choice[0] = static_cast<std::uint8_t>(width);
  decoder.read(decoder.operand(first + 1), type);
  decoder.read(decoder.operand(first + (compares ? 2 : 1)), type);
  MemoryAccess &access = decoder.addAccess();
  access.space = space;
  access.store = true;
  access.atomic = true;
  access.readsOld = !exchanges;
  access.elementBytes = static_cast<std::uint8_t>(ptx::bitWidth(type) / 8);
  decoder.result().ordered = true;
  decoder.finish(handler);
}

constexpr OpcodeRow rows[] = {{"atom", decodeAtomic}, {"red", decodeAtomic}};

} // namespace

std::span<const OpcodeRow> atomicOpcodes() { return rows; }

} // namespace trowel::sim::exec
