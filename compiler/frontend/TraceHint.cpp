// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hints and inline PTX: what the author knows better than the compiler.
//
// A hint is recorded as it was written and decided on later: which comparisons say something is the
// affair of tile-spread-assumptions. Conditions of the host are no hints; a false one is a slip and
// is refused, a true one says nothing.
//
// PTX has no registers of 8 bits. Elements of int8 and uint8 are extended by their kind before and
// truncated behind the text, so that the op knows widths alone.

#include "compiler/frontend/TraceOperands.h"

#include "dialect/PtxText.h"
#include "dialect/TileDialect.h"
#include "trowel/Hint.h"
#include "trowel/InlinePtx.h"

#include <fmt/format.h>

using namespace mlir;

namespace trowel::detail {

using compiler::Operands;
using compiler::Site;
using compiler::Trace;

Value multipleOf(Value value, std::int64_t divisor, std::source_location at) {
  Site site{at, "multipleOf"};
  Trace &trace = Trace::current(site);
  if (divisor < 1)
    trace.fail(site, fmt::format("a multiple of {}: the number must be at least 1", divisor));
  mlir::Value operand = trace.read(value, site);
  return trace.record(tile::MultipleOfOp::create(trace.builder(), trace.location(at),
                                                 operand.getType(), operand, mlir::Value(),
                                                 static_cast<std::uint64_t>(divisor)));
}

void assume(Operand condition, std::source_location at) {
  Site site{at, "assume"};
  Trace &trace = Trace::current(site);
  if (condition.isNumber) {
    if (condition.number.integer == 0)
      trace.fail(site, "the condition is false, as is known while tracing");
    return;
  }
  mlir::Value value = trace.read(condition.value, site);
  tile::AssumeOp::create(trace.builder(), trace.location(at), value);
}

/// The type in whose registers an element travels.
static ElementType registerType(ElementType type) {
  return type == ElementType::Int8    ? ElementType::Int16
         : type == ElementType::UInt8 ? ElementType::UInt16
                                      : type;
}

Value inlinePtx(const Ptx &ptx, ElementType result, const Operand *operands, std::size_t count) {
  Site site{ptx.at, "inlinePtx"};
  Trace &trace = Trace::current(site);
  if (!ptx.text)
    trace.fail(site, "the text is a null pointer");
  Result<std::string> clean = tile::checkPtx(ptx.text, static_cast<unsigned>(count));
  if (!clean)
    trace.fail(site, clean.error());

  Operands alike(trace, site);
  SmallVector<mlir::Value> values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(alike.numeric(operands[i], registerType(operands[i].type)));
  alike.broadcast(values);
  Type element = compiler::elementTypeIn(alike.builder.getContext(), registerType(result));
  Type type = values.empty() ? element : tile::withElementType(values[0].getType(), element);
  mlir::Value computed = tile::InlinePtxOp::create(
      alike.builder, alike.at, type, alike.builder.getStringAttr(*clean),
      ptx.purity == Purity::Pure ? alike.builder.getUnitAttr() : UnitAttr(), values);
  return trace.record(alike.convert(computed, registerType(result), result));
}

} // namespace trowel::detail
