// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of f32 as instruction sequences. The bounds are units in the last place, as distances
// to the correctly rounded result.
#pragma once

#include "mlir/IR/Builders.h"

namespace trowel::compiler {

/// A function of one f32, written out where the builder stands.
using Expansion = mlir::Value(mlir::OpBuilder &builder, mlir::Location location, mlir::Value x);

// At most 2 ulp.
Expansion expandExp, expandExp2, expandLog, expandLog2, expandTanh, expandSigmoid, expandRsqrt;

// By the hardware's approximations: enough for results of 8 or 11 bits, within the limits that the
// table of Math.cpp says.
Expansion approximateExp, approximateExp2, approximateLog, approximateLog2, approximateSin,
    approximateCos, approximateTan, approximateTanh, approximateSigmoid, approximateRsqrt;

/// 2^(y · log2 x) by the hardware's approximations.
mlir::Value approximatePow(mlir::OpBuilder &builder, mlir::Location location, mlir::Value x,
                           mlir::Value y);

} // namespace trowel::compiler
