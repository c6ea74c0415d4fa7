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

/// A signed integer of 32 or 64 bits, or any narrower one, to bf16, rounded once to nearest even.
mlir::Value integerToBf16(mlir::OpBuilder &builder, mlir::Location location, mlir::Value integer);
/// An f32 to a signed integer of 32 or 64 bits: truncated, saturated, NaN to 0.
mlir::Value floatToInteger(mlir::OpBuilder &builder, mlir::Location location, mlir::Value number,
                           mlir::Type integer);

/// x / y and x % y of signed integers by the language's rules, total and without undefined
/// behaviour.
mlir::Value divideIntegers(mlir::OpBuilder &builder, mlir::Location location, mlir::Value x,
                           mlir::Value y);
mlir::Value remainderOfIntegers(mlir::OpBuilder &builder, mlir::Location location, mlir::Value x,
                                mlir::Value y);

} // namespace trowel::compiler
