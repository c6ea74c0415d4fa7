// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer arithmetic.
//
// Two's complement that wraps: every operation is done on unsigned words, where C++ defines the
// overflow, and read back as signed where the type says so. A division by zero, which PTX leaves
// open, gives all ones and a remainder the dividend, as a GPU's division routine does; the smallest
// number divided by -1 wraps to itself. Carry flags (add.cc and its like) are one bit a lane in the
// warp.

#include "runtime/sim/exec/Lanes.h"
#include "runtime/sim/exec/Table.h"

#include <algorithm>
#include <limits>

namespace trowel::sim::exec {

using ptx::Type;

namespace {

template <class T> using Unsigned = std::make_unsigned_t<T>;
// Wide enough that products of 16-bit values do not overflow the signed int they would promote to.
template <class T>
using Wrapping = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
template <class T>
using Twice =
    std::conditional_t<sizeof(T) == 2,
                       std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>,
                       std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>;
template <class T> T wrap(Wrapping<T> value) { return static_cast<T>(value); }
template <class T> Wrapping<T> raw(T value) { return static_cast<Wrapping<T>>(value); }

template <class T> T highProduct(T a, T b) {
  if constexpr (sizeof(T) == 8 && std::is_signed_v<T>)
    return static_cast<T>(static_cast<__int128>(a) * b >> 64);
  else if constexpr (sizeof(T) == 8)
    return static_cast<T>(static_cast<unsigned __int128>(a) * b >> 64);
  else
    return static_cast<T>(static_cast<Twice<T>>(a) * static_cast<Twice<T>>(b) >> (8 * sizeof(T)));
}

struct Add {
  template <class T> static T apply(T a, T b) { return wrap<T>(raw(a) + raw(b)); }
};
struct Subtract {
  template <class T> static T apply(T a, T b) { return wrap<T>(raw(a) - raw(b)); }
};
struct MultiplyLow {
  template <class T> static T apply(T a, T b) { return wrap<T>(raw(a) * raw(b)); }
};
struct MultiplyHigh {
  template <class T> static T apply(T a, T b) { return highProduct(a, b); }
};
struct Divide {
  template <class T> static T apply(T a, T b) {
    if (b == 0)
      return static_cast<T>(~raw(T(0)));
    if (std::is_signed_v<T> && b == static_cast<T>(-1))
      return wrap<T>(0 - raw(a));
    return static_cast<T>(a / b);
  }
};
struct Remainder {
  template <class T> static T apply(T a, T b) {
    if (b == 0)
      return a;
    if (std::is_signed_v<T> && b == static_cast<T>(-1))
      return 0;
    return static_cast<T>(a % b);
  }
};
struct Minimum {
  template <class T> static T apply(T a, T b) { return b < a ? b : a; }
};
struct Maximum {
  template <class T> static T apply(T a, T b) { return a < b ? b : a; }
};
struct MinimumRelu {
  template <class T> static T apply(T a, T b) { return Maximum::apply<T>(Minimum::apply(a, b), 0); }
};
struct MaximumRelu {
  template <class T> static T apply(T a, T b) { return Maximum::apply<T>(Maximum::apply(a, b), 0); }
};
struct AddSaturating {
  template <class T> static T apply(T a, T b) {
    return static_cast<T>(std::clamp<std::int64_t>(
        std::int64_t{a} + b, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
  }
};
struct SubtractSaturating {
  template <class T> static T apply(T a, T b) {
    return static_cast<T>(std::clamp<std::int64_t>(
        std::int64_t{a} - b, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
  }
};
struct Absolute {
  template <class T> static T apply(T a) { return a < 0 ? wrap<T>(0 - raw(a)) : a; }
};
struct Negate {
  template <class T> static T apply(T a) { return wrap<T>(0 - raw(a)); }
};
struct MultiplyAddLow {
  template <class T> static T apply(T a, T b, T c) { return wrap<T>(raw(a) * raw(b) + raw(c)); }
};
struct MultiplyAddHigh {
  template <class T> static T apply(T a, T b, T c) {
    return wrap<T>(raw(highProduct(a, b)) + raw(c));
  }
};
struct MultiplyAddHighSaturating {
  template <class T> static T apply(T a, T b, T c) {
    return AddSaturating::apply<T>(highProduct(a, b), c);
  }
};
struct SumOfDifferences {
  template <class T> static T apply(T a, T b, T c) {
    return wrap<T>(raw(c) + (a < b ? raw(b) - raw(a) : raw(a) - raw(b)));
  }
};

/// The lower 24 bits as a number.
template <class T> std::int64_t low24(T value) {
  auto bits = static_cast<std::uint32_t>(value) << 8;
  if constexpr (std::is_signed_v<T>)
    return static_cast<std::int32_t>(bits) >> 8;
  return bits >> 8;
}
struct Multiply24Low {
  template <class T> static T apply(T a, T b) { return static_cast<T>(low24(a) * low24(b)); }
};
struct Multiply24High { // bits 16 to 47 of the 48-bit product
  template <class T> static T apply(T a, T b) { return static_cast<T>(low24(a) * low24(b) >> 16); }
};
struct MultiplyAdd24Low {
  template <class T> static T apply(T a, T b, T c) {
    return Add::apply<T>(Multiply24Low::apply(a, b), c);
  }
};
struct MultiplyAdd24High {
  template <class T> static T apply(T a, T b, T c) {
    return Add::apply<T>(Multiply24High::apply(a, b), c);
  }
};

// ---- handlers ----

template <class Op, class T> LANE_HANDLER void unaryHandler(Warp &w, const Instruction &i, Mask m) {
  unary<T, T>(w, i, m, [](T a) LANE_FUNCTION { return Op::template apply<T>(a); });
}
template <class Op, class T>
LANE_HANDLER void binaryHandler(Warp &w, const Instruction &i, Mask m) {
  binary<T, T, T>(w, i, m, [](T a, T b) LANE_FUNCTION { return Op::template apply<T>(a, b); });
}
template <class Op, class T>
LANE_HANDLER void ternaryHandler(Warp &w, const Instruction &i, Mask m) {
  ternary<T, T, T, T>(w, i, m,
                      [](T a, T b, T c) LANE_FUNCTION { return Op::template apply<T>(a, b, c); });
}
template <class Op, class T> LANE_HANDLER void pairHandler(Warp &w, const Instruction &i, Mask m) {
  using W = std::uint32_t;
  binary<W, W, W>(w, i, m, [](W a, W b) LANE_FUNCTION {
    auto low = static_cast<std::uint16_t>(
        Op::template apply<T>(static_cast<T>(a & 0xffff), static_cast<T>(b & 0xffff)));
    auto high = static_cast<std::uint16_t>(
        Op::template apply<T>(static_cast<T>(a >> 16), static_cast<T>(b >> 16)));
    return static_cast<W>(high) << 16 | low;
  });
}
template <class T> LANE_HANDLER void multiplyWide(Warp &w, const Instruction &i, Mask m) {
  binary<Twice<T>, T, T>(w, i, m, [](T a, T b) LANE_FUNCTION {
    return static_cast<Twice<T>>(static_cast<Twice<T>>(a) * static_cast<Twice<T>>(b));
  });
}
template <class T> LANE_HANDLER void multiplyAddWide(Warp &w, const Instruction &i, Mask m) {
  using R = Twice<T>;
  ternary<R, T, T, R>(w, i, m, [](T a, T b, R c) LANE_FUNCTION {
    return wrap<R>(raw(static_cast<R>(static_cast<R>(a) * static_cast<R>(b))) + raw(c));
  });
}

/// The handler `Make<T>` for the type; null for a type that is no 16-, 32- or 64-bit integer.
template <template <class> class Make> Handler forInteger(Type type) {
  switch (type) {
  case Type::U16:
    return Make<std::uint16_t>::handler();
  case Type::S16:
    return Make<std::int16_t>::handler();
  case Type::U32:
  case Type::B32:
    return Make<std::uint32_t>::handler();
  case Type::S32:
    return Make<std::int32_t>::handler();
  case Type::U64:
  case Type::B64:
    return Make<std::uint64_t>::handler();
  case Type::S64:
    return Make<std::int64_t>::handler();
  default:
    return nullptr;
  }
}

template <class Op> struct OfUnary {
  template <class T> struct Make {
    static Handler handler() { return fastest<unaryHandler<Op, T>>(); }
  };
};
template <class Op> struct OfBinary {
  template <class T> struct Make {
    static Handler handler() { return fastest<binaryHandler<Op, T>>(); }
  };
};
template <class Op> struct OfTernary {
  template <class T> struct Make {
    static Handler handler() { return fastest<ternaryHandler<Op, T>>(); }
  };
};

void operands(Decoder &decoder, Type type, std::size_t sources) {
  decoder.expectOperands(sources + 1);
  decoder.write(decoder.operand(0), type);
  for (std::size_t source = 1; source <= sources; ++source)
    decoder.read(decoder.operand(source), type);
}

void finish(Decoder &decoder, Handler handler, Type type) {
  if (!handler)
    decoder.unknown("type ." + std::string(name(type)));
  decoder.finish(handler);
}

template <class Op> void decodeUnary(Decoder &decoder, Type type) {
  operands(decoder, type, 1);
  finish(decoder, forInteger<OfUnary<Op>::template Make>(type), type);
}
template <class Op> void decodeBinary(Decoder &decoder, Type type) {
  operands(decoder, type, 2);
  if (type == Type::U16x2 || type == Type::S16x2)
    return decoder.finish(type == Type::U16x2 ? pairHandler<Op, std::uint16_t>
                                              : pairHandler<Op, std::int16_t>);
  finish(decoder, forInteger<OfBinary<Op>::template Make>(type), type);
}
template <class Op> void decodeTernary(Decoder &decoder, Type type) {
  operands(decoder, type, 3);
  finish(decoder, forInteger<OfTernary<Op>::template Make>(type), type);
}

// ---- carry chains ----

/// What a carry instruction does; bits of Instruction::choice[0].
enum CarryChoice : std::uint8_t { ReadsCarry = 1, WritesCarry = 2, Subtracts = 4, TakesHigh = 8 };

template <class T> void carryHandler(Warp &w, const Instruction &i, Mask m) {
  const auto *a = w.at<T>(i.slots[1]);
  const auto *b = w.at<T>(i.slots[2]);
  auto *d = w.at<T>(i.slots[0]);
  Mask carry = 0;
  for (Mask left = m; left != 0; left &= left - 1) {
    auto lane = static_cast<unsigned>(__builtin_ctz(left));
    bool in = i.choice[0] & ReadsCarry ? w.carry >> lane & 1 : false;
    T sum;
    bool out;
    if (i.choice[0] & Subtracts) {
      T difference;
      out = __builtin_sub_overflow(a[lane], b[lane], &difference);
      out |= __builtin_sub_overflow(difference, T{in}, &sum);
    } else {
      T partial;
      out = __builtin_add_overflow(a[lane], b[lane], &partial);
      out |= __builtin_add_overflow(partial, T{in}, &sum);
    }
    d[lane] = sum;
    carry |= Mask{out} << lane;
  }
  if (i.choice[0] & WritesCarry)
    w.carry = (w.carry & ~m) | carry;
}

template <class T> void multiplyCarryHandler(Warp &w, const Instruction &i, Mask m) {
  using W = Unsigned<T>;
  const auto *a = w.at<W>(i.slots[1]);
  const auto *b = w.at<W>(i.slots[2]);
  const auto *c = w.at<W>(i.slots[3]);
  auto *d = w.at<W>(i.slots[0]);
  Mask carry = 0;
  for (Mask left = m; left != 0; left &= left - 1) {
    auto lane = static_cast<unsigned>(__builtin_ctz(left));
    W product = i.choice[0] & TakesHigh
                    ? static_cast<W>(highProduct(static_cast<T>(a[lane]), static_cast<T>(b[lane])))
                    : static_cast<W>(a[lane] * b[lane]);
    bool in = i.choice[0] & ReadsCarry ? w.carry >> lane & 1 : false;
    W partial, sum;
    bool out = __builtin_add_overflow(product, c[lane], &partial);
    out |= __builtin_add_overflow(partial, W{in}, &sum);
    d[lane] = sum;
    carry |= Mask{out} << lane;
  }
  if (i.choice[0] & WritesCarry)
    w.carry = (w.carry & ~m) | carry;
}

void decodeCarry(Decoder &decoder, Type type, bool reads, bool writes, bool subtracts) {
  operands(decoder, type, 2);
  decoder.instruction().choice[0] = static_cast<std::uint8_t>(
      (reads ? ReadsCarry : 0) | (writes ? WritesCarry : 0) | (subtracts ? Subtracts : 0));
  if (ptx::bitWidth(type) == 32)
    decoder.finish(carryHandler<std::uint32_t>);
  else if (ptx::bitWidth(type) == 64)
    decoder.finish(carryHandler<std::uint64_t>);
  else
    decoder.unknown("type ." + std::string(name(type)));
}

void decodeMultiplyCarry(Decoder &decoder, Type type, bool reads, bool writes) {
  bool high = decoder.opcode.take("hi");
  if (!high)
    decoder.opcode.take("lo");
  operands(decoder, type, 3);
  decoder.instruction().choice[0] = static_cast<std::uint8_t>(
      (reads ? ReadsCarry : 0) | (writes ? WritesCarry : 0) | (high ? TakesHigh : 0));
  Handler handler = type == Type::U32   ? multiplyCarryHandler<std::uint32_t>
                    : type == Type::S32 ? multiplyCarryHandler<std::int32_t>
                    : type == Type::U64 ? multiplyCarryHandler<std::uint64_t>
                    : type == Type::S64 ? multiplyCarryHandler<std::int64_t>
                                        : nullptr;
  finish(decoder, handler, type);
}

// ---- decoding ----

void decodeMultiply(Decoder &decoder, Type type) {
  if (decoder.opcode.take("wide")) {
    decoder.expectOperands(3);
    Type wide = ptx::bitWidth(type) == 16 ? Type::B32 : Type::B64;
    decoder.write(decoder.operand(0), wide);
    decoder.read(decoder.operand(1), type);
    decoder.read(decoder.operand(2), type);
    Handler handler = type == Type::U16   ? fastest<multiplyWide<std::uint16_t>>()
                      : type == Type::S16 ? fastest<multiplyWide<std::int16_t>>()
                      : type == Type::U32 ? fastest<multiplyWide<std::uint32_t>>()
                      : type == Type::S32 ? fastest<multiplyWide<std::int32_t>>()
                                          : nullptr;
    return finish(decoder, handler, type);
  }
  if (decoder.opcode.take("hi"))
    return decodeBinary<MultiplyHigh>(decoder, type);
  if (!decoder.opcode.take("lo"))
    decoder.fail("'mul' of integers needs .lo, .hi or .wide");
  decodeBinary<MultiplyLow>(decoder, type);
}

void decodeMultiplyAdd(Decoder &decoder, Type type) {
  if (decoder.opcode.take("cc"))
    return decodeMultiplyCarry(decoder, type, false, true);
  if (decoder.opcode.take("wide")) {
    decoder.expectOperands(4);
    Type wide = ptx::bitWidth(type) == 16 ? Type::B32 : Type::B64;
    decoder.write(decoder.operand(0), wide);
    decoder.read(decoder.operand(1), type);
    decoder.read(decoder.operand(2), type);
    decoder.read(decoder.operand(3), wide);
    Handler handler = type == Type::U16   ? fastest<multiplyAddWide<std::uint16_t>>()
                      : type == Type::S16 ? fastest<multiplyAddWide<std::int16_t>>()
                      : type == Type::U32 ? fastest<multiplyAddWide<std::uint32_t>>()
                      : type == Type::S32 ? fastest<multiplyAddWide<std::int32_t>>()
                                          : nullptr;
    return finish(decoder, handler, type);
  }
  if (decoder.opcode.take("hi")) {
    if (type == Type::S32 && decoder.opcode.take("sat")) {
      operands(decoder, type, 3);
      return decoder.finish(ternaryHandler<MultiplyAddHighSaturating, std::int32_t>);
    }
    return decodeTernary<MultiplyAddHigh>(decoder, type);
  }
  if (!decoder.opcode.take("lo"))
    decoder.fail("'mad' of integers needs .lo, .hi or .wide");
  decodeTernary<MultiplyAddLow>(decoder, type);
}

void decodeAddSubtract(Decoder &decoder, Type type, bool subtracts) {
  if (decoder.opcode.take("cc"))
    return decodeCarry(decoder, type, false, true, subtracts);
  if (type == Type::S32 && decoder.opcode.take("sat")) {
    operands(decoder, type, 2);
    return decoder.finish(subtracts ? binaryHandler<SubtractSaturating, std::int32_t>
                                    : binaryHandler<AddSaturating, std::int32_t>);
  }
  if (subtracts)
    decodeBinary<Subtract>(decoder, type);
  else
    decodeBinary<Add>(decoder, type);
}

void decode24(Decoder &decoder, Type type, bool adds) {
  bool high = decoder.opcode.take("hi");
  if (!high && !decoder.opcode.take("lo"))
    decoder.fail("'" + std::string(decoder.opcode.root) + "' needs .lo or .hi");
  if (type != Type::U32 && type != Type::S32)
    decoder.unknown("type ." + std::string(name(type)));
  if (adds)
    high ? decodeTernary<MultiplyAdd24High>(decoder, type)
         : decodeTernary<MultiplyAdd24Low>(decoder, type);
  else
    high ? decodeBinary<Multiply24High>(decoder, type) : decodeBinary<Multiply24Low>(decoder, type);
}

void decodeMinMax(Decoder &decoder, Type type, bool maximum) {
  if (ptx::isSigned(type) && decoder.opcode.take("relu"))
    return maximum ? decodeBinary<MaximumRelu>(decoder, type)
                   : decodeBinary<MinimumRelu>(decoder, type);
  maximum ? decodeBinary<Maximum>(decoder, type) : decodeBinary<Minimum>(decoder, type);
}

} // namespace

void decodeInteger(Decoder &decoder, Type type) {
  std::string_view root = decoder.opcode.root;
  if (root == "add" || root == "sub")
    decodeAddSubtract(decoder, type, root == "sub");
  else if (root == "addc" || root == "subc")
    decodeCarry(decoder, type, true, decoder.opcode.take("cc"), root == "subc");
  else if (root == "mul")
    decodeMultiply(decoder, type);
  else if (root == "mad")
    decodeMultiplyAdd(decoder, type);
  else if (root == "madc")
    decodeMultiplyCarry(decoder, type, true, decoder.opcode.take("cc"));
  else if (root == "mul24" || root == "mad24")
    decode24(decoder, type, root == "mad24");
  else if (root == "div")
    decodeBinary<Divide>(decoder, type);
  else if (root == "rem")
    decodeBinary<Remainder>(decoder, type);
  else if (root == "abs" && ptx::isSigned(type))
    decodeUnary<Absolute>(decoder, type);
  else if (root == "neg" && ptx::isSigned(type))
    decodeUnary<Negate>(decoder, type);
  else if (root == "min" || root == "max")
    decodeMinMax(decoder, type, root == "max");
  else if (root == "sad")
    decodeTernary<SumOfDifferences>(decoder, type);
  else
    decoder.unknown("type ." + std::string(name(type)));
}

} // namespace trowel::sim::exec
