// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematical functions as instruction sequences, with the accuracy that their ops state.
#pragma once

#include "mlir/IR/Builders.h"

namespace trowel::compiler {

/// e^x of an f32: at most 2 ulp from the correctly rounded value.
mlir::Value expandExp(mlir::OpBuilder &builder, mlir::Location location, mlir::Value x);
/// tanh x of an f32: at most 2 ulp from the correctly rounded value.
mlir::Value expandTanh(mlir::OpBuilder &builder, mlir::Location location, mlir::Value x);

/// e^x and tanh x of an f32 by the hardware's approximation: enough for results of 8 or 11 bits.
mlir::Value approximateExp(mlir::OpBuilder &builder, mlir::Location location, mlir::Value x);
mlir::Value approximateTanh(mlir::OpBuilder &builder, mlir::Location location, mlir::Value x);

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
/// Shifts by the language's rules: by the width or more, the count read as unsigned, give 0 or the
/// sign.
mlir::Value shiftLeft(mlir::OpBuilder &builder, mlir::Location location, mlir::Value x,
                      mlir::Value count);
mlir::Value shiftRight(mlir::OpBuilder &builder, mlir::Location location, mlir::Value x,
                       mlir::Value count);
mlir::Value shiftRightUnsigned(mlir::OpBuilder &builder, mlir::Location location, mlir::Value x,
                               mlir::Value count);

} // namespace trowel::compiler
