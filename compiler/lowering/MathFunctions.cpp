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
// folds to what it was. So it is with shifts: LLVM's are poison from the width on, though PTX's
// would do for 32 and 64 bits what the language wants.

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

/// Between f32 or f64 and an integer of 32 or 64 bits, toward zero; saturating, as PTX is and
/// LLVM's own conversions are not. `intoFloat` says which way.
static Value convertTowardZero(OpBuilder &builder, Location location, Value number, Type to,
                               bool isUnsigned, bool intoFloat) {
  Type integer = intoFloat ? number.getType() : to, floating = intoFloat ? to : number.getType();
  std::string integerName =
      (isUnsigned ? "u" : "") + std::string(integer.isInteger(64) ? "ll" : "i");
  std::string floatName = floating.isF64() ? "d" : "f";
  std::string name = "llvm.nvvm." +
                     (intoFloat ? integerName + "2" + floatName : floatName + "2" + integerName) +
                     ".rz";
  return LLVM::CallIntrinsicOp::create(builder, location, to, builder.getStringAttr(name), number)
      .getResult(0);
}

static Value constantLike(OpBuilder &builder, Location location, Value like, int64_t value) {
  return LLVM::ConstantOp::create(builder, location, builder.getIntegerAttr(like.getType(), value));
}

Value trowel::compiler::integerToBf16(OpBuilder &builder, Location location, Value integer,
                                      bool isUnsigned) {
  // Rounding to f32 first and to bf16 then would round twice (2^24 + 2^16 + 1 ties wrongly). So the
  // first step rounds to odd: toward zero, with the last bit set if anything was lost, which keeps
  // the second step honest.
  auto width = cast<IntegerType>(integer.getType()).getWidth();
  Type wide = width <= 32 ? builder.getI32Type() : builder.getI64Type();
  if (integer.getType() != wide)
    integer = isUnsigned ? LLVM::ZExtOp::create(builder, location, wide, integer).getResult()
                         : LLVM::SExtOp::create(builder, location, wide, integer).getResult();
  Value towardZero = convertTowardZero(builder, location, integer, builder.getF32Type(), isUnsigned,
                                       /*intoFloat=*/true);
  Value back =
      convertTowardZero(builder, location, towardZero, wide, isUnsigned, /*intoFloat=*/false);
  Value lost = LLVM::ICmpOp::create(builder, location, LLVM::ICmpPredicate::ne, back, integer);
  Value bits = LLVM::BitcastOp::create(builder, location, builder.getI32Type(), towardZero);
  Value odd = LLVM::OrOp::create(
      builder, location, bits, LLVM::ZExtOp::create(builder, location, builder.getI32Type(), lost));
  Value number = LLVM::BitcastOp::create(builder, location, builder.getF32Type(), odd);
  return LLVM::FPTruncOp::create(builder, location, builder.getBF16Type(), number);
}

Value trowel::compiler::floatToInteger(OpBuilder &builder, Location location, Value number,
                                       IntegerType integer, bool isUnsigned) {
  // Narrow results are clamped as i32, which holds the bounds of either kind.
  unsigned width = integer.getWidth();
  bool narrow = width < 32;
  Type wide = narrow ? builder.getI32Type() : integer;
  Value converted = convertTowardZero(builder, location, number, wide, isUnsigned && !narrow,
                                      /*intoFloat=*/false);
  // What hardware makes of a NaN depends on the types: 0, or the highest bit alone.
  Value isNumber =
      LLVM::FCmpOp::create(builder, location, LLVM::FCmpPredicate::ord, number, number);
  Value result = LLVM::SelectOp::create(builder, location, isNumber, converted,
                                        constantLike(builder, location, converted, 0));
  if (!narrow)
    return result;
  int64_t least = isUnsigned ? 0 : -(int64_t(1) << (width - 1));
  int64_t largest = isUnsigned ? (int64_t(1) << width) - 1 : -least - 1;
  result = LLVM::SMaxOp::create(builder, location, result,
                                constantLike(builder, location, result, least));
  result = LLVM::SMinOp::create(builder, location, result,
                                constantLike(builder, location, result, largest));
  return LLVM::TruncOp::create(builder, location, integer, result);
}

namespace {
/// A divisor without the values for which division is not defined.
struct SafeDivisor {
  Value isZero, isMinusOne, divisor;

  SafeDivisor(OpBuilder &builder, Location location, Value y, bool isUnsigned) {
    auto equals = [&](int64_t value) {
      return LLVM::ICmpOp::create(builder, location, LLVM::ICmpPredicate::eq, y,
                                  constantLike(builder, location, y, value));
    };
    Value unsafe = isZero = equals(0);
    if (!isUnsigned) {
      isMinusOne = equals(-1);
      unsafe = LLVM::OrOp::create(builder, location, isZero, isMinusOne);
    }
    divisor =
        LLVM::SelectOp::create(builder, location, unsafe, constantLike(builder, location, y, 1), y);
  }
};
} // namespace

Value trowel::compiler::divideIntegers(OpBuilder &builder, Location location, Value x, Value y) {
  SafeDivisor safe(builder, location, y, /*isUnsigned=*/false);
  Value quotient = LLVM::SDivOp::create(builder, location, x, safe.divisor);
  Value negated = LLVM::SubOp::create(builder, location, constantLike(builder, location, x, 0), x);
  Value byMinusOne = LLVM::SelectOp::create(builder, location, safe.isMinusOne, negated, quotient);
  return LLVM::SelectOp::create(builder, location, safe.isZero,
                                constantLike(builder, location, x, -1), byMinusOne);
}

Value trowel::compiler::remainderOfIntegers(OpBuilder &builder, Location location, Value x,
                                            Value y) {
  SafeDivisor safe(builder, location, y, /*isUnsigned=*/false);
  Value remainder = LLVM::SRemOp::create(builder, location, x, safe.divisor); // 0 where y is −1
  return LLVM::SelectOp::create(builder, location, safe.isZero, x, remainder);
}

Value trowel::compiler::divideUnsigned(OpBuilder &builder, Location location, Value x, Value y) {
  SafeDivisor safe(builder, location, y, /*isUnsigned=*/true);
  Value quotient = LLVM::UDivOp::create(builder, location, x, safe.divisor);
  return LLVM::SelectOp::create(builder, location, safe.isZero,
                                constantLike(builder, location, x, -1), quotient);
}

Value trowel::compiler::remainderOfUnsigned(OpBuilder &builder, Location location, Value x,
                                            Value y) {
  SafeDivisor safe(builder, location, y, /*isUnsigned=*/true);
  Value remainder = LLVM::URemOp::create(builder, location, x, safe.divisor);
  return LLVM::SelectOp::create(builder, location, safe.isZero, x, remainder);
}

/// A shift that fills with zeros.
template <class Shift>
static Value shiftInZeros(OpBuilder &builder, Location location, Value x, Value count) {
  int64_t width = cast<IntegerType>(x.getType()).getWidth();
  Value within = LLVM::ICmpOp::create(builder, location, LLVM::ICmpPredicate::ult, count,
                                      constantLike(builder, location, x, width));
  Value masked =
      LLVM::AndOp::create(builder, location, count, constantLike(builder, location, x, width - 1));
  Value shifted = Shift::create(builder, location, x, masked);
  return LLVM::SelectOp::create(builder, location, within, shifted,
                                constantLike(builder, location, x, 0));
}

Value trowel::compiler::shiftLeft(OpBuilder &builder, Location location, Value x, Value count) {
  return shiftInZeros<LLVM::ShlOp>(builder, location, x, count);
}

Value trowel::compiler::shiftRightUnsigned(OpBuilder &builder, Location location, Value x,
                                           Value count) {
  return shiftInZeros<LLVM::LShrOp>(builder, location, x, count);
}

Value trowel::compiler::shiftRight(OpBuilder &builder, Location location, Value x, Value count) {
  // By one less than the width, only the sign is left.
  int64_t width = cast<IntegerType>(x.getType()).getWidth();
  Value places =
      LLVM::UMinOp::create(builder, location, count, constantLike(builder, location, x, width - 1));
  return LLVM::AShrOp::create(builder, location, x, places);
}
