// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From tiles to registers: a tile becomes one LLVM value for each register of its layout.
#pragma once

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"

namespace trowel::compiler {

/// `tensor<1024xf32, #layout>` with 4 registers becomes four f32; `!tile.ptr<f32>` becomes a
/// pointer to global memory; scalars stay. A tile without a layout does not convert.
class RegisterTypeConverter : public mlir::LLVMTypeConverter {
public:
  explicit RegisterTypeConverter(mlir::MLIRContext *context);
};

} // namespace trowel::compiler
