// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The custom directive of loads and stores: the types of mask and value follow from the pointer's,
// which alone is printed. Used by the generated parsers and printers.
#pragma once

#include "mlir/IR/OpImplementation.h"

namespace trowel::tile {

mlir::ParseResult parseAccessTypes(mlir::OpAsmParser &parser, mlir::Type &pointer,
                                   std::optional<mlir::OpAsmParser::UnresolvedOperand> mask,
                                   mlir::Type &maskType,
                                   std::optional<mlir::OpAsmParser::UnresolvedOperand> value,
                                   mlir::Type &valueType);
void printAccessTypes(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::Type pointer,
                      mlir::Value mask, mlir::Type maskType, mlir::Value value,
                      mlir::Type valueType);

} // namespace trowel::tile
