// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of floating-point numbers: what each appends to a trace.
//
// Each function is one op, whose lowering depends on the type and on the accuracy that was asked
// for; a trace does not say how a sine is computed.

#include "compiler/frontend/TraceOperands.h"

#include "dialect/TileDialect.h"
#include "trowel/Operations.h"
#include "trowel/Random.h"

#include <fmt/format.h>

using namespace mlir;

namespace trowel::detail {

using compiler::Operands;
using compiler::Site;
using compiler::Trace;

namespace {

struct FunctionRow {
  const char *name;
  mlir::Value (*make)(OpBuilder &, Location, mlir::Value, bool approximate);
};

template <class Op> constexpr FunctionRow row(const char *name) {
  return {name, [](OpBuilder &builder, Location at, mlir::Value x, bool approximate) {
            return Op::create(builder, at, x.getType(), x, approximate).getResult();
          }};
}

// In the order of MathFunction.
constexpr FunctionRow functionRows[] = {
    row<tile::ExpOp>("exp"),         row<tile::Exp2Op>("exp2"),   row<tile::LogOp>("log"),
    row<tile::Log2Op>("log2"),       row<tile::Log1pOp>("log1p"), row<tile::Expm1Op>("expm1"),
    row<tile::SinOp>("sin"),         row<tile::CosOp>("cos"),     row<tile::TanOp>("tan"),
    row<tile::TanhOp>("tanh"),       row<tile::ErfOp>("erf"),     row<tile::RsqrtOp>("rsqrt"),
    row<tile::SigmoidOp>("sigmoid"),
};

} // namespace

Value math(MathFunction function, Accuracy accuracy, ElementType type, Operand operand,
           std::source_location at) {
  const FunctionRow &row = functionRows[static_cast<int>(function)];
  Site site{at, row.name};
  Trace &trace = Trace::current(site);
  Operands operands(trace, site);
  mlir::Value x = operands.numeric(operand, type);
  return trace.record(row.make(operands.builder, operands.at, x, accuracy == Accuracy::Fast));
}

void refuseEmptyRange(std::int64_t low, std::int64_t high, std::source_location at) {
  Site site{at, "randomInt"};
  Trace::current(site).fail(site, fmt::format("the range from {} to below {} has no integer: the "
                                              "second bound must be greater than the first",
                                              low, high));
}

Value power(Accuracy accuracy, ElementType type, Operand base, Operand exponent,
            std::source_location at) {
  Site site{at, "pow"};
  Trace &trace = Trace::current(site);
  Operands operands(trace, site);
  mlir::Value values[] = {operands.numeric(base, type), operands.numeric(exponent, type)};
  operands.broadcast(values);
  return trace.record(tile::PowOp::create(operands.builder, operands.at, values[0].getType(),
                                          values[0], values[1], accuracy == Accuracy::Fast));
}

} // namespace trowel::detail
