// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the language defines of integers for every input, as instruction sequences.
#pragma once

#include "mlir/IR/Builders.h"

namespace trowel::compiler {

/// An integer to bf16, rounded once to nearest even.
mlir::Value integerToBf16(mlir::OpBuilder &builder, mlir::Location location, mlir::Value integer,
                          bool isUnsigned);
/// An f32 or f64 to an integer of 8 to 64 bits: truncated, saturated, NaN to 0.
mlir::Value floatToInteger(mlir::OpBuilder &builder, mlir::Location location, mlir::Value number,
                           mlir::IntegerType integer, bool isUnsigned);

/// x / y and x % y of integers by the language's rules, total and without undefined behaviour.
mlir::Value divideIntegers(mlir::OpBuilder &builder, mlir::Location location, mlir::Value x,
                           mlir::Value y);
mlir::Value remainderOfIntegers(mlir::OpBuilder &builder, mlir::Location location, mlir::Value x,
                                mlir::Value y);
mlir::Value divideUnsigned(mlir::OpBuilder &builder, mlir::Location location, mlir::Value x,
                           mlir::Value y);
mlir::Value remainderOfUnsigned(mlir::OpBuilder &builder, mlir::Location location, mlir::Value x,
                                mlir::Value y);
/// The upper half of the product of twice the width.
mlir::Value multiplyHigh(mlir::OpBuilder &builder, mlir::Location location, mlir::Value x,
                         mlir::Value y);
mlir::Value multiplyHighUnsigned(mlir::OpBuilder &builder, mlir::Location location, mlir::Value x,
                                 mlir::Value y);
/// Shifts by the language's rules: by the width or more, the count read as unsigned, give 0 or the
/// sign.
mlir::Value shiftLeft(mlir::OpBuilder &builder, mlir::Location location, mlir::Value x,
                      mlir::Value count);
mlir::Value shiftRight(mlir::OpBuilder &builder, mlir::Location location, mlir::Value x,
                       mlir::Value count);
mlir::Value shiftRightUnsigned(mlir::OpBuilder &builder, mlir::Location location, mlir::Value x,
                               mlir::Value count);

} // namespace trowel::compiler
