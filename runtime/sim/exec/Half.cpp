// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic on f16, bf16 and pairs of them.
//
// Every operation rounds once to the 16-bit type: sum, product and fused multiply-add are computed
// in double rounded to odd, then narrowed (Numerics.h). Computing in f32 and rounding that would
// round twice: 1 + 2^-8 + 2^-30 is just above a tie in bf16, and f32 has already lost the 2^-30.
//
// A pair is two independent values, the first in the lower half of the word.

#include "runtime/sim/exec/Numerics.h"
#include "runtime/sim/exec/Table.h"

namespace trowel::sim::exec {

using ptx::Type;

namespace {

template <class T> constexpr std::uint16_t exponentMask = 0x7c00;
template <> constexpr std::uint16_t exponentMask<BFloat> = 0x7f80;

template <class T> T flushHalf(T value) {
  bool subnormal = (value.bits & exponentMask<T>) == 0;
  return {static_cast<std::uint16_t>(subnormal ? value.bits & 0x8000u : value.bits)};
}

/// What happens to a result, or to operands and result.
enum Modifier : std::uint8_t { Flush = 1, Saturate = 2, Relu = 4 };

template <class T, unsigned Modifiers> T source(T value) {
  return (Modifiers & Flush) != 0 ? flushHalf(value) : value;
}
template <class T, unsigned Modifiers> LANE_HANDLER T narrowed(double odd) {
  if constexpr ((Modifiers & Saturate) != 0)
    odd = saturated(odd);
  if constexpr ((Modifiers & Relu) != 0)
    odd = odd < 0 ? 0.0 : odd;
  T result;
  narrowTo(result, odd);
  if constexpr ((Modifiers & Flush) != 0)
    result = flushHalf(result);
  if constexpr ((Modifiers & Relu) != 0)
    result.bits = result.bits == 0x8000 ? 0 : result.bits;
  return result;
}

struct Add {
  static double odd(double a, double b) { return addOdd(a, b); }
};
struct Subtract {
  static double odd(double a, double b) { return addOdd(a, -b); }
};
struct Multiply {
  static double odd(double a, double b) { return a * b; }
};
struct FusedMultiplyAdd {
  static double odd(double a, double b, double c) { return addOdd(a * b, c); }
};

/// An operation on 16-bit values as `apply`, made from one in double.
template <class Op, unsigned Modifiers> struct Rounded {
  template <class T, class... Operands> LANE_HANDLER static T apply(Operands... operands) {
    return narrowed<T, Modifiers>(
        Op::odd(static_cast<double>(widen(source<T, Modifiers>(operands)))...));
  }
};
struct Absolute {
  template <class T> static T apply(T a) {
    return {isNaN(a) ? nan16 : static_cast<std::uint16_t>(a.bits & 0x7fffu)};
  }
};
struct Negate {
  template <class T> static T apply(T a) {
    return {isNaN(a) ? nan16 : static_cast<std::uint16_t>(a.bits ^ 0x8000u)};
  }
};
template <class Op> struct Flushing {
  template <class T> static T apply(T a) { return Op::template apply<T>(flushHalf(a)); }
};
template <bool Maximum, bool PropagateNaN, bool XorSign, bool Ftz> struct Extremum {
  template <class T> static T apply(T a, T b) {
    if (Ftz) {
      a = flushHalf(a);
      b = flushHalf(b);
    }
    auto sign = static_cast<std::uint16_t>((a.bits ^ b.bits) & 0x8000u);
    if (XorSign) {
      a.bits &= 0x7fff;
      b.bits &= 0x7fff;
    }
    T result;
    if (isNaN(a) || isNaN(b)) {
      if (PropagateNaN || (isNaN(a) && isNaN(b)))
        return {nan16};
      result = isNaN(a) ? b : a;
    } else {
      // Order of sign and magnitude words as integers: -0 is below +0.
      auto key = [](T value) {
        return value.bits & 0x8000 ? -1 - (value.bits & 0x7fff) : value.bits & 0x7fff;
      };
      result = (key(a) < key(b)) == Maximum ? b : a;
    }
    if (XorSign)
      result.bits = static_cast<std::uint16_t>((result.bits & 0x7fff) | sign);
    return result;
  }
};

template <class T> T lower(std::uint32_t word) { return {static_cast<std::uint16_t>(word)}; }
template <class T> T upper(std::uint32_t word) { return {static_cast<std::uint16_t>(word >> 16)}; }

template <class Op, class T, std::size_t Sources>
LANE_HANDLER void scalarHandler(Warp &w, const Instruction &i, Mask m) {
  if constexpr (Sources == 1)
    unary<T, T>(w, i, m, [](T a) LANE_FUNCTION { return Op::template apply<T>(a); });
  else if constexpr (Sources == 2)
    binary<T, T, T>(w, i, m, [](T a, T b) LANE_FUNCTION { return Op::template apply<T>(a, b); });
  else
    ternary<T, T, T, T>(w, i, m,
                        [](T a, T b, T c) LANE_FUNCTION { return Op::template apply<T>(a, b, c); });
}
template <class Op, class T, std::size_t Sources>
LANE_HANDLER void pairHandler(Warp &w, const Instruction &i, Mask m) {
  using W = std::uint32_t;
  auto both = [](auto... words) LANE_FUNCTION {
    W low = Op::template apply<T>(lower<T>(words)...).bits;
    W high = Op::template apply<T>(upper<T>(words)...).bits;
    return high << 16 | low;
  };
  if constexpr (Sources == 1)
    unary<W, W>(w, i, m, both);
  else if constexpr (Sources == 2)
    binary<W, W, W>(w, i, m, both);
  else
    ternary<W, W, W, W>(w, i, m, both);
}

template <class Op, std::size_t Sources> void finishWith(Decoder &decoder, Type type) {
  decoder.expectOperands(Sources + 1);
  decoder.write(decoder.operand(0), type);
  for (std::size_t source = 1; source <= Sources; ++source)
    decoder.read(decoder.operand(source), type);
  switch (type) {
  case Type::F16:
    return decoder.finish(fastest<scalarHandler<Op, Half, Sources>>());
  case Type::BF16:
    return decoder.finish(fastest<scalarHandler<Op, BFloat, Sources>>());
  case Type::F16x2:
    return decoder.finish(fastest<pairHandler<Op, Half, Sources>>());
  default:
    return decoder.finish(fastest<pairHandler<Op, BFloat, Sources>>());
  }
}

template <class Op, std::size_t Sources> void decodeRounded(Decoder &decoder, Type type) {
  decoder.opcode.take("rn");
  bool flush = decoder.opcode.take("ftz");
  bool saturate = decoder.opcode.take("sat");
  bool relu = Sources == 3 && decoder.opcode.take("relu");
  bool bfloat = type == Type::BF16 || type == Type::BF16x2;
  if (bfloat && (flush || saturate))
    decoder.unknown(flush ? "modifier '.ftz'" : "modifier '.sat'");
  switch ((flush ? Flush : 0) | (saturate ? Saturate : 0) | (relu ? Relu : 0)) {
  case 0:
    return finishWith<Rounded<Op, 0>, Sources>(decoder, type);
  case Flush:
    return finishWith<Rounded<Op, Flush>, Sources>(decoder, type);
  case Saturate:
    return finishWith<Rounded<Op, Saturate>, Sources>(decoder, type);
  case Flush | Saturate:
    return finishWith<Rounded<Op, Flush | Saturate>, Sources>(decoder, type);
  case Relu:
    return finishWith<Rounded<Op, Relu>, Sources>(decoder, type);
  case Flush | Relu:
    return finishWith<Rounded<Op, Flush | Relu>, Sources>(decoder, type);
  default:
    decoder.unknown("modifiers '.sat.relu'");
  }
}

template <class Op> void decodeSign(Decoder &decoder, Type type) {
  if (decoder.opcode.take("ftz"))
    return finishWith<Flushing<Op>, 1>(decoder, type);
  finishWith<Op, 1>(decoder, type);
}

template <bool Maximum, bool PropagateNaN, bool XorSign>
void decodeExtremumForm(Decoder &decoder, Type type, bool flush) {
  if (flush)
    return finishWith<Extremum<Maximum, PropagateNaN, XorSign, true>, 2>(decoder, type);
  finishWith<Extremum<Maximum, PropagateNaN, XorSign, false>, 2>(decoder, type);
}
template <bool Maximum> void decodeExtremum(Decoder &decoder, Type type) {
  bool flush = decoder.opcode.take("ftz");
  bool propagate = decoder.opcode.take("NaN");
  bool xorSign = decoder.opcode.take("xorsign");
  if (xorSign != decoder.opcode.take("abs"))
    decoder.unknown("modifier '.xorsign' or '.abs' alone");
  if (propagate)
    return xorSign ? decodeExtremumForm<Maximum, true, true>(decoder, type, flush)
                   : decodeExtremumForm<Maximum, true, false>(decoder, type, flush);
  xorSign ? decodeExtremumForm<Maximum, false, true>(decoder, type, flush)
          : decodeExtremumForm<Maximum, false, false>(decoder, type, flush);
}

} // namespace

void decodeHalf(Decoder &decoder, Type type) {
  std::string_view root = decoder.opcode.root;
  if (root == "add")
    decodeRounded<Add, 2>(decoder, type);
  else if (root == "sub")
    decodeRounded<Subtract, 2>(decoder, type);
  else if (root == "mul")
    decodeRounded<Multiply, 2>(decoder, type);
  else if (root == "fma")
    decodeRounded<FusedMultiplyAdd, 3>(decoder, type);
  else if (root == "abs")
    decodeSign<Absolute>(decoder, type);
  else if (root == "neg")
    decodeSign<Negate>(decoder, type);
  else if (root == "min")
    decodeExtremum<false>(decoder, type);
  else if (root == "max")
    decodeExtremum<true>(decoder, type);
  else
    decoder.unknown("type ." + std::string(name(type)));
}

} // namespace trowel::sim::exec
