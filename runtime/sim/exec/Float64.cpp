// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic on f64.
//
// Round to nearest is the host's arithmetic. There is no wider type to compute the directed modes
// in, so for those the host's own rounding mode is set around the loop over the lanes. Operands and
// results pass through volatile variables there: the compiler assumes the default mode and would
// otherwise be free to move the operation across the switch.

#include "runtime/sim/exec/Approximate.h"
#include "runtime/sim/exec/Numerics.h"
#include "runtime/sim/exec/Table.h"

#include <cfenv>

namespace trowel::sim::exec {

using ptx::Type;

namespace {

struct Add {
  static double apply(double a, double b) { return a + b; }
};
struct Subtract {
  static double apply(double a, double b) { return a - b; }
};
struct Multiply {
  static double apply(double a, double b) { return a * b; }
};
struct Divide {
  static double apply(double a, double b) { return a / b; }
};
struct SquareRoot {
  static double apply(double a) { return std::sqrt(a); }
};
struct Reciprocal {
  static double apply(double a) { return 1.0 / a; }
};
struct FusedMultiplyAdd {
  static double apply(double a, double b, double c) { return std::fma(a, b, c); }
};
struct Absolute {
  static double apply(double a) { return std::fabs(a); }
};
struct Negate {
  static double apply(double a) { return -a; }
};
struct CopySign {
  static double apply(double sign, double value) { return std::copysign(value, sign); }
};
template <bool Maximum> struct Extremum {
  static double apply(double a, double b) {
    if (a != a || b != b)
      return a != a ? b : a;
    if (a == b) { // at most the sign of a zero differs
      auto x = std::bit_cast<std::uint64_t>(a), y = std::bit_cast<std::uint64_t>(b);
      return std::bit_cast<double>(Maximum ? x & y : x | y);
    }
    return (a < b) == Maximum ? b : a;
  }
};

template <class Op, class... Operands> void nearestHandler(Warp &w, const Instruction &i, Mask m) {
  if constexpr (sizeof...(Operands) == 1)
    unary<double, double>(w, i, m, [](double a) { return canonical(Op::apply(a)); });
  else if constexpr (sizeof...(Operands) == 2)
    binary<double, double, double>(w, i, m,
                                   [](double a, double b) { return canonical(Op::apply(a, b)); });
  else
    ternary<double, double, double, double>(
        w, i, m, [](double a, double b, double c) { return canonical(Op::apply(a, b, c)); });
}

int hostMode(Rounding rounding) {
  switch (rounding) {
  case Rounding::Zero:
    return FE_TOWARDZERO;
  case Rounding::Down:
    return FE_DOWNWARD;
  case Rounding::Up:
    return FE_UPWARD;
  case Rounding::Nearest:
    break;
  }
  return FE_TONEAREST;
}

// choice[0]: Rounding.
template <class Op, class... Operands> void directedHandler(Warp &w, const Instruction &i, Mask m) {
  constexpr std::size_t count = sizeof...(Operands);
  const double *sources[count];
  for (std::size_t source = 0; source < count; ++source)
    sources[source] = w.at<double>(i.slots[1 + source]);
  auto *d = w.at<std::uint64_t>(i.slots[0]);
  std::fesetround(hostMode(static_cast<Rounding>(i.choice[0])));
  for (Mask left = m; left != 0; left &= left - 1) {
    auto lane = static_cast<unsigned>(__builtin_ctz(left));
    volatile double operands[count];
    for (std::size_t source = 0; source < count; ++source)
      operands[source] = sources[source][lane];
    volatile double value;
    if constexpr (count == 1)
      value = Op::apply(operands[0]);
    else if constexpr (count == 2)
      value = Op::apply(operands[0], operands[1]);
    else
      value = Op::apply(operands[0], operands[1], operands[2]);
    d[lane] = std::bit_cast<std::uint64_t>(canonical(static_cast<double>(value)));
  }
  std::fesetround(FE_TONEAREST);
}

template <class Op, class... Operands> void decodeOp(Decoder &decoder) {
  Rounding rounding = Rounding::Nearest;
  if (decoder.opcode.take("rz"))
    rounding = Rounding::Zero;
  else if (decoder.opcode.take("rm"))
    rounding = Rounding::Down;
  else if (decoder.opcode.take("rp"))
    rounding = Rounding::Up;
  else
    decoder.opcode.take("rn");
  decoder.instruction().choice[0] = static_cast<std::uint8_t>(rounding);
  decoder.expectOperands(sizeof...(Operands) + 1);
  decoder.write(decoder.operand(0), Type::F64);
  for (std::size_t source = 1; source <= sizeof...(Operands); ++source)
    decoder.read(decoder.operand(source), Type::F64);
  decoder.finish(rounding == Rounding::Nearest ? nearestHandler<Op, Operands...>
                                               : directedHandler<Op, Operands...>);
}

} // namespace

void decodeFloat64(Decoder &decoder) {
  using D = double;
  std::string_view root = decoder.opcode.root;
  if (decodeApproximateFloat64(decoder))
    return;
  if (root == "add")
    decodeOp<Add, D, D>(decoder);
  else if (root == "sub")
    decodeOp<Subtract, D, D>(decoder);
  else if (root == "mul")
    decodeOp<Multiply, D, D>(decoder);
  else if (root == "fma" || root == "mad")
    decodeOp<FusedMultiplyAdd, D, D, D>(decoder);
  else if (root == "div")
    decodeOp<Divide, D, D>(decoder);
  else if (root == "sqrt")
    decodeOp<SquareRoot, D>(decoder);
  else if (root == "rcp")
    decodeOp<Reciprocal, D>(decoder);
  else if (root == "abs")
    decodeOp<Absolute, D>(decoder);
  else if (root == "neg")
    decodeOp<Negate, D>(decoder);
  else if (root == "min")
    decodeOp<Extremum<false>, D, D>(decoder);
  else if (root == "max")
    decodeOp<Extremum<true>, D, D>(decoder);
  else if (root == "copysign")
    decodeOp<CopySign, D, D>(decoder);
  else
    decoder.unknown("type .f64");
}

} // namespace trowel::sim::exec
