// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// trowel-opt: runs passes on a .mlir file, as mlir-opt does for MLIR's own dialects.
//
//   trowel-opt kernel.mlir -tile-coalesce -tile-coarsen=warps=4
//   trowel-opt kernel.mlir -tile-layout-pipeline -mlir-print-ir-after-all
//   trowel-opt invalid.mlir -split-input-file -verify-diagnostics
//
// It is what a pass is developed and tested with: one stage of a kernel in, the next one out, or
// with a pipeline all that it goes through. The dialects are those that a kernel meets on its way
// and no more, so the program stays small and starts at once. MLIR's own simplifications
// (-canonicalize, -cse) are there too, since ours stand on them.
//
// It links the compiler's objects and the static LLVM, never libtrowel.so beside them: two copies
// of one dialect in a process do not recognise each other's types.
#include "compiler/Pipeline.h"
#include "dialect/TileDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<trowel::tile::TileDialect, mlir::arith::ArithDialect,
                  mlir::cf::ControlFlowDialect, mlir::func::FuncDialect, mlir::LLVM::LLVMDialect,
                  mlir::math::MathDialect, mlir::NVVM::NVVMDialect, mlir::scf::SCFDialect>();
  trowel::tile::registerBuiltinModels(registry);
  trowel::compiler::registerPassesAndPipelines();
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  mlir::registerSymbolDCEPass();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "Trowel's pass runner\n", registry));
}
