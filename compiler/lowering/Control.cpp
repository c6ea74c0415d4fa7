// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers loops, branches and early returns.
//
// This comes after everything else: as long as loops and branches have structure, their carried
// values convert by types alone, and a tile in one is just several registers. Then MLIR's patterns
// make blocks of them. An early return may stand inside any of them, where structure has no room
// for it; once there are only blocks, its block is cut in two and branches to one that returns.
//
// A loop counts up and ends below its upper bound, whatever the numbers are. MLIR's pattern adds
// the step and then compares, which never ends where the sum passes the greatest number; so unless
// that cannot happen, the trips are counted beforehand: (end − begin − 1) / step + 1, unsigned,
// which is right for all i64. A step that is not positive makes no trip.
//
//   begin = 2^63 − 4, end = 2^63 − 1, step = 2:  (3 − 1) / 2 + 1 = 2 trips
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
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace trowel;
using namespace trowel::tile;

/// Whether adding the step to a number below the upper bound stays in range.
static bool cannotPass(APInt step, Value upperBound) {
  APInt bound;
  if (step.isOne())
    return true;
  return step.isStrictlyPositive() && matchPattern(upperBound, m_ConstantInt(&bound)) &&
         bound.sle(APInt::getSignedMaxValue(step.getBitWidth()) - (step - 1));
}

/// Makes a loop count its trips, unless its variable cannot pass the greatest number.
static void countTrips(scf::ForOp loop) {
  APInt known;
  bool isConstant = matchPattern(loop.getStep(), m_ConstantInt(&known));
  if (loop.getUnsignedCmp() || (isConstant && cannotPass(known, loop.getUpperBound())))
    return;
  OpBuilder builder(loop);
  Location at = loop.getLoc();
  Value begin = loop.getLowerBound(), end = loop.getUpperBound(), step = loop.getStep();
  Type type = begin.getType();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, at, builder.getIntegerAttr(type, value));
  };
  Value zero = constant(0), one = constant(1);
  Value runs = arith::CmpIOp::create(builder, at, arith::CmpIPredicate::slt, begin, end);
  Value divisor = step;
  if (!isConstant || !known.isStrictlyPositive()) {
    Value counts = arith::CmpIOp::create(builder, at, arith::CmpIPredicate::sgt, step, zero);
    runs = arith::AndIOp::create(builder, at, runs, counts);
    divisor = arith::SelectOp::create(builder, at, counts, step, one);
  }
  Value span = arith::SubIOp::create(builder, at, end, begin);
  span = arith::SubIOp::create(builder, at, span, one);
  Value trips = arith::DivUIOp::create(builder, at, span, divisor);
  trips = arith::AddIOp::create(builder, at, trips, one);
  trips = arith::SelectOp::create(builder, at, runs, trips, zero);

  loop.setLowerBound(zero);
  loop.setUpperBound(trips);
  loop.setStep(one);
  loop.setUnsignedCmp(true);
  builder.setInsertionPointToStart(loop.getBody());
  Value trip = loop.getInductionVar();
  Value distance = arith::MulIOp::create(builder, at, trip, step);
  Value variable = arith::AddIOp::create(builder, at, begin, distance);
  trip.replaceAllUsesExcept(variable, distance.getDefiningOp());
}

static LogicalResult lowerStructure(ModuleOp module, const compiler::RegisterTypeConverter &types) {
  bool structured = module
                        .walk([](Operation *op) {
                          return isa<scf::SCFDialect>(op->getDialect()) ? WalkResult::interrupt()
                                                                        : WalkResult::advance();
                        })
                        .wasInterrupted();
  if (!structured)
    return success();
  module.walk([](scf::ForOp loop) { countTrips(loop); });
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
