// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic on f32.
//
// Round to nearest is the host's own arithmetic, with NaN results made canonical (0x7fffffff); its
// handlers are templates over .ftz and .sat. The directed modes .rz, .rm and .rp are rare and share
// one handler a form, which computes in double, rounds to odd and narrows (Numerics.h). mul and add
// without a rounding modifier are computed as .rn: an assembler may fuse them, this device does
// not.
//
// min and max return the operand that is no NaN, and the canonical NaN where both are or .NaN is
// given; -0 is less than +0. div.full and div.approx are the correctly rounded quotient.

#include "runtime/sim/exec/Numerics.h"
#include "runtime/sim/exec/Table.h"

#include "runtime/sim/exec/Approximate.h"

namespace trowel::sim::exec {

using ptx::Type;

namespace {

// Each operation: `apply` to nearest, `odd` in double rounded to odd.
struct Add {
  static float apply(float a, float b) { return a + b; }
  static double odd(double a, double b, Rounding rounding) {
    double sum = addOdd(a, b);
    // An exact zero that is not the sum of two +0 is negative when rounding down.
    if (sum == 0 && rounding == Rounding::Down && (std::signbit(a) || std::signbit(b)))
      return -0.0;
    return sum;
  }
};
struct Subtract {
  static float apply(float a, float b) { return a - b; }
  static double odd(double a, double b, Rounding rounding) { return Add::odd(a, -b, rounding); }
};
struct Multiply {
  static float apply(float a, float b) { return a * b; }
  static double odd(double a, double b, Rounding) { return a * b; }
};
struct Divide {
  static float apply(float a, float b) { return a / b; }
  static double odd(double a, double b, Rounding) {
    double quotient = a / b;
    if (!std::isfinite(quotient) || quotient == 0)
      return quotient;
    double rest = std::fma(-quotient, b, a); // exact; its sign against b's is the error's
    return toOdd(quotient, b > 0 ? rest : -rest);
  }
};
struct SquareRoot {
  static float apply(float a) { return std::sqrt(a); }
  static double odd(double a) {
    double root = std::sqrt(a);
    return std::isfinite(root) && root != 0 ? toOdd(root, std::fma(-root, root, a)) : root;
  }
};
struct Reciprocal {
  static float apply(float a) { return 1.0f / a; }
  static double odd(double a) { return Divide::odd(1.0, a, Rounding::Nearest); }
};
struct HostFusedMultiplyAdd {
  static float apply(float a, float b, float c) { return std::fma(a, b, c); }
};
struct FusedMultiplyAdd {
  static float apply(float a, float b, float c) { return fusedMultiplyAdd(a, b, c); }
  static double odd(double a, double b, double c, Rounding rounding) {
    return Add::odd(a * b, c, rounding);
  }
};

template <class Op, bool Ftz, bool Sat>
LANE_HANDLER void unaryNearest(Warp &w, const Instruction &i, Mask m) {
  unary<float, float>(w, i, m, [](float a) LANE_FUNCTION {
    return finished<Ftz, Sat>(Op::apply(flushIf<Ftz>(a)));
  });
}
template <class Op, bool Ftz, bool Sat>
LANE_HANDLER void binaryNearest(Warp &w, const Instruction &i, Mask m) {
  binary<float, float, float>(w, i, m, [](float a, float b) LANE_FUNCTION {
    return finished<Ftz, Sat>(Op::apply(flushIf<Ftz>(a), flushIf<Ftz>(b)));
  });
}
template <class Op, bool Ftz, bool Sat>
LANE_HANDLER void ternaryNearest(Warp &w, const Instruction &i, Mask m) {
  ternary<float, float, float, float>(w, i, m, [](float a, float b, float c) LANE_FUNCTION {
    return finished<Ftz, Sat>(Op::apply(flushIf<Ftz>(a), flushIf<Ftz>(b), flushIf<Ftz>(c)));
  });
}

// Directed modes. choice[0]: Rounding, choice[1]: .ftz, choice[2]: .sat.
float source(float value, const Instruction &i) { return i.choice[1] ? flushed(value) : value; }
float result(double odd, const Instruction &i) {
  float value = narrow(odd, static_cast<Rounding>(i.choice[0]));
  value = i.choice[1] ? flushed(value) : value;
  return i.choice[2] ? saturated(value) : canonical(value);
}
template <class Op> void unaryDirected(Warp &w, const Instruction &i, Mask m) {
  unary<float, float>(w, i, m,
                      [&](float a) LANE_FUNCTION { return result(Op::odd(source(a, i)), i); });
}
template <class Op> void binaryDirected(Warp &w, const Instruction &i, Mask m) {
  binary<float, float, float>(w, i, m, [&](float a, float b) LANE_FUNCTION {
    return result(Op::odd(source(a, i), source(b, i), static_cast<Rounding>(i.choice[0])), i);
  });
}
template <class Op> void ternaryDirected(Warp &w, const Instruction &i, Mask m) {
  ternary<float, float, float, float>(w, i, m, [&](float a, float b, float c) LANE_FUNCTION {
    return result(
        Op::odd(source(a, i), source(b, i), source(c, i), static_cast<Rounding>(i.choice[0])), i);
  });
}

struct Modes {
  Rounding rounding = Rounding::Nearest;
  bool flush = false;
  bool saturate = false;
};

Modes takeModes(Decoder &decoder) {
  Modes modes;
  if (decoder.opcode.take("rz"))
    modes.rounding = Rounding::Zero;
  else if (decoder.opcode.take("rm"))
    modes.rounding = Rounding::Down;
  else if (decoder.opcode.take("rp"))
    modes.rounding = Rounding::Up;
  else
    decoder.opcode.take("rn");
  modes.flush = decoder.opcode.take("ftz");
  modes.saturate = decoder.opcode.take("sat");
  Instruction &instruction = decoder.instruction();
  instruction.choice[0] = static_cast<std::uint8_t>(modes.rounding);
  instruction.choice[1] = modes.flush;
  instruction.choice[2] = modes.saturate;
  return modes;
}

void operands(Decoder &decoder, std::size_t sources) {
  decoder.expectOperands(sources + 1);
  decoder.write(decoder.operand(0), Type::F32);
  for (std::size_t source = 1; source <= sources; ++source)
    decoder.read(decoder.operand(source), Type::F32);
}

template <class Op> void decodeUnary(Decoder &decoder) {
  Modes modes = takeModes(decoder);
  operands(decoder, 1);
  if (modes.rounding != Rounding::Nearest)
    return decoder.finish(unaryDirected<Op>);
  decoder.finish(modes.flush ? fastest<unaryNearest<Op, true, false>>()
                             : fastest<unaryNearest<Op, false, false>>());
}
template <class Op, bool Ftz, bool Sat> Handler binaryFor() {
  return fastest<binaryNearest<Op, Ftz, Sat>>();
}
template <class Op> void decodeBinary(Decoder &decoder) {
  Modes modes = takeModes(decoder);
  operands(decoder, 2);
  if (modes.rounding != Rounding::Nearest)
    return decoder.finish(binaryDirected<Op>);
  if (modes.flush)
    return decoder.finish(modes.saturate ? binaryFor<Op, true, true>()
                                         : binaryFor<Op, true, false>());
  decoder.finish(modes.saturate ? binaryFor<Op, false, true>() : binaryFor<Op, false, false>());
}
template <bool Ftz, bool Sat> Handler fusedFor() {
  return byHost<ternaryNearest<HostFusedMultiplyAdd, Ftz, Sat>,
                ternaryNearest<FusedMultiplyAdd, Ftz, Sat>>();
}
void decodeFused(Decoder &decoder) {
  Modes modes = takeModes(decoder);
  operands(decoder, 3);
  if (modes.rounding != Rounding::Nearest)
    return decoder.finish(ternaryDirected<FusedMultiplyAdd>);
  if (modes.flush)
    return decoder.finish(modes.saturate ? fusedFor<true, true>() : fusedFor<true, false>());
  decoder.finish(modes.saturate ? fusedFor<false, true>() : fusedFor<false, false>());
}

// ---- signs, minimum, maximum ----

std::uint32_t bitsOf(float value) { return std::bit_cast<std::uint32_t>(value); }
float fromBits(std::uint32_t bits) { return std::bit_cast<float>(bits); }

template <bool Ftz> LANE_HANDLER void absolute(Warp &w, const Instruction &i, Mask m) {
  unary<float, float>(w, i, m, [](float a) LANE_FUNCTION {
    return canonical(fromBits(bitsOf(flushIf<Ftz>(a)) & 0x7fffffffu));
  });
}
template <bool Ftz> LANE_HANDLER void negate(Warp &w, const Instruction &i, Mask m) {
  unary<float, float>(w, i, m, [](float a) LANE_FUNCTION {
    return canonical(fromBits(bitsOf(flushIf<Ftz>(a)) ^ 0x80000000u));
  });
}
void copySign(Warp &w, const Instruction &i, Mask m) {
  using W = std::uint32_t;
  binary<W, W, W>(w, i, m, [](W sign, W value) LANE_FUNCTION {
    return (sign & 0x80000000u) | (value & 0x7fffffffu);
  });
}

template <bool Maximum, bool PropagateNaN> float extremum(float a, float b) {
  float lesser = a < b ? a : b, greater = a < b ? b : a;
  float chosen = Maximum ? greater : lesser;
  // Equal operands differ at most in the sign of a zero.
  std::uint32_t equal = Maximum ? bitsOf(a) & bitsOf(b) : bitsOf(a) | bitsOf(b);
  chosen = a == b ? fromBits(equal) : chosen;
  if (PropagateNaN)
    return a != a || b != b ? fromBits(nan32) : chosen;
  chosen = a != a ? b : chosen;
  chosen = b != b ? a : chosen;
  return canonical(chosen);
}
template <bool Maximum, bool PropagateNaN, bool Ftz>
LANE_HANDLER void extremumHandler(Warp &w, const Instruction &i, Mask m) {
  binary<float, float, float>(w, i, m, [](float a, float b) LANE_FUNCTION {
    return extremum<Maximum, PropagateNaN>(flushIf<Ftz>(a), flushIf<Ftz>(b));
  });
}
/// .xorsign.abs: the extremum of the magnitudes with the product of the signs.
template <bool Maximum, bool PropagateNaN, bool Ftz>
LANE_HANDLER void extremumXorSign(Warp &w, const Instruction &i, Mask m) {
  binary<float, float, float>(w, i, m, [](float a, float b) LANE_FUNCTION {
    std::uint32_t sign = (bitsOf(a) ^ bitsOf(b)) & 0x80000000u;
    float magnitude =
        extremum<Maximum, PropagateNaN>(fromBits(bitsOf(flushIf<Ftz>(a)) & 0x7fffffffu),
                                        fromBits(bitsOf(flushIf<Ftz>(b)) & 0x7fffffffu));
    return magnitude != magnitude ? magnitude : fromBits(bitsOf(magnitude) | sign);
  });
}

template <bool Maximum, bool PropagateNaN, bool Ftz> Handler extremumFor(bool xorSign) {
  return xorSign ? fastest<extremumXorSign<Maximum, PropagateNaN, Ftz>>()
                 : fastest<extremumHandler<Maximum, PropagateNaN, Ftz>>();
}
template <bool Maximum> void decodeExtremum(Decoder &decoder) {
  bool flush = decoder.opcode.take("ftz");
  bool propagate = decoder.opcode.take("NaN");
  bool xorSign = decoder.opcode.take("xorsign");
  if (xorSign != decoder.opcode.take("abs"))
    decoder.unknown("modifier '.xorsign' or '.abs' alone");
  if (decoder.operandCount() == 4)
    decoder.unknown("form with three inputs");
  operands(decoder, 2);
  if (propagate)
    return decoder.finish(flush ? extremumFor<Maximum, true, true>(xorSign)
                                : extremumFor<Maximum, true, false>(xorSign));
  decoder.finish(flush ? extremumFor<Maximum, false, true>(xorSign)
                       : extremumFor<Maximum, false, false>(xorSign));
}

void decodeSign(Decoder &decoder) {
  bool negates = decoder.opcode.root == "neg";
  bool flush = decoder.opcode.take("ftz");
  operands(decoder, 1);
  decoder.finish(negates ? (flush ? fastest<negate<true>>() : fastest<negate<false>>())
                         : (flush ? fastest<absolute<true>>() : fastest<absolute<false>>()));
}

} // namespace

void decodeFloat32(Decoder &decoder) {
  std::string_view root = decoder.opcode.root;
  if (root == "add")
    decodeBinary<Add>(decoder);
  else if (root == "sub")
    decodeBinary<Subtract>(decoder);
  else if (root == "mul")
    decodeBinary<Multiply>(decoder);
  else if (root == "fma" || root == "mad")
    decodeFused(decoder);
  else if (root == "min")
    decodeExtremum<false>(decoder);
  else if (root == "max")
    decodeExtremum<true>(decoder);
  else if (root == "abs" || root == "neg")
    decodeSign(decoder);
  else if (decodeApproximateFloat32(decoder))
    return;
  else if (root == "div")
    decodeBinary<Divide>(decoder);
  else if (root == "sqrt")
    decodeUnary<SquareRoot>(decoder);
  else if (root == "rcp")
    decodeUnary<Reciprocal>(decoder);
  else if (root == "copysign") {
    operands(decoder, 2);
    decoder.finish(copySign);
  } else
    decoder.unknown("type .f32");
}

} // namespace trowel::sim::exec
