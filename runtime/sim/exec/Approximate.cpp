// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The approximations: ex2, lg2, rsqrt, sin, cos, tanh, and the .approx forms of rcp, sqrt and div.
//
// A GPU computes these to within a stated error that differs from chip to chip. This device returns
// the correctly rounded value, computed in double (whose own error of about 2^-53 decides a tie
// wrongly once in 2^28 values); so results are within the GPU's bound, and the same everywhere.
// What holds on every chip is matched exactly: the special values of the table below, and .ftz on
// the way in and out.
//
//          -inf     -0     +0     +inf   negative
//   ex2     0        1      1     +inf
//   lg2    NaN     -inf   -inf    +inf    NaN
//   rcp    -0      -inf   +inf     +0
//   rsqrt  NaN     -inf   +inf     +0     NaN
//   tanh   -1       -0     +0      1
//   sin, cos NaN    -0,1   +0,1    NaN
//
// 2^x has its own polynomial instead of the host's library: softmax and GELU consist of it, and the
// loop over lanes becomes vector code.

#include "runtime/sim/exec/Approximate.h"

#include "runtime/sim/exec/Numerics.h"
#include "runtime/sim/exec/Table.h"

namespace trowel::sim::exec {

using ptx::Type;

namespace {

/// 2^x to about one unit of double's last place, for x clamped to +-1000, which is far outside the
/// range of f32. x = n + f with |f| <= 1/2; 2^f is its Taylor series, whose term k is (f ln 2)^k /
/// k! and below 2^-60 from k = 15.
double exp2Double(double x) {
  constexpr double ln2 = 0.693147180559945309417232121458176568;
  double clamped = x < 1000.0 ? x : 1000.0;
  clamped = clamped > -1000.0 ? clamped : -1000.0;
  double shifted = clamped + 0x1.8p52; // the integer nearest to x, in the low bits
  double f = (clamped - (shifted - 0x1.8p52)) * ln2;
  double sum = 1.0 / 87178291200.0; // 1/14!
  sum = sum * f + 1.0 / 6227020800.0;
  sum = sum * f + 1.0 / 479001600.0;
  sum = sum * f + 1.0 / 39916800.0;
  sum = sum * f + 1.0 / 3628800.0;
  sum = sum * f + 1.0 / 362880.0;
  sum = sum * f + 1.0 / 40320.0;
  sum = sum * f + 1.0 / 5040.0;
  sum = sum * f + 1.0 / 720.0;
  sum = sum * f + 1.0 / 120.0;
  sum = sum * f + 1.0 / 24.0;
  sum = sum * f + 1.0 / 6.0;
  sum = sum * f + 0.5;
  sum = sum * f + 1.0;
  sum = sum * f + 1.0;
  auto power = std::bit_cast<double>((std::bit_cast<std::uint64_t>(shifted) + 1023) << 52);
  return x != x ? x : sum * power;
}

struct Exp2 {
  static double apply(double x) { return exp2Double(x); }
};
struct Log2 {
  static double apply(double x) { return std::log2(x); }
};
struct Reciprocal {
  static double apply(double x) { return 1.0 / x; }
};
struct SquareRoot {
  static double apply(double x) { return std::sqrt(x); }
};
struct ReciprocalRoot {
  static double apply(double x) { return 1.0 / std::sqrt(x); }
};
struct Sine {
  static double apply(double x) { return std::sin(x); }
};
struct Cosine {
  static double apply(double x) { return std::cos(x); }
};
struct HyperbolicTangent {
  static double apply(double x) { return std::tanh(x); }
};

template <class Op, bool Ftz>
LANE_HANDLER void float32Handler(Warp &w, const Instruction &i, Mask m) {
  unary<float, float>(w, i, m, [](float a) LANE_FUNCTION {
    return finished<Ftz, false>(static_cast<float>(Op::apply(flushIf<Ftz>(a))));
  });
}

template <class T, class Op> T narrowOp(T a) {
  T result;
  narrowTo(result, Op::apply(widen(a)));
  return result;
}
template <class Op, class T> LANE_HANDLER void halfHandler(Warp &w, const Instruction &i, Mask m) {
  unary<T, T>(w, i, m, [](T a) LANE_FUNCTION { return narrowOp<T, Op>(a); });
}
template <class Op, class T>
LANE_HANDLER void halfPairHandler(Warp &w, const Instruction &i, Mask m) {
  using W = std::uint32_t;
  unary<W, W>(w, i, m, [](W a) LANE_FUNCTION {
    W low = narrowOp<T, Op>(T{static_cast<std::uint16_t>(a)}).bits;
    W high = narrowOp<T, Op>(T{static_cast<std::uint16_t>(a >> 16)}).bits;
    return high << 16 | low;
  });
}

template <class Op> void decodeFloat32Form(Decoder &decoder) {
  bool flush = decoder.opcode.take("ftz");
  decoder.expectOperands(2);
  decoder.write(decoder.operand(0), Type::F32);
  decoder.read(decoder.operand(1), Type::F32);
  decoder.finish(flush ? fastest<float32Handler<Op, true>>()
                       : fastest<float32Handler<Op, false>>());
}

/// f32, and where `halves` is set the 16-bit types too. bf16 forms of ex2 must say .ftz, which has
/// no effect: results and operands that are subnormal in bf16 are flushed by the tables of the GPU,
/// and 2^x of a subnormal is 1 either way.
template <class Op, bool Halves> void decodeApproximation(Decoder &decoder) {
  decoder.opcode.take("approx");
  Type type = decoder.takeType();
  if (type == Type::F32)
    return decodeFloat32Form<Op>(decoder);
  if (!Halves || !ptx::isFloat(type) || type == Type::F64)
    decoder.unknown("type ." + std::string(name(type)));
  bool bfloat = type == Type::BF16 || type == Type::BF16x2;
  if (bfloat)
    decoder.opcode.take("ftz");
  decoder.expectOperands(2);
  decoder.write(decoder.operand(0), type);
  decoder.read(decoder.operand(1), type);
  switch (type) {
  case Type::F16:
    return decoder.finish(fastest<halfHandler<Op, Half>>());
  case Type::BF16:
    return decoder.finish(fastest<halfHandler<Op, BFloat>>());
  case Type::F16x2:
    return decoder.finish(fastest<halfPairHandler<Op, Half>>());
  default:
    return decoder.finish(fastest<halfPairHandler<Op, BFloat>>());
  }
}

// ---- f64: the upper half of the result, the lower is zero ----

template <class Op> void upperHalfHandler(Warp &w, const Instruction &i, Mask m) {
  unary<double, double>(w, i, m, [](double a) LANE_FUNCTION {
    auto bits = std::bit_cast<std::uint64_t>(a);
    if ((bits & 0x7ff0'0000'0000'0000u) == 0) // subnormal
      a = std::bit_cast<double>(bits & 0x8000'0000'0000'0000u);
    double value = Op::apply(a);
    auto result = std::bit_cast<std::uint64_t>(value);
    if ((result & 0x7ff0'0000'0000'0000u) == 0)
      result &= 0x8000'0000'0000'0000u;
    if (value != value)
      return std::bit_cast<double>(nan64);
    return std::bit_cast<double>(result & 0xffff'ffff'0000'0000u);
  });
}
void reciprocalRoot64(Warp &w, const Instruction &i, Mask m) {
  unary<double, double>(w, i, m,
                        [](double a) LANE_FUNCTION { return canonical(1.0 / std::sqrt(a)); });
}

void decodeReciprocalRoot(Decoder &decoder) {
  if (std::find(decoder.opcode.modifiers.begin(), decoder.opcode.modifiers.end(), "f64") ==
      decoder.opcode.modifiers.end())
    return decodeApproximation<ReciprocalRoot, false>(decoder);
  decoder.opcode.take("f64");
  decoder.opcode.take("approx");
  bool flush = decoder.opcode.take("ftz");
  decoder.expectOperands(2);
  decoder.write(decoder.operand(0), Type::F64);
  decoder.read(decoder.operand(1), Type::F64);
  decoder.finish(flush ? upperHalfHandler<ReciprocalRoot> : reciprocalRoot64);
}

// ---- division ----

template <bool Ftz, bool Approx> LANE_HANDLER void divide(Warp &w, const Instruction &i, Mask m) {
  binary<float, float, float>(w, i, m, [](float a, float b) LANE_FUNCTION {
    a = flushIf<Ftz>(a);
    b = flushIf<Ftz>(b);
    float quotient = a / b;
    // div.approx multiplies by a reciprocal that has flushed to zero for these divisors.
    float magnitude = std::fabs(b);
    if (Approx && magnitude > 0x1p126f && magnitude < INFINITY)
      quotient =
          std::isinf(a) || a != a ? std::bit_cast<float>(nan32) : std::copysign(0.0f, quotient);
    return finished<Ftz, false>(quotient);
  });
}

constexpr OpcodeRow rows[] = {
    {"ex2", decodeApproximation<Exp2, true>},
    {"lg2", decodeApproximation<Log2, false>},
    {"rsqrt", decodeReciprocalRoot},
    {"sin", decodeApproximation<Sine, false>},
    {"cos", decodeApproximation<Cosine, false>},
    {"tanh", decodeApproximation<HyperbolicTangent, true>},
};

} // namespace

std::span<const OpcodeRow> approximateOpcodes() { return rows; }

bool decodeApproximateFloat32(Decoder &decoder) {
  bool approx = decoder.opcode.take("approx");
  bool full = decoder.opcode.root == "div" && decoder.opcode.take("full");
  if (!approx && !full)
    return false;
  if (decoder.opcode.root == "rcp") {
    decodeFloat32Form<Reciprocal>(decoder);
  } else if (decoder.opcode.root == "sqrt") {
    decodeFloat32Form<SquareRoot>(decoder);
  } else if (decoder.opcode.root == "div") {
    bool flush = decoder.opcode.take("ftz");
    decoder.expectOperands(3);
    decoder.write(decoder.operand(0), Type::F32);
    decoder.read(decoder.operand(1), Type::F32);
    decoder.read(decoder.operand(2), Type::F32);
    decoder.finish(
        approx ? (flush ? fastest<divide<true, true>>() : fastest<divide<false, true>>())
               : (flush ? fastest<divide<true, false>>() : fastest<divide<false, false>>()));
  } else {
    decoder.unknown("modifier '.approx'");
  }
  return true;
}

bool decodeApproximateFloat64(Decoder &decoder) {
  if (decoder.opcode.root != "rcp" || !decoder.opcode.take("approx"))
    return false;
  decoder.opcode.take("ftz");
  decoder.expectOperands(2);
  decoder.write(decoder.operand(0), Type::F64);
  decoder.read(decoder.operand(1), Type::F64);
  decoder.finish(upperHalfHandler<Reciprocal>);
  return true;
}

} // namespace trowel::sim::exec
