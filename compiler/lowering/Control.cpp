// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers loops, branches and early returns.
//
// This comes after everything else: as long as loops and branches have structure, their carried
// values convert by types alone, and a tile in one is just several registers. Then MLIR's patterns
// make blocks of them. An early return may stand inside any of them, where structure has no room
// for it; once there are only blocks, its block is cut in two and branches to one that returns.
//
// All conditions are scalars and so the same in all threads of a program: branches never diverge by
// what the language says, and barriers inside them are safe.

#include "compiler/lowering/Patterns.h"
#include "dialect/TileDialect.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace trowel;
using namespace trowel::tile;

static LogicalResult lowerStructure(ModuleOp module, const compiler::RegisterTypeConverter &types) {
  bool structured = module
                        .walk([](Operation *op) {
                          return isa<scf::SCFDialect>(op->getDialect()) ? WalkResult::interrupt()
                                                                        : WalkResult::advance();
                        })
                        .wasInterrupted();
  if (!structured)
    return success();
  MLIRContext *context = module.getContext();
  LLVMConversionTarget legal(*context);
  legal.addLegalOp<ModuleOp, ReturnIfOp>();
  legal.addLegalDialect<NVVM::NVVMDialect>();
  legal.addIllegalDialect<scf::SCFDialect, cf::ControlFlowDialect, arith::ArithDialect>();
  RewritePatternSet patterns(context);
  populateSCFToControlFlowConversionPatterns(patterns);
  cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
  arith::populateArithToLLVMConversionPatterns(types, patterns);
  return applyFullConversion(module, legal, std::move(patterns));
}

/// Cuts the block of an early return behind it and branches to `exit` or on.
static void lowerReturnIf(ReturnIfOp op, Block *exit) {
  Block *block = op->getBlock();
  Block *rest = block->splitBlock(std::next(op->getIterator()));
  OpBuilder builder = OpBuilder::atBlockEnd(block);
  LLVM::CondBrOp::create(builder, op.getLoc(), op.getCondition(), exit, rest);
  op.erase();
}

LogicalResult compiler::lowerControlFlow(ModuleOp module, const RegisterTypeConverter &types) {
  if (failed(lowerStructure(module, types)))
    return failure();
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    SmallVector<ReturnIfOp> returns;
    function.walk([&](ReturnIfOp op) { returns.push_back(op); });
    if (returns.empty())
      continue;
    OpBuilder builder(function.getContext());
    Block *exit = builder.createBlock(&function.getBody(), function.getBody().end());
    LLVM::ReturnOp::create(builder, function.getLoc(), ValueRange());
    for (ReturnIfOp op : returns)
      lowerReturnIf(op, exit);
  }
  return success();
}
