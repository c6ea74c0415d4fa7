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
// Integers. PTX and LLVM leave x / 0 and the least number over −1 undefined or unspecified; the
// divisor is replaced by 1 there and the rule's value selected afterwards. A division by a constant
// folds to what it was.

#include "compiler/lowering/MathFunctions.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

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
  /// An intrinsic of f32 operands and result.
  Value call(StringRef name, ValueRange arguments) {
    return LLVM::CallIntrinsicOp::create(builder, location, builder.getF32Type(),
                                         builder.getStringAttr(name), arguments)
        .getResult(0);
  }
  Value exp2Approx(Value a) { return call("llvm.nvvm.ex2.approx.ftz.f32", a); }
  Value reciprocalApprox(Value a) { return call("llvm.nvvm.rcp.approx.ftz.f", a); }
};
} // namespace

static constexpr float log2E = 1.44269504f;

Value trowel::compiler::expandExp(OpBuilder &builder, Location location, Value x) {
  Floats f{builder, location};
  // ln 2 = high + low; the high part has 15 bits, so that j · high is exact.
  Value minusHigh = f.constant(-0x1.62e4p-1f), minusLow = f.constant(-0x1.7f7d1cp-20f);
  Value round = f.constant(0x1.8p23f);
  Value bounded = LLVM::MaximumOp::create(builder, location, x, f.constant(-104.0f));
  Value j = f.sub(f.fma(bounded, f.constant(log2E), round), round);
  j = LLVM::MinNumOp::create(builder, location, j, f.constant(127.0f));
  Value r = f.fma(j, minusLow, f.fma(j, minusHigh, bounded));
  return f.mul(f.exp2Approx(f.mul(r, f.constant(log2E))), f.exp2Approx(j));
}

Value trowel::compiler::expandTanh(OpBuilder &builder, Location location, Value x) {
  Floats f{builder, location};
  Value magnitude = f.abs(x);
  Value power = f.exp2Approx(f.mul(magnitude, f.constant(2 * log2E)));
  Value large = f.fma(f.reciprocalApprox(f.add(power, f.constant(1.0f))), f.constant(-2.0f),
                      f.constant(1.0f));
  large = LLVM::CopySignOp::create(builder, location, large, x);

  Value z = f.mul(x, x);
  Value p = f.constant(-0.0055151633f);
  for (float coefficient : {0.02046942f, -0.053688023f, 0.1333083f, -0.3333326f})
    p = f.fma(p, z, f.constant(coefficient));
  Value small = f.fma(f.mul(p, z), x, x);

  Value isSmall = LLVM::FCmpOp::create(builder, location, LLVM::FCmpPredicate::olt, magnitude,
                                       f.constant(0.65f));
  return LLVM::SelectOp::create(builder, location, isSmall, small, large);
}

Value trowel::compiler::approximateExp(OpBuilder &builder, Location location, Value x) {
  Floats f{builder, location};
  return f.exp2Approx(f.mul(x, f.constant(log2E)));
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

Value trowel::compiler::integerToBf16(OpBuilder &builder, Location location, Value integer) {
  // Rounding to f32 first and to bf16 then would round twice (2^24 + 2^16 + 1 ties wrongly). So the
  // first step rounds to odd: toward zero, with the last bit set if anything was lost, which keeps
  // the second step honest.
  auto width = cast<IntegerType>(integer.getType()).getWidth();
  Type wide = width <= 32 ? builder.getI32Type() : builder.getI64Type();
  if (integer.getType() != wide)
    integer = LLVM::SExtOp::create(builder, location, wide, integer);
  bool is64 = wide.isInteger(64);
  Floats f{builder, location};
  Value towardZero = f.call(is64 ? "llvm.nvvm.ll2f.rz" : "llvm.nvvm.i2f.rz", integer);
  Value back =
      LLVM::CallIntrinsicOp::create(
          builder, location, wide,
          builder.getStringAttr(is64 ? "llvm.nvvm.f2ll.rz" : "llvm.nvvm.f2i.rz"), towardZero)
          .getResult(0);
  Value lost = LLVM::ICmpOp::create(builder, location, LLVM::ICmpPredicate::ne, back, integer);
  Value bits = LLVM::BitcastOp::create(builder, location, builder.getI32Type(), towardZero);
  Value odd = LLVM::OrOp::create(
      builder, location, bits, LLVM::ZExtOp::create(builder, location, builder.getI32Type(), lost));
  Value number = LLVM::BitcastOp::create(builder, location, builder.getF32Type(), odd);
  return LLVM::FPTruncOp::create(builder, location, builder.getBF16Type(), number);
}

Value trowel::compiler::floatToInteger(OpBuilder &builder, Location location, Value number,
                                       Type integer) {
  bool is64 = integer.isInteger(64);
  Type wide = is64 ? builder.getI64Type() : builder.getI32Type();
  Value converted =
      LLVM::CallIntrinsicOp::create(
          builder, location, wide,
          builder.getStringAttr(is64 ? "llvm.nvvm.f2ll.rz" : "llvm.nvvm.f2i.rz"), number)
          .getResult(0);
  // The 64-bit conversion gives 2^63 for NaN on hardware, the 32-bit one 0.
  Value isNumber =
      LLVM::FCmpOp::create(builder, location, LLVM::FCmpPredicate::ord, number, number);
  Value zero = LLVM::ConstantOp::create(builder, location, builder.getIntegerAttr(wide, 0));
  return LLVM::SelectOp::create(builder, location, isNumber, converted, zero);
}

namespace {
/// A divisor without the values for which division is not defined.
struct SafeDivisor {
  Value isZero, isMinusOne, divisor;

  SafeDivisor(OpBuilder &builder, Location location, Value y) {
    Type type = y.getType();
    auto constant = [&](int64_t value) {
      return LLVM::ConstantOp::create(builder, location, builder.getIntegerAttr(type, value));
    };
    isZero = LLVM::ICmpOp::create(builder, location, LLVM::ICmpPredicate::eq, y, constant(0));
    isMinusOne = LLVM::ICmpOp::create(builder, location, LLVM::ICmpPredicate::eq, y, constant(-1));
    Value unsafe = LLVM::OrOp::create(builder, location, isZero, isMinusOne);
    divisor = LLVM::SelectOp::create(builder, location, unsafe, constant(1), y);
  }
};
} // namespace

Value trowel::compiler::divideIntegers(OpBuilder &builder, Location location, Value x, Value y) {
  SafeDivisor safe(builder, location, y);
  auto constant = [&](int64_t value) {
    return LLVM::ConstantOp::create(builder, location, builder.getIntegerAttr(x.getType(), value));
  };
  Value quotient = LLVM::SDivOp::create(builder, location, x, safe.divisor);
  Value negated = LLVM::SubOp::create(builder, location, constant(0), x);
  Value byMinusOne = LLVM::SelectOp::create(builder, location, safe.isMinusOne, negated, quotient);
  return LLVM::SelectOp::create(builder, location, safe.isZero, constant(-1), byMinusOne);
}

Value trowel::compiler::remainderOfIntegers(OpBuilder &builder, Location location, Value x,
                                            Value y) {
  SafeDivisor safe(builder, location, y);
  Value remainder = LLVM::SRemOp::create(builder, location, x, safe.divisor); // 0 where y is −1
  return LLVM::SelectOp::create(builder, location, safe.isZero, x, remainder);
}
