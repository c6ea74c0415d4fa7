// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Logic, shifts and bit fields.
//
// Shift amounts are 32-bit and unsigned whatever the type; from the width on a left or logical
// shift gives 0 and an arithmetic one the sign, where C++ has no answer. Logic on predicates works
// on the masks themselves, a bit a lane.

#include "runtime/sim/exec/Lanes.h"
#include "runtime/sim/exec/Table.h"

#include <algorithm>

namespace trowel::sim::exec {

using ptx::Type;

namespace {

// ---- logic ----

struct And {
  template <class T> static T apply(T a, T b) { return static_cast<T>(a & b); }
};
struct Or {
  template <class T> static T apply(T a, T b) { return static_cast<T>(a | b); }
};
struct Xor {
  template <class T> static T apply(T a, T b) { return static_cast<T>(a ^ b); }
};
struct Not {
  template <class T> static T apply(T a) { return static_cast<T>(~a); }
};
struct LogicalNot {
  template <class T> static T apply(T a) { return a == 0; }
};

template <class Op, class T> LANE_HANDLER void unaryHandler(Warp &w, const Instruction &i, Mask m) {
  unary<T, T>(w, i, m, [](T a) LANE_FUNCTION { return Op::template apply<T>(a); });
}
template <class Op, class T>
LANE_HANDLER void binaryHandler(Warp &w, const Instruction &i, Mask m) {
  binary<T, T, T>(w, i, m, [](T a, T b) LANE_FUNCTION { return Op::template apply<T>(a, b); });
}
// choice[0] and [1]: the first and second source is negated.
template <class Op> void predicateBinary(Warp &w, const Instruction &i, Mask m) {
  Mask a = w.predicate(i.slots[1]) ^ (i.choice[0] ? allLanes : 0);
  Mask b = w.predicate(i.slots[2]) ^ (i.choice[1] ? allLanes : 0);
  writePredicate(w, i.slots[0], m, Op::template apply<Mask>(a, b));
}
void predicateNot(Warp &w, const Instruction &i, Mask m) {
  writePredicate(w, i.slots[0], m, ~(w.predicate(i.slots[1]) ^ (i.choice[0] ? allLanes : 0)));
}

template <class Op> void decodeLogic(Decoder &decoder) {
  Type type = decoder.takeType();
  decoder.expectOperands(3);
  if (type == Type::Pred) {
    decoder.writePredicate(decoder.operand(0));
    decoder.instruction().choice[0] = decoder.readPredicate(decoder.operand(1));
    decoder.instruction().choice[1] = decoder.readPredicate(decoder.operand(2));
    return decoder.finish(predicateBinary<Op>);
  }
  decoder.write(decoder.operand(0), type);
  decoder.read(decoder.operand(1), type);
  decoder.read(decoder.operand(2), type);
  switch (type) {
  case Type::B16:
    return decoder.finish(fastest<binaryHandler<Op, std::uint16_t>>());
  case Type::B32:
    return decoder.finish(fastest<binaryHandler<Op, std::uint32_t>>());
  case Type::B64:
    return decoder.finish(fastest<binaryHandler<Op, std::uint64_t>>());
  default:
    decoder.unknown("type ." + std::string(name(type)));
  }
}

template <class Op> void decodeUnaryLogic(Decoder &decoder) {
  Type type = decoder.takeType();
  decoder.expectOperands(2);
  if (type == Type::Pred && std::is_same_v<Op, Not>) {
    decoder.writePredicate(decoder.operand(0));
    decoder.instruction().choice[0] = decoder.readPredicate(decoder.operand(1));
    return decoder.finish(predicateNot);
  }
  decoder.write(decoder.operand(0), type);
  decoder.read(decoder.operand(1), type);
  switch (type) {
  case Type::B16:
    return decoder.finish(fastest<unaryHandler<Op, std::uint16_t>>());
  case Type::B32:
    return decoder.finish(fastest<unaryHandler<Op, std::uint32_t>>());
  case Type::B64:
    return decoder.finish(fastest<unaryHandler<Op, std::uint64_t>>());
  default:
    decoder.unknown("type ." + std::string(name(type)));
  }
}

// ---- shifts ----

template <class T> LANE_HANDLER void shiftLeft(Warp &w, const Instruction &i, Mask m) {
  binary<T, T, std::uint32_t>(w, i, m, [](T a, std::uint32_t by) LANE_FUNCTION {
    constexpr std::uint32_t width = 8 * sizeof(T);
    return static_cast<T>(by < width ? static_cast<T>(a << (by & (width - 1))) : T(0));
  });
}
template <class T> LANE_HANDLER void shiftRight(Warp &w, const Instruction &i, Mask m) {
  binary<T, T, std::uint32_t>(w, i, m, [](T a, std::uint32_t by) LANE_FUNCTION {
    constexpr std::uint32_t width = 8 * sizeof(T);
    if constexpr (std::is_signed_v<T>)
      return static_cast<T>(a >> std::min(by, width - 1));
    else
      return static_cast<T>(by < width ? static_cast<T>(a >> (by & (width - 1))) : T(0));
  });
}

void decodeShift(Decoder &decoder) {
  bool left = decoder.opcode.root == "shl";
  Type type = decoder.takeType();
  decoder.expectOperands(3);
  decoder.write(decoder.operand(0), type);
  decoder.read(decoder.operand(1), type);
  decoder.read(decoder.operand(2), Type::U32);
  switch (type) {
  case Type::B16:
  case Type::U16:
    if (!left || type == Type::B16)
      return decoder.finish(left ? fastest<shiftLeft<std::uint16_t>>()
                                 : fastest<shiftRight<std::uint16_t>>());
    break;
  case Type::B32:
  case Type::U32:
    if (!left || type == Type::B32)
      return decoder.finish(left ? fastest<shiftLeft<std::uint32_t>>()
                                 : fastest<shiftRight<std::uint32_t>>());
    break;
  case Type::B64:
  case Type::U64:
    if (!left || type == Type::B64)
      return decoder.finish(left ? fastest<shiftLeft<std::uint64_t>>()
                                 : fastest<shiftRight<std::uint64_t>>());
    break;
  case Type::S16:
    if (!left)
      return decoder.finish(fastest<shiftRight<std::int16_t>>());
    break;
  case Type::S32:
    if (!left)
      return decoder.finish(fastest<shiftRight<std::int32_t>>());
    break;
  case Type::S64:
    if (!left)
      return decoder.finish(fastest<shiftRight<std::int64_t>>());
    break;
  default:
    break;
  }
  decoder.unknown("type ." + std::string(name(type)));
}

/// shf: the 64 bits b:a are shifted; left keeps the upper half, right the lower.
template <bool Left, bool Wrap>
LANE_HANDLER void funnelShift(Warp &w, const Instruction &i, Mask m) {
  using W = std::uint32_t;
  ternary<W, W, W, W>(w, i, m, [](W a, W b, W by) LANE_FUNCTION {
    W amount = Wrap ? by & 31 : std::min<W>(by, 32);
    std::uint64_t pair = static_cast<std::uint64_t>(b) << 32 | a;
    return static_cast<W>(Left ? pair << amount >> 32 : pair >> amount);
  });
}

void decodeFunnelShift(Decoder &decoder) {
  bool left = decoder.opcode.take("l");
  if (!left && !decoder.opcode.take("r"))
    decoder.fail("'shf' needs .l or .r");
  bool wrap = decoder.opcode.take("wrap");
  if (!wrap && !decoder.opcode.take("clamp"))
    decoder.fail("'shf' needs .wrap or .clamp");
  if (decoder.takeType() != Type::B32)
    decoder.unknown("type");
  decoder.expectOperands(4);
  decoder.write(decoder.operand(0), Type::B32);
  for (std::size_t source = 1; source <= 3; ++source)
    decoder.read(decoder.operand(source), Type::B32);
  decoder.finish(
      left ? (wrap ? fastest<funnelShift<true, true>>() : fastest<funnelShift<true, false>>())
           : (wrap ? fastest<funnelShift<false, true>>() : fastest<funnelShift<false, false>>()));
}

// ---- lop3, prmt ----

LANE_HANDLER void lookupLogic(Warp &w, const Instruction &i, Mask m) {
  using W = std::uint32_t;
  auto table = static_cast<W>(i.immediate);
  // Bit k of the table is the result for (a, b, c) = the bits of k: a sum of at most 8 products.
  W use[8];
  for (unsigned k = 0; k < 8; ++k)
    use[k] = table >> k & 1 ? ~W{0} : W{0};
  ternary<W, W, W, W>(w, i, m, [&](W a, W b, W c) LANE_FUNCTION {
    return (~a & ~b & ~c & use[0]) | (~a & ~b & c & use[1]) | (~a & b & ~c & use[2]) |
           (~a & b & c & use[3]) | (a & ~b & ~c & use[4]) | (a & ~b & c & use[5]) |
           (a & b & ~c & use[6]) | (a & b & c & use[7]);
  });
}

void decodeLookupLogic(Decoder &decoder) {
  if (decoder.takeType() != Type::B32)
    decoder.unknown("type");
  decoder.expectOperands(5);
  decoder.write(decoder.operand(0), Type::B32);
  for (std::size_t source = 1; source <= 3; ++source)
    decoder.read(decoder.operand(source), Type::B32);
  const ptx::Operand &table = decoder.operand(4);
  if (table.kind != ptx::Operand::Kind::Integer || table.bits > 255)
    decoder.fail("the lookup table of 'lop3' must be a literal from 0 to 255");
  decoder.instruction().immediate = static_cast<std::int64_t>(table.bits);
  decoder.finish(fastest<lookupLogic>());
}

std::uint32_t permuteByte(std::uint64_t bytes, std::uint32_t selector) {
  auto byte = static_cast<std::uint32_t>(bytes >> (8 * (selector & 7)) & 0xff);
  if (selector & 8) // replicate the sign
    byte = byte & 0x80 ? 0xff : 0;
  return byte;
}

enum PermuteMode : std::uint8_t {
  Generic,
  Forward4,
  Backward4,
  Replicate8,
  EdgeLeft,
  EdgeRight,
  Replicate16
};

/// The four 4-bit selectors of a mode other than the generic one, for the low bits of c.
std::uint32_t permuteSelectors(PermuteMode mode, std::uint32_t c) {
  switch (mode) {
  case Generic:
    return c;
  case Forward4:
    return 0x3210 + 0x1111 * (c & 3);
  case Backward4: { // 5670 6701 7012 0123
    constexpr std::uint32_t rows[] = {0x5670, 0x6701, 0x7012, 0x0123};
    return rows[c & 3];
  }
  case Replicate8:
    return 0x1111 * (c & 3);
  case EdgeLeft: {
    constexpr std::uint32_t rows[] = {0x3210, 0x3211, 0x3222, 0x3333};
    return rows[c & 3];
  }
  case EdgeRight: {
    constexpr std::uint32_t rows[] = {0x0000, 0x1110, 0x2210, 0x3210};
    return rows[c & 3];
  }
  case Replicate16:
    return c & 1 ? 0x3232 : 0x1010;
  }
  return c;
}

LANE_HANDLER void permute(Warp &w, const Instruction &i, Mask m) {
  using W = std::uint32_t;
  auto mode = static_cast<PermuteMode>(i.choice[0]);
  ternary<W, W, W, W>(w, i, m, [mode](W a, W b, W c) LANE_FUNCTION {
    std::uint64_t bytes = static_cast<std::uint64_t>(b) << 32 | a;
    W selectors = permuteSelectors(mode, c);
    W result = 0;
    for (unsigned byte = 0; byte < 4; ++byte)
      result |= permuteByte(bytes, selectors >> (4 * byte)) << (8 * byte);
    return result;
  });
}

void decodePermute(Decoder &decoder) {
  if (decoder.takeType() != Type::B32)
    decoder.unknown("type");
  constexpr std::pair<std::string_view, PermuteMode> modes[] = {
      {"f4e", Forward4}, {"b4e", Backward4}, {"rc8", Replicate8},
      {"ecl", EdgeLeft}, {"ecr", EdgeRight}, {"rc16", Replicate16}};
  for (const auto &[name, mode] : modes)
    if (decoder.opcode.take(name))
      decoder.instruction().choice[0] = mode;
  decoder.expectOperands(4);
  decoder.write(decoder.operand(0), Type::B32);
  for (std::size_t source = 1; source <= 3; ++source)
    decoder.read(decoder.operand(source), Type::B32);
  decoder.finish(fastest<permute>());
}

// ---- fields and counts ----

template <class T> LANE_HANDLER void extractField(Warp &w, const Instruction &i, Mask m) {
  using W = std::uint32_t;
  ternary<T, T, W, W>(w, i, m, [](T a, W positionWord, W lengthWord) LANE_FUNCTION {
    constexpr W width = 8 * sizeof(T);
    using U = std::make_unsigned_t<T>;
    W position = positionWord & 0xff, length = lengthWord & 0xff;
    // The sign comes from the field's top bit, or from the value's where the field reaches past it.
    W signPosition = std::min(position + length - 1, width - 1);
    bool sign = std::is_signed_v<T> && length != 0 && (static_cast<U>(a) >> signPosition & 1) != 0;
    U field = position < width ? static_cast<U>(a) >> position : U(0);
    W valid = position < width ? std::min(length, width - position) : 0;
    U keep = valid >= width ? ~U(0) : static_cast<U>((U(1) << valid) - 1);
    return static_cast<T>((field & keep) | (sign ? static_cast<U>(~keep) : U(0)));
  });
}

void decodeExtract(Decoder &decoder) {
  Type type = decoder.takeType();
  decoder.expectOperands(4);
  decoder.write(decoder.operand(0), type);
  decoder.read(decoder.operand(1), type);
  decoder.read(decoder.operand(2), Type::U32);
  decoder.read(decoder.operand(3), Type::U32);
  switch (type) {
  case Type::U32:
    return decoder.finish(fastest<extractField<std::uint32_t>>());
  case Type::S32:
    return decoder.finish(fastest<extractField<std::int32_t>>());
  case Type::U64:
    return decoder.finish(fastest<extractField<std::uint64_t>>());
  case Type::S64:
    return decoder.finish(fastest<extractField<std::int64_t>>());
  default:
    decoder.unknown("type ." + std::string(name(type)));
  }
}

template <class T> LANE_HANDLER void insertField(Warp &w, const Instruction &i, Mask m) {
  const auto *a = w.at<T>(i.slots[1]);
  const auto *b = w.at<T>(i.slots[2]);
  const auto *c = w.at<std::uint32_t>(i.slots[3]);
  const auto *d = w.at<std::uint32_t>(i.slots[4]);
  writeLanes<T>(w.at<T>(i.slots[0]), m, [&](unsigned lane) {
    constexpr std::uint32_t width = 8 * sizeof(T);
    std::uint32_t position = c[lane] & 0xff, length = d[lane] & 0xff;
    if (position >= width || length == 0)
      return b[lane];
    T ones = length >= width ? ~T(0) : static_cast<T>((T(1) << length) - 1);
    T keep = static_cast<T>(ones << position);
    return static_cast<T>((b[lane] & ~keep) | (a[lane] << position & keep));
  });
}

void decodeInsert(Decoder &decoder) {
  Type type = decoder.takeType();
  decoder.expectOperands(5);
  decoder.write(decoder.operand(0), type);
  decoder.read(decoder.operand(1), type);
  decoder.read(decoder.operand(2), type);
  decoder.read(decoder.operand(3), Type::U32);
  decoder.read(decoder.operand(4), Type::U32);
  if (type == Type::B32)
    return decoder.finish(fastest<insertField<std::uint32_t>>());
  if (type == Type::B64)
    return decoder.finish(fastest<insertField<std::uint64_t>>());
  decoder.unknown("type ." + std::string(name(type)));
}

struct ReverseBits {
  template <class T> static T apply(T a) {
    T result = 0;
    for (unsigned bit = 0; bit < 8 * sizeof(T); ++bit)
      result |= (a >> bit & 1) << (8 * sizeof(T) - 1 - bit);
    return result;
  }
};
struct LeadingZeros {
  template <class T> static std::uint32_t apply(T a) {
    return static_cast<std::uint32_t>(std::countl_zero(a));
  }
};
struct CountOnes {
  template <class T> static std::uint32_t apply(T a) {
    return static_cast<std::uint32_t>(std::popcount(a));
  }
};

template <class Op, class R, class T> void countHandler(Warp &w, const Instruction &i, Mask m) {
  unary<R, T>(w, i, m, [](T a) LANE_FUNCTION { return static_cast<R>(Op::template apply<T>(a)); });
}

template <class Op> void decodeCount(Decoder &decoder) {
  Type type = decoder.takeType();
  decoder.expectOperands(2);
  decoder.write(decoder.operand(0), Type::U32);
  decoder.read(decoder.operand(1), type);
  if (type == Type::B32)
    return decoder.finish(countHandler<Op, std::uint32_t, std::uint32_t>);
  if (type == Type::B64)
    return decoder.finish(countHandler<Op, std::uint32_t, std::uint64_t>);
  decoder.unknown("type ." + std::string(name(type)));
}

void decodeReverse(Decoder &decoder) {
  Type type = decoder.takeType();
  decoder.expectOperands(2);
  decoder.write(decoder.operand(0), type);
  decoder.read(decoder.operand(1), type);
  if (type == Type::B32)
    return decoder.finish(fastest<unaryHandler<ReverseBits, std::uint32_t>>());
  if (type == Type::B64)
    return decoder.finish(fastest<unaryHandler<ReverseBits, std::uint64_t>>());
  decoder.unknown("type ." + std::string(name(type)));
}

/// The position of the highest bit that differs from the sign, all ones if there is none.
template <class T> LANE_HANDLER void findTopBit(Warp &w, const Instruction &i, Mask m) {
  using U = std::make_unsigned_t<T>;
  bool asShift = i.choice[0] != 0;
  unary<std::uint32_t, T>(w, i, m, [asShift](T a) LANE_FUNCTION {
    auto bits = static_cast<U>(a);
    if (std::is_signed_v<T> && a < 0)
      bits = ~bits;
    if (bits == 0)
      return ~std::uint32_t{0};
    auto zeros = static_cast<std::uint32_t>(std::countl_zero(bits));
    return asShift ? zeros : static_cast<std::uint32_t>(8 * sizeof(T) - 1) - zeros;
  });
}

void decodeFindTopBit(Decoder &decoder) {
  decoder.instruction().choice[0] = decoder.opcode.take("shiftamt");
  Type type = decoder.takeType();
  decoder.expectOperands(2);
  decoder.write(decoder.operand(0), Type::U32);
  decoder.read(decoder.operand(1), type);
  switch (type) {
  case Type::U32:
    return decoder.finish(fastest<findTopBit<std::uint32_t>>());
  case Type::S32:
    return decoder.finish(fastest<findTopBit<std::int32_t>>());
  case Type::U64:
    return decoder.finish(fastest<findTopBit<std::uint64_t>>());
  case Type::S64:
    return decoder.finish(fastest<findTopBit<std::int64_t>>());
  default:
    decoder.unknown("type ." + std::string(name(type)));
  }
}

/// dp4a: the sum of four products of bytes and c.
template <bool SignedA, bool SignedB> void dotBytes(Warp &w, const Instruction &i, Mask m) {
  using W = std::uint32_t;
  ternary<W, W, W, W>(w, i, m, [](W a, W b, W c) LANE_FUNCTION {
    W sum = c;
    for (unsigned byte = 0; byte < 4; ++byte) {
      W x = a >> (8 * byte) & 0xff, y = b >> (8 * byte) & 0xff;
      if (SignedA)
        x = static_cast<W>(static_cast<std::int8_t>(x));
      if (SignedB)
        y = static_cast<W>(static_cast<std::int8_t>(y));
      sum += x * y;
    }
    return sum;
  });
}

void decodeDotBytes(Decoder &decoder) {
  Type typeA = decoder.takeType(), typeB = decoder.takeType();
  decoder.expectOperands(4);
  decoder.write(decoder.operand(0), Type::B32);
  for (std::size_t source = 1; source <= 3; ++source)
    decoder.read(decoder.operand(source), Type::B32);
  if (ptx::bitWidth(typeA) != 32 || ptx::bitWidth(typeB) != 32)
    decoder.unknown("type ." + std::string(name(typeA)));
  bool a = ptx::isSigned(typeA), b = ptx::isSigned(typeB);
  decoder.finish(a ? (b ? dotBytes<true, true> : dotBytes<true, false>)
                   : (b ? dotBytes<false, true> : dotBytes<false, false>));
}

constexpr OpcodeRow rows[] = {
    {"and", decodeLogic<And>},
    {"or", decodeLogic<Or>},
    {"xor", decodeLogic<Xor>},
    {"not", decodeUnaryLogic<Not>},
    {"cnot", decodeUnaryLogic<LogicalNot>},
    {"shl", decodeShift},
    {"shr", decodeShift},
    {"shf", decodeFunnelShift},
    {"lop3", decodeLookupLogic},
    {"prmt", decodePermute},
    {"bfe", decodeExtract},
    {"bfi", decodeInsert},
    {"bfind", decodeFindTopBit},
    {"brev", decodeReverse},
    {"clz", decodeCount<LeadingZeros>},
    {"popc", decodeCount<CountOnes>},
    {"dp4a", decodeDotBytes},
};

} // namespace

std::span<const OpcodeRow> bitOpcodes() { return rows; }

} // namespace trowel::sim::exec
