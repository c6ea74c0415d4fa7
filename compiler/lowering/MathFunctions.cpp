// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematical functions as instruction sequences.
//
// exp. With j = round(x·log2 e) and r = x − j·ln 2, e^x = 2^(r·log2 e) · 2^j. ex2.approx is off by
// 2 ulp of its result for any argument, but the product x·log2 e alone carries a rounding error
// that grows with x: 2^(x·log2 e) directly is off by up to 63 ulp. So r is formed exactly, by two
// fma with ln 2 in two parts, and the power of two is a factor of its own. j is rounded by
// adding 1.5·2^23. It is kept to 127, since 2^128 is infinite while e^x need not be, and x to at
// least −104, below which e^x is 0 and r would be NaN for −inf.
//
//   x = 1:  j = 1, r = 0.30685, 2^(0.44270) = 1.35914, times 2 is 2.71828
//
// tanh. For |x| ≥ 0.65 it is 1 − 2 / (e^(2|x|) + 1), where the errors of the exponential shrink by
// 2e/(e+1)², at most a third. Below, the subtraction would cancel, and x + x³·p(x²) serves, with p
// of degree 4 fitted to a relative error of 0.12·2^−24 by weighted least squares with Lawson's
// iteration.
//
// log. x = 2^e · (1 + f) with f in [−1/3, 1/3), so that no cancellation is left between e · ln 2
// and log(1 + f) = f + f² · p(f), with p of degree 8 fitted like that of tanh to 0.075 · 2^−24. One
// fma joins the two: at most 1 ulp over all f32, 2 ulp for log2.
//
// sigmoid. With t = e^(−|x|) it is 1 / (1 + t) or, below 0, t / (1 + t): t never overflows, and the
// small results keep the relative error of t. So t has to be good to 1 ulp: e^r is a polynomial of
// degree 6 there, fitted to a relative error of 0.07 · 2^−24, in place of ex2.approx. What 1 + t
// loses by rounding is exact as t − ((1 + t) − 1), and what the division leaves, with that, is
// divided once more: at most 1 ulp over all f32. With ex2.approx some of 8.5 million arguments were
// off by 3 ulp on an H200, with one division 39 of them.

#include "compiler/lowering/MathFunctions.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

#include <limits>

using namespace mlir;

namespace {
/// Builds f32 arithmetic at one place.
struct Floats {
  OpBuilder &builder;
  Location location;

  Value constant(float value) {
    return LLVM::ConstantOp::create(builder, location, builder.getF32FloatAttr(value));
  }
  Value add(Value a, Value b) { return LLVM::FAddOp::create(builder, location, a, b); }
  Value sub(Value a, Value b) { return LLVM::FSubOp::create(builder, location, a, b); }
  Value mul(Value a, Value b) { return LLVM::FMulOp::create(builder, location, a, b); }
  Value fma(Value a, Value b, Value c) { return LLVM::FMAOp::create(builder, location, a, b, c); }
  Value abs(Value a) { return LLVM::FAbsOp::create(builder, location, a); }
  Value negate(Value a) { return LLVM::FNegOp::create(builder, location, a); }
  Value select(Value condition, Value a, Value b) {
    return LLVM::SelectOp::create(builder, location, condition, a, b);
  }
  Value less(Value a, Value b) {
    return LLVM::FCmpOp::create(builder, location, LLVM::FCmpPredicate::olt, a, b);
  }
  Value equal(Value a, Value b) {
    return LLVM::FCmpOp::create(builder, location, LLVM::FCmpPredicate::oeq, a, b);
  }
  Value integer(int32_t value) {
    return LLVM::ConstantOp::create(builder, location, builder.getI32IntegerAttr(value));
  }
  Value toBits(Value a) {
    return LLVM::BitcastOp::create(builder, location, builder.getI32Type(), a);
  }
  Value fromBits(Value a) {
    return LLVM::BitcastOp::create(builder, location, builder.getF32Type(), a);
  }
  /// An intrinsic of f32 operands and result.
  Value call(StringRef name, ValueRange arguments) {
    return LLVM::CallIntrinsicOp::create(builder, location, builder.getF32Type(),
                                         builder.getStringAttr(name), arguments)
        .getResult(0);
  }
  Value exp2Approx(Value a) { return call("llvm.nvvm.ex2.approx.ftz.f32", a); }
  /// Without .ftz: a subnormal bf16 has a logarithm like any number.
  Value log2Approx(Value a) { return call("llvm.nvvm.lg2.approx.f", a); }
  Value reciprocalApprox(Value a) { return call("llvm.nvvm.rcp.approx.ftz.f", a); }
};
} // namespace

static constexpr float log2E = 1.44269504f;
static constexpr float ln2 = 0.693147182f;

namespace {
/// x = j · ln 2 + r, with |r| at most ln 2 / 2, for the x of which e^x is neither 0 nor infinite.
struct ExpParts {
  Value j, r;

  ExpParts(OpBuilder &builder, Location location, Value x) {
    Floats f{builder, location};
    // ln 2 = high + low; the high part has 15 bits, so that j · high is exact.
    Value minusHigh = f.constant(-0x1.62e4p-1f), minusLow = f.constant(-0x1.7f7d1cp-20f);
    Value round = f.constant(0x1.8p23f);
    Value bounded = LLVM::MaximumOp::create(builder, location, x, f.constant(-104.0f));
    j = f.sub(f.fma(bounded, f.constant(log2E), round), round);
    j = LLVM::MinNumOp::create(builder, location, j, f.constant(127.0f));
    r = f.fma(j, minusLow, f.fma(j, minusHigh, bounded));
  }
};
} // namespace

Value trowel::compiler::expandExp(OpBuilder &builder, Location location, Value x) {
  Floats f{builder, location};
  ExpParts parts(builder, location, x);
  return f.mul(f.exp2Approx(f.mul(parts.r, f.constant(log2E))), f.exp2Approx(parts.j));
}

/// e^x within 1 ulp, 4 instructions longer than expandExp.
static Value closeExp(OpBuilder &builder, Location location, Value x) {
  Floats f{builder, location};
  ExpParts parts(builder, location, x);
  Value p = f.constant(0.0013814222f);
  for (float coefficient : {0.008368899f, 0.041668404f, 0.1666652f, 0.49999994f})
    p = f.fma(p, parts.r, f.constant(coefficient));
  Value power = f.add(f.fma(p, f.mul(parts.r, parts.r), parts.r), f.constant(1.0f));
  return f.mul(power, f.exp2Approx(parts.j));
}

Value trowel::compiler::expandTanh(OpBuilder &builder, Location location, Value x) {
  Floats f{builder, location};
  Value magnitude = f.abs(x);
  Value power = f.exp2Approx(f.mul(magnitude, f.constant(2 * log2E)));
  Value large = f.fma(f.reciprocalApprox(f.add(power, f.constant(1.0f))), f.constant(-2.0f),
                      f.constant(1.0f));

  Value z = f.mul(x, x);
  Value p = f.constant(-0.0055151633f);
  for (float coefficient : {0.02046942f, -0.053688023f, 0.1333083f, -0.3333326f})
    p = f.fma(p, z, f.constant(coefficient));
  Value small = f.fma(f.mul(p, z), x, x);

  Value isSmall = LLVM::FCmpOp::create(builder, location, LLVM::FCmpPredicate::olt, magnitude,
                                       f.constant(0.65f));
  // The sum of x³·p and x is +0 for −0, too.
  return LLVM::CopySignOp::create(builder, location, f.select(isSmall, small, large), x);
}

Value trowel::compiler::expandExp2(OpBuilder &builder, Location location, Value x) {
  // Without .ftz, so that results below the least normal number are there.
  return Floats{builder, location}.call("llvm.nvvm.ex2.approx.f32", x);
}

namespace {
/// x = 2^exponent · (1 + f), and log(1 + f), for positive numbers.
struct LogParts {
  Value exponent, logOfRest;

  LogParts(OpBuilder &builder, Location location, Value x) {
    Floats f{builder, location};
    // A subnormal number is scaled into the normal range first.
    Value isSmall = f.less(x, f.constant(0x1p-126f));
    Value scaled = f.select(isSmall, f.mul(x, f.constant(0x1p23f)), x);
    Value offset = f.select(isSmall, f.constant(-23.0f), f.constant(0.0f));
    // 1 + f lies in [2/3, 4/3): the exponent is taken off after a shift by the bits of 2/3.
    Value bits = f.toBits(scaled);
    Value shifted = LLVM::AndOp::create(
        builder, location, LLVM::SubOp::create(builder, location, bits, f.integer(0x3f2aaaab)),
        f.integer(static_cast<int32_t>(0xff800000)));
    Value rest =
        f.sub(f.fromBits(LLVM::SubOp::create(builder, location, bits, shifted)), f.constant(1.0f));
    Value whole = LLVM::AShrOp::create(builder, location, shifted, f.integer(23));
    exponent =
        f.add(LLVM::SIToFPOp::create(builder, location, builder.getF32Type(), whole), offset);
    Value p = f.constant(-0.12948969f);
    for (float coefficient : {0.14004761f, -0.12167153f, 0.1400116f, -0.16682306f, 0.20010747f,
                              -0.24999717f, 0.3333321f, -0.5f})
      p = f.fma(p, rest, f.constant(coefficient));
    logOfRest = f.fma(f.mul(rest, rest), p, rest);
  }
};

/// The logarithm where it is a number; −inf, inf or NaN where it is not.
Value withSpecialValues(Floats f, Value x, Value logarithm) {
  Value infinite = f.constant(std::numeric_limits<float>::infinity());
  Value zero = f.constant(0.0f);
  // The comparison is false for NaN and inf, which stay what they are; −inf and numbers below 0
  // become NaN by the last choice.
  Value result = f.select(f.less(x, infinite), logarithm, x);
  result = f.select(f.equal(x, zero), f.constant(-std::numeric_limits<float>::infinity()), result);
  return f.select(f.less(x, zero), f.constant(std::numeric_limits<float>::quiet_NaN()), result);
}
} // namespace

Value trowel::compiler::expandLog(OpBuilder &builder, Location location, Value x) {
  Floats f{builder, location};
  LogParts parts(builder, location, x);
  return withSpecialValues(f, x, f.fma(parts.exponent, f.constant(ln2), parts.logOfRest));
}

Value trowel::compiler::expandLog2(OpBuilder &builder, Location location, Value x) {
  Floats f{builder, location};
  LogParts parts(builder, location, x);
  return withSpecialValues(f, x, f.fma(parts.logOfRest, f.constant(log2E), parts.exponent));
}

Value trowel::compiler::expandSigmoid(OpBuilder &builder, Location location, Value x) {
  Floats f{builder, location};
  Value one = f.constant(1.0f);
  Value power = closeExp(builder, location, f.negate(f.abs(x)));
  Value sum = f.add(power, one);
  Value lost = f.sub(power, f.sub(sum, one));
  Value numerator = f.select(f.less(x, f.constant(0.0f)), power, one);
  Value inverse = f.reciprocalApprox(sum);
  Value quotient = f.mul(numerator, inverse);
  Value rest = f.fma(f.negate(sum), quotient, numerator);
  rest = f.fma(f.negate(lost), quotient, rest);
  return f.fma(rest, inverse, quotient);
}

Value trowel::compiler::expandRsqrt(OpBuilder &builder, Location location, Value x) {
  return Floats{builder, location}.call("llvm.nvvm.rsqrt.approx.f", x);
}

Value trowel::compiler::approximateExp(OpBuilder &builder, Location location, Value x) {
  Floats f{builder, location};
  return f.exp2Approx(f.mul(x, f.constant(log2E)));
}

Value trowel::compiler::approximateExp2(OpBuilder &builder, Location location, Value x) {
  return Floats{builder, location}.exp2Approx(x);
}

Value trowel::compiler::approximateLog(OpBuilder &builder, Location location, Value x) {
  Floats f{builder, location};
  return f.mul(f.log2Approx(x), f.constant(ln2));
}

Value trowel::compiler::approximateLog2(OpBuilder &builder, Location location, Value x) {
  return Floats{builder, location}.log2Approx(x);
}

Value trowel::compiler::approximateSin(OpBuilder &builder, Location location, Value x) {
  return Floats{builder, location}.call("llvm.nvvm.sin.approx.ftz.f", x);
}

Value trowel::compiler::approximateCos(OpBuilder &builder, Location location, Value x) {
  return Floats{builder, location}.call("llvm.nvvm.cos.approx.ftz.f", x);
}

Value trowel::compiler::approximateTan(OpBuilder &builder, Location location, Value x) {
  Floats f{builder, location};
  return f.mul(approximateSin(builder, location, x),
               f.reciprocalApprox(approximateCos(builder, location, x)));
}

Value trowel::compiler::approximateTanh(OpBuilder &builder, Location location, Value x) {
  // No intrinsic of LLVM gives tanh.approx for f32.
  return LLVM::InlineAsmOp::create(builder, location, TypeRange(builder.getF32Type()),
                                   ValueRange(x), "tanh.approx.f32 $0, $1;", "=r,r",
                                   /*has_side_effects=*/false,
                                   /*is_align_stack=*/false, LLVM::TailCallKind::None,
                                   LLVM::AsmDialectAttr(), ArrayAttr())
      .getResult(0);
}

Value trowel::compiler::approximateSigmoid(OpBuilder &builder, Location location, Value x) {
  Floats f{builder, location};
  Value power = f.exp2Approx(f.mul(x, f.constant(-log2E)));
  return f.reciprocalApprox(f.add(power, f.constant(1.0f)));
}

Value trowel::compiler::approximateRsqrt(OpBuilder &builder, Location location, Value x) {
  return Floats{builder, location}.call("llvm.nvvm.rsqrt.approx.ftz.f", x);
}

Value trowel::compiler::approximatePow(OpBuilder &builder, Location location, Value x, Value y) {
  Floats f{builder, location};
  return f.exp2Approx(f.mul(y, f.log2Approx(x)));
}
