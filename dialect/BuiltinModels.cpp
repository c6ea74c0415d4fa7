// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How `arith` and `math` ops answer the dialect's interfaces: one row an op.
//
// The ops come from MLIR and cannot declare our interfaces, so models are attached to them when
// their dialects load. Elementwise ops want their operands laid out as their result, which is the
// interface's default. Of axis facts, integer ops say what a function of AxisFacts.h says; the
// table names it. An op without a row knows nothing.

#include "dialect/TileDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace trowel::tile;

namespace {
template <class Op> struct SameLayout : LayoutInterface::ExternalModel<SameLayout<Op>, Op> {};

template <class... Ops> void attachSameLayout(MLIRContext *context) {
  (Ops::template attachInterface<SameLayout<Ops>>(*context), ...);
}

/// `Op` answers with what rule(op, operands) says.
template <class Op, auto rule>
struct Facts : AxisFactsInterface::ExternalModel<Facts<Op, rule>, Op> {
  AxisFacts inferAxisFacts(Operation *op, ArrayRef<AxisFacts> operands) const {
    return rule(cast<Op>(op), operands);
  }
};

template <class Op, auto rule> void attachFacts(MLIRContext *context) {
  Op::template attachInterface<Facts<Op, rule>>(*context);
}

unsigned bitsOf(Value value) { return elementTypeOf(value.getType()).getIntOrFloatBitWidth(); }

/// Arithmetic on two integers of one width.
template <auto facts> AxisFacts binary(Operation *op, ArrayRef<AxisFacts> operands) {
  return facts(operands[0], operands[1], bitsOf(op->getOperand(0)));
}

/// A rule of one integer that needs the width of its operand, or that of its result.
template <auto facts> AxisFacts fromWidth(Operation *op, ArrayRef<AxisFacts> operands) {
  return facts(operands[0], bitsOf(op->getOperand(0)));
}
template <auto facts> AxisFacts toWidth(Operation *op, ArrayRef<AxisFacts> operands) {
  return facts(operands[0], bitsOf(op->getResult(0)));
}

AxisFacts ofConstant(arith::ConstantOp op, ArrayRef<AxisFacts>) {
  ArrayRef<int64_t> extents = extentsOf(op.getType());
  if (auto integer = dyn_cast<IntegerAttr>(op.getValue()))
    return constantFacts(integer.getValue().getSExtValue(), extents);
  auto elements = dyn_cast<DenseIntElementsAttr>(op.getValue());
  if (!elements)
    return AxisFacts::unknown(extents.size());
  if (elements.isSplat())
    return constantFacts(elements.getSplatValue<APInt>().getSExtValue(), extents);
  auto values = llvm::map_to_vector(elements.getValues<APInt>(),
                                    [](const APInt &value) { return value.getSExtValue(); });
  return elementsFacts(values, extents);
}

AxisFacts ofComparison(arith::CmpIOp op, ArrayRef<AxisFacts> operands) {
  using Predicate = arith::CmpIPredicate;
  static constexpr struct {
    Predicate predicate;
    Comparison comparison;
    Signedness signedness;
  } table[] = {
      {Predicate::eq, Comparison::Equal, Signedness::Signed},
      {Predicate::ne, Comparison::NotEqual, Signedness::Signed},
      {Predicate::slt, Comparison::Less, Signedness::Signed},
      {Predicate::sle, Comparison::LessEqual, Signedness::Signed},
      {Predicate::sgt, Comparison::Greater, Signedness::Signed},
      {Predicate::sge, Comparison::GreaterEqual, Signedness::Signed},
      {Predicate::ult, Comparison::Less, Signedness::Unsigned},
      {Predicate::ule, Comparison::LessEqual, Signedness::Unsigned},
      {Predicate::ugt, Comparison::Greater, Signedness::Unsigned},
      {Predicate::uge, Comparison::GreaterEqual, Signedness::Unsigned},
  };
  for (const auto &row : table)
    if (row.predicate == op.getPredicate())
      return compareFacts(row.comparison, row.signedness, operands[0], operands[1],
                          bitsOf(op.getLhs()));
  llvm_unreachable("every predicate has a row");
}

AxisFacts ofSelect(arith::SelectOp op, ArrayRef<AxisFacts> operands) {
  ArrayRef<int64_t> extents = extentsOf(op.getType());
  // A scalar condition chooses for the tile as a whole.
  bool scalar = !isa<RankedTensorType>(op.getCondition().getType());
  return selectFacts(scalar ? splatFacts(operands[0], extents) : operands[0], operands[1],
                     operands[2]);
}
} // namespace

void trowel::tile::registerBuiltinModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    attachSameLayout<arith::ConstantOp, arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::AndIOp,
                     arith::OrIOp, arith::XOrIOp, arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp,
                     arith::MinUIOp, arith::BitcastOp, arith::CmpIOp, arith::CmpFOp,
                     arith::SelectOp, arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
                     arith::NegFOp, arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
                     arith::MinNumFOp, arith::ExtFOp, arith::TruncFOp, arith::ExtSIOp,
                     arith::ExtUIOp, arith::TruncIOp, arith::SIToFPOp, arith::UIToFPOp>(context);
    attachFacts<arith::ConstantOp, ofConstant>(context);
    attachFacts<arith::AddIOp, binary<addFacts>>(context);
    attachFacts<arith::SubIOp, binary<subFacts>>(context);
    attachFacts<arith::MulIOp, binary<mulFacts>>(context);
    attachFacts<arith::AndIOp, binary<andFacts>>(context);
    attachFacts<arith::OrIOp, binary<orFacts>>(context);
    attachFacts<arith::XOrIOp, binary<xorFacts>>(context);
    attachFacts<arith::MinSIOp, binary<minSignedFacts>>(context);
    attachFacts<arith::MaxSIOp, binary<maxSignedFacts>>(context);
    attachFacts<arith::MinUIOp, binary<minUnsignedFacts>>(context);
    attachFacts<arith::MaxUIOp, binary<maxUnsignedFacts>>(context);
    attachFacts<arith::ExtSIOp, fromWidth<signExtendFacts>>(context);
    attachFacts<arith::ExtUIOp, fromWidth<zeroExtendFacts>>(context);
    attachFacts<arith::TruncIOp, toWidth<truncateFacts>>(context);
    attachFacts<arith::CmpIOp, ofComparison>(context);
    attachFacts<arith::SelectOp, ofSelect>(context);
  });
  registry.addExtension(+[](MLIRContext *context, math::MathDialect *) {
    attachSameLayout<math::AbsFOp, math::AbsIOp, math::SqrtOp, math::FmaOp, math::FloorOp,
                     math::CeilOp, math::RoundOp>(context);
    attachFacts<math::AbsIOp, fromWidth<absFacts>>(context);
  });
}
