// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Division, shifts and conversions by the language's rules, as instruction sequences.
//
// PTX and LLVM leave x / 0 and the least number over −1 undefined or unspecified; the divisor is
// replaced by 1 there and the rule's value selected afterwards. A division by a constant folds to
// what it was. So it is with shifts: LLVM's are poison from the width on, though PTX's would do for
// 32 and 64 bits what the language wants. LLVM's conversions of floats to integers are poison out
// of range, where PTX's saturate, so those are taken by their NVVM names.

#include "compiler/lowering/IntegerMath.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

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

/// What is above the width in the product of twice the width, which LLVM selects as mul.hi.
template <class Extend>
static Value upperHalf(OpBuilder &builder, Location location, Value x, Value y) {
  unsigned width = cast<IntegerType>(x.getType()).getWidth();
  Type wide = builder.getIntegerType(2 * width);
  Value product = LLVM::MulOp::create(builder, location, Extend::create(builder, location, wide, x),
                                      Extend::create(builder, location, wide, y));
  Value shifted = LLVM::LShrOp::create(builder, location, product,
                                       constantLike(builder, location, product, width));
  return LLVM::TruncOp::create(builder, location, x.getType(), shifted);
}

Value trowel::compiler::multiplyHigh(OpBuilder &builder, Location location, Value x, Value y) {
  return upperHalf<LLVM::SExtOp>(builder, location, x, y);
}

Value trowel::compiler::multiplyHighUnsigned(OpBuilder &builder, Location location, Value x,
                                             Value y) {
  return upperHalf<LLVM::ZExtOp>(builder, location, x, y);
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
