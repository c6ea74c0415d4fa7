// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns facts of the launch arguments into attributes and constants.
//
// Whether 16 bytes can move at once depends on addresses and extents that are known only at the
// launch. So a launch computes a few facts of each argument, and a kernel is compiled once for each
// combination that occurs. The facts were chosen for what the later passes can use: alignment to 16
// bytes is the widest access, to 8 or 4 the widest that a shifted base allows; divisibility by 16
// makes row pitches and bounds fall on vector boundaries, by 8 or 4 (rows of 3000 bf16, of 1004
// floats) on those of wider elements; a stride of exactly 1 makes an access contiguous.
//
// Before: a traced kernel. After: arguments carry `tile.divisibility`, `tile.fits32` and
// `tile.value`, and arguments that are 1 have no uses. The parameters themselves stay, so that all
// variants are launched alike. Not done: specialising for arbitrary values; each would be a
// variant.

#include "compiler/Options.h"
#include "compiler/transforms/Passes.h"
#include "dialect/TileDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace trowel::compiler {
#define GEN_PASS_DEF_SPECIALIZEARGUMENTS
#include "compiler/transforms/Passes.h.inc"
} // namespace trowel::compiler

using namespace mlir;
using namespace trowel;
using namespace trowel::tile;

namespace {
struct SpecializeArguments : compiler::impl::SpecializeArgumentsBase<SpecializeArguments> {
  using SpecializeArgumentsBase::SpecializeArgumentsBase;

  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    if (!kernel->hasAttr(TileDialect::kernelAttr) || facts.empty())
      return;
    if (facts.size() != kernel.getNumArguments()) {
      kernel.emitError("has ") << kernel.getNumArguments() << " arguments, but facts of "
                               << facts.size() << " were given";
      return signalPassFailure();
    }
    for (auto [index, bits] : llvm::enumerate(facts))
      specialize(kernel, index, bits);
  }

  static void specialize(func::FuncOp kernel, unsigned index, int64_t bits) {
    OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
    BlockArgument argument = kernel.getArgument(index);
    bool isPointer = isa<PtrType>(argument.getType());
    bool isInteger = argument.getType().isInteger(32) || argument.getType().isInteger(64);
    int64_t divisor = isPointer   ? compiler::alignmentOf(bits)
                      : isInteger ? compiler::divisorOf(bits)
                                  : 1;
    if (divisor > 1)
      kernel.setArgAttr(index, TileDialect::divisibilityAttr, builder.getI64IntegerAttr(divisor));
    if (isInteger && (bits & compiler::Fits32))
      kernel.setArgAttr(index, TileDialect::fits32Attr, builder.getUnitAttr());
    if (!isInteger || !(bits & compiler::EqualsOne))
      return;
    kernel.setArgAttr(index, TileDialect::valueAttr, builder.getI64IntegerAttr(1));
    Value one = arith::ConstantOp::create(builder, argument.getLoc(),
                                          builder.getIntegerAttr(argument.getType(), 1));
    argument.replaceAllUsesWith(one);
  }
};
} // namespace
