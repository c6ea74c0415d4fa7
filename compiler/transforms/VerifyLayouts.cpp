// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that layouts fit together.
//
// Verifiers of upstream ops compare encodings for most ops but not for all: a tile-valued scf.if
// may become an arith.select, an op may be made with operands of one layout and a result of
// another, and the lowering would pair registers that hold different elements. Nothing would crash;
// numbers would be wrong. So after each pass this one asks every op, through LayoutInterface,
// whether its operands lie as its result needs them.
//
// Before and after: nothing changes. A kernel in which no tile has a layout yet is fine as it is;
// one in which some have and some have not is an error.

#include "compiler/transforms/Passes.h"
#include "dialect/TileDialect.h"

#include "mlir/IR/Builders.h"

namespace trowel::compiler {
#define GEN_PASS_DEF_VERIFYLAYOUTS
#include "compiler/transforms/Passes.h.inc"
} // namespace trowel::compiler

using namespace mlir;
using namespace trowel;
using namespace trowel::tile;

static bool isTile(Value value) { return isa<RankedTensorType>(value.getType()); }

/// The layout from which an op's operands follow: its result's, or its first tile's where it has
/// none.
static LayoutAttr decisiveLayout(Operation *op) {
  for (Value result : op->getResults())
    if (isTile(result))
      return layoutOf(result.getType());
  Type consumed = consumedTile(op);
  return consumed ? layoutOf(consumed) : LayoutAttr();
}

/// An op that decides where its results lie takes operands of one layout.
static LogicalResult verifyDecided(LayoutInterface op) {
  LayoutAttr layout = layoutOf(op->getOperand(0).getType());
  if (!layout)
    return success();
  for (Value operand : op->getOperands())
    if (isTile(operand) && layoutOf(operand.getType()) != layout)
      return op->emitOpError("has operands in the layouts ")
             << layout << " and " << layoutOf(operand.getType()) << "; it needs them in one";
  LayoutAttr made = LayoutAttr::get(op->getContext(), *op.resultLayout(layout.linearLayout()));
  for (Value result : op->getResults())
    if (isTile(result) && layoutOf(result.getType()) != made)
      return op->emitOpError("has a result in the layout ")
             << layoutOf(result.getType()) << ", but its operands give it " << made;
  return success();
}

static LogicalResult verifyOperands(Operation *op) {
  auto rules = dyn_cast<LayoutInterface>(op);
  if (rules && rules.decidesLayout())
    return verifyDecided(rules);
  LayoutAttr result = decisiveLayout(op);
  if (!rules || !result)
    return success();
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isTile(operand.get()))
      continue;
    LayoutAttr wanted = LayoutAttr::get(
        op->getContext(), rules.operandLayout(operand.getOperandNumber(), result.linearLayout()));
    LayoutAttr found = layoutOf(operand.get().getType());
    if (found != wanted)
      return op->emitOpError("has operand ") << operand.getOperandNumber() << " in the layout "
                                             << found << ", but its result needs it in " << wanted;
  }
  return success();
}

namespace {
struct VerifyLayouts : compiler::impl::VerifyLayoutsBase<VerifyLayouts> {
  void runOnOperation() override {
    Operation *withLayout = nullptr, *without = nullptr;
    WalkResult result = getOperation().walk([&](Operation *op) {
      for (Value value : op->getResults())
        if (isTile(value))
          (layoutOf(value.getType()) ? withLayout : without) = op;
      return WalkResult(verifyOperands(op));
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    if (withLayout && without) {
      without->emitOpError("makes a tile without a layout in a kernel whose tiles have layouts")
              .attachNote(withLayout->getLoc())
          << "this one has a layout";
      signalPassFailure();
    }
  }
};
} // namespace
