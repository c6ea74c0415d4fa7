// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simplifies without regard to layouts, and decides which products fuse with sums.
//
// Three things are better decided here than left to LLVM. (1) Work on splats is work on scalars:
// done once, it is one instruction instead of one a register, and the axis facts of `row * columns`
// are those of a scalar. (2) An offset that is the same for a whole tile belongs to the pointer,
// which leaves a narrow, non-negative offset a thread. (3) Contraction: a·b + c rounds once as an
// fma and twice otherwise. ptxas may fuse on its own where it sees unmarked ops, and then results
// depend on its version; so the choice is made here, by a rule that a user can predict (the product
// has no other use, and stands in the same loop body or branch: from outside a loop it is used in
// each trip), and all other sums print `.rn`, which forbids it. `tile.exact` names what must not
// fuse: what makes its operand, and what goes into that and nowhere else.
//
// Before: a traced kernel. After: no elementwise op has only splats as operands; every product that
// fuses is a math.fma; no tile.exact is left. Rejected: fusing products with several uses, which
// would compute them twice with different roundings.

#include "compiler/transforms/Passes.h"
#include "dialect/TileDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace trowel::compiler {
#define GEN_PASS_DEF_COMBINE
#include "compiler/transforms/Passes.h.inc"
} // namespace trowel::compiler

using namespace mlir;
using namespace trowel;
using namespace trowel::tile;

/// The scalar behind a tile of equal elements, made as a constant where the tile is one; null
/// otherwise.
static Value scalarOf(Value tile, OpBuilder &builder) {
  if (auto splat = tile.getDefiningOp<SplatOp>())
    return splat.getScalar();
  SplatElementsAttr elements;
  if (matchPattern(tile, m_Constant(&elements)))
    return arith::ConstantOp::create(builder, tile.getLoc(),
                                     cast<TypedAttr>(elements.getSplatValue<Attribute>()));
  return {};
}

static bool isSplat(Value tile) {
  SplatElementsAttr elements;
  return tile.getDefiningOp<SplatOp>() || matchPattern(tile, m_Constant(&elements));
}

namespace {

/// op(splat a, splat b) → splat op(a, b), for every op that works element by element.
struct ComputeSplatsAsScalars : RewritePattern {
  explicit ComputeSplatsAsScalars(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    bool elementwise = OpTrait::hasElementwiseMappableTraits(op) || isa<PtrAddOp>(op);
    if (!elementwise || !isMemoryEffectFree(op) || op->getNumOperands() == 0 ||
        op->getNumResults() != 1 || !isa<RankedTensorType>(op->getResult(0).getType()) ||
        !llvm::all_of(op->getOperands(),
                      [](Value v) { return !isa<RankedTensorType>(v.getType()) || isSplat(v); }))
      return failure();
    SmallVector<Value> scalars;
    for (Value operand : op->getOperands())
      scalars.push_back(isa<RankedTensorType>(operand.getType()) ? scalarOf(operand, rewriter)
                                                                 : operand);
    OperationState state(op->getLoc(), op->getName());
    state.addOperands(scalars);
    state.addAttributes(op->getDiscardableAttrDictionary().getValue());
    state.propertiesAttr = op->getPropertiesAsAttribute();
    Type type = op->getResult(0).getType();
    state.addTypes(elementTypeOf(type));
    Operation *scalar = rewriter.create(state);
    rewriter.replaceOpWithNewOp<SplatOp>(op, type, scalar->getResult(0));
    return success();
  }
};

/// splat p + (splat a + b) → splat (p + a) + b, for offsets of 64 bits, whose sums wrap as
/// addresses do.
struct MoveOffsetIntoPointer : OpRewritePattern<PtrAddOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PtrAddOp op, PatternRewriter &rewriter) const override {
    auto pointer = op.getPointer().getDefiningOp<SplatOp>();
    auto sum = op.getOffset().getDefiningOp<arith::AddIOp>();
    if (!pointer || !sum || !elementTypeOf(sum.getType()).isInteger(64))
      return failure();
    bool left = isSplat(sum.getLhs());
    if (left == isSplat(sum.getRhs()))
      return failure(); // none is a splat, or both are and the sum will be one
    Value uniform = scalarOf(left ? sum.getLhs() : sum.getRhs(), rewriter);
    Value varying = left ? sum.getRhs() : sum.getLhs();
    Value base = PtrAddOp::create(rewriter, op.getLoc(), pointer.getScalar(), uniform);
    Value tile = SplatOp::create(rewriter, op.getLoc(), op.getPointer().getType(), base);
    rewriter.replaceOpWithNewOp<PtrAddOp>(op, tile, varying);
    return success();
  }
};

/// p + sext(i) → p + i: ptr_add sign-extends.
struct DropExtensionOfOffset : OpRewritePattern<PtrAddOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PtrAddOp op, PatternRewriter &rewriter) const override {
    auto extension = op.getOffset().getDefiningOp<arith::ExtSIOp>();
    if (!extension || !elementTypeOf(extension.getIn().getType()).isInteger(32))
      return failure();
    rewriter.modifyOpInPlace(op, [&] { op.getOffsetMutable().assign(extension.getIn()); });
    return success();
  }
};

static constexpr StringLiteral roundsAlone = "rounds_alone";

/// Marks the op that makes the operand of a tile.exact, and those that feed marked ops alone.
static void markExact(ExactOp exact) {
  SmallVector<Operation *> marked;
  auto mark = [&](Operation *op) {
    if (op && op->getBlock() == exact->getBlock()) {
      op->setDiscardableAttr(roundsAlone, UnitAttr::get(op->getContext()));
      marked.push_back(op);
    }
  };
  mark(exact.getOperand().getDefiningOp());
  while (!marked.empty())
    for (Value operand : marked.pop_back_val()->getOperands())
      if (operand.hasOneUse())
        mark(operand.getDefiningOp());
}

/// The product that a sum may swallow: one of the same block without another use.
static arith::MulFOp fusibleProduct(Value value, Operation *sum) {
  auto product = value.getDefiningOp<arith::MulFOp>();
  bool fuses = product && product->hasOneUse() && product->getBlock() == sum->getBlock() &&
               !sum->hasAttr(roundsAlone);
  return fuses ? product : arith::MulFOp();
}

/// a·b + c → fma(a, b, c); of two products, the left one fuses.
struct ContractSum : OpRewritePattern<arith::AddFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::AddFOp op, PatternRewriter &rewriter) const override {
    arith::MulFOp product = fusibleProduct(op.getLhs(), op);
    Value other = op.getRhs();
    if (!product) {
      product = fusibleProduct(op.getRhs(), op);
      other = op.getLhs();
    }
    if (!product)
      return failure();
    rewriter.replaceOpWithNewOp<math::FmaOp>(op, product.getLhs(), product.getRhs(), other);
    return success();
  }
};

/// a·b − c → fma(a, b, −c); c − a·b → fma(−a, b, c).
struct ContractDifference : OpRewritePattern<arith::SubFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::SubFOp op, PatternRewriter &rewriter) const override {
    if (arith::MulFOp product = fusibleProduct(op.getLhs(), op)) {
      Value negated = arith::NegFOp::create(rewriter, op.getLoc(), op.getRhs());
      rewriter.replaceOpWithNewOp<math::FmaOp>(op, product.getLhs(), product.getRhs(), negated);
      return success();
    }
    arith::MulFOp product = fusibleProduct(op.getRhs(), op);
    if (!product)
      return failure();
    Value negated = arith::NegFOp::create(rewriter, op.getLoc(), product.getLhs());
    rewriter.replaceOpWithNewOp<math::FmaOp>(op, negated, product.getRhs(), op.getLhs());
    return success();
  }
};

struct Combine : compiler::impl::CombineBase<Combine> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    // Contraction first: its rule is stated in terms of the program as it was written.
    RewritePatternSet contract(context);
    contract.add<ContractSum, ContractDifference>(context);
    RewritePatternSet simplify(context);
    simplify.add<ComputeSplatsAsScalars, MoveOffsetIntoPointer, DropExtensionOfOffset>(context);
    for (RegisteredOperationName op : context->getRegisteredOperations())
      if (isa<TileDialect, arith::ArithDialect, math::MathDialect>(op.getDialect()) &&
          op.getStringRef() != arith::TruncFOp::getOperationName())
        op.getCanonicalizationPatterns(simplify, context);
    // Not MLIR's patterns for truncf: they convert an integer to the smaller type directly, which
    // rounds once where the program rounds twice.
    GreedyRewriteConfig asWritten;
    asWritten.enableFolding(false);
    getOperation().walk(markExact);
    if (failed(applyPatternsGreedily(getOperation(), std::move(contract), asWritten)))
      return signalPassFailure();
    getOperation().walk([](Operation *op) {
      op->removeDiscardableAttr(roundsAlone);
      if (auto exact = dyn_cast<ExactOp>(op)) {
        exact.replaceAllUsesWith(exact.getOperand());
        exact.erase();
      }
    });
    if (failed(applyPatternsGreedily(getOperation(), std::move(simplify))))
      signalPassFailure();
  }
};
} // namespace
