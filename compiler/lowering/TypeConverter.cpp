// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From tiles to registers.
//
// A tile's values are kept apart, one LLVM value a register, from the first op on. The usual
// alternative, an LLVM struct that every op takes apart and puts together again, costs LLVM as much
// time as the rest of its work on a small kernel.

#include "compiler/lowering/TypeConverter.h"

#include "dialect/TileDialect.h"

#include "mlir/Conversion/LLVMCommon/LoweringOptions.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace trowel;
using namespace trowel::tile;

compiler::RegisterTypeConverter::RegisterTypeConverter(MLIRContext *context)
    : LLVMTypeConverter(context, [&] {
        LowerToLLVMOptions options(context);
        options.overrideIndexBitwidth(64);
        return options;
      }()) {
  addConversion([](PtrType type) -> Type {
    return LLVM::LLVMPointerType::get(type.getContext(),
                                      static_cast<unsigned>(NVVM::NVVMMemorySpace::Global));
  });
  addConversion([this](RankedTensorType type,
                       SmallVectorImpl<Type> &results) -> std::optional<LogicalResult> {
    LayoutAttr layout = layoutOf(type);
    Type element = convertType(type.getElementType());
    if (!layout || !element)
      return failure();
    results.append(liveRegisters(type).size(), element);
    return success();
  });
}
