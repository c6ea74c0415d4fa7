// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How `arith` and `math` ops answer the dialect's interfaces: one row an op.
//
// The ops come from MLIR and cannot declare our interfaces, so models are attached to them when
// their dialects load. Elementwise ops want their operands laid out as their result, which is the
// interface's default; what they say of axis facts is in AxisFacts.cpp.

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
} // namespace

void trowel::tile::registerBuiltinModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    attachSameLayout<arith::ConstantOp, arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::AndIOp,
                     arith::OrIOp, arith::XOrIOp, arith::MaxSIOp, arith::MinSIOp, arith::CmpIOp,
                     arith::CmpFOp, arith::SelectOp, arith::AddFOp, arith::SubFOp, arith::MulFOp,
                     arith::DivFOp, arith::NegFOp, arith::MaximumFOp, arith::MinimumFOp,
                     arith::MaxNumFOp, arith::MinNumFOp, arith::ExtFOp, arith::TruncFOp,
                     arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::SIToFPOp,
                     arith::UIToFPOp>(context);
  });
  registry.addExtension(+[](MLIRContext *context, math::MathDialect *) {
    attachSameLayout<math::AbsFOp, math::AbsIOp, math::SqrtOp, math::FmaOp>(context);
  });
}
