// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The patterns of tile-lower-to-nvvm, one function a family of ops; LowerToNvvm.cpp assembles them.
#pragma once

#include "compiler/Target.h"
#include "compiler/lowering/TypeConverter.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"

namespace trowel::compiler {

/// What all patterns know besides the op.
struct LoweringContext {
  const RegisterTypeConverter &types;
  const Target &target;
};

/// Warps of the kernel that an op belongs to, as tile-coarsen chose them.
int64_t warpsOf(mlir::Operation *op);

void populateProgramPatterns(const LoweringContext &context, mlir::RewritePatternSet &patterns);
void populateMemoryPatterns(const LoweringContext &context, mlir::RewritePatternSet &patterns);
void populateRecordPatterns(const LoweringContext &context, mlir::RewritePatternSet &patterns);
void populateShapePatterns(const LoweringContext &context, mlir::RewritePatternSet &patterns);
void populateReducePatterns(const LoweringContext &context, mlir::RewritePatternSet &patterns);
void populateScanPatterns(const LoweringContext &context, mlir::RewritePatternSet &patterns);
void populateLayoutPatterns(const LoweringContext &context, mlir::RewritePatternSet &patterns);
void populateElementwisePatterns(const LoweringContext &context, mlir::RewritePatternSet &patterns);
void populateHintPatterns(const LoweringContext &context, mlir::RewritePatternSet &patterns);
void populateMathPatterns(const LoweringContext &context, mlir::RewritePatternSet &patterns);

/// Loops, branches and early returns become blocks of llvm.func. Everything else is lowered before.
mlir::LogicalResult lowerControlFlow(mlir::ModuleOp module, const RegisterTypeConverter &types);

} // namespace trowel::compiler
