// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints and checks: what each appends to a trace.
//
// Both are one op, tile.record. A check records where its condition does not hold, and a return
// behind it ends the program if it recorded anything; so what comes after a check may rely on it.
//
// Numbers of the host are known while tracing and become part of the text. Texts and values are
// joined by spaces here, once, so that a record holds nothing but values.

#include "compiler/frontend/TraceOperands.h"

#include "dialect/TileDialect.h"
#include "runtime/base/RecordFormat.h"
#include "trowel/Print.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <fmt/format.h>

using namespace mlir;

namespace trowel::detail {

using compiler::Operands;
using compiler::Site;
using compiler::Trace;

namespace {

std::string spell(const Number &number) {
  switch (number.kind) {
  case Number::Kind::Bool:
    return number.integer ? "true" : "false";
  case Number::Kind::Signed:
    return fmt::format("{}", number.integer);
  case Number::Kind::Unsigned:
    return fmt::format("{}", number.natural);
  case Number::Kind::Fraction:
    return fmt::format("{}", number.fraction);
  }
  llvm_unreachable("unknown kind of number");
}

/// Texts before, between and behind the values, and the values.
struct Message {
  SmallVector<std::string> texts{""};
  SmallVector<mlir::Value> values;
  SmallVector<bool> areUnsigned;

  Message(Operands &operands, ArrayRef<PrintArgument> arguments) {
    bool isFirst = true;
    for (const PrintArgument &argument : arguments) {
      if (!std::exchange(isFirst, false))
        texts.back() += ' ';
      if (argument.isNull)
        operands.trace.fail(operands.site,
                            "a text is a null pointer: write a text, or leave it out");
      if (argument.isText) {
        texts.back() += argument.text;
      } else if (argument.operand.isNumber) {
        texts.back() += spell(argument.operand.number);
      } else {
        values.push_back(operands.value(argument.operand, argument.operand.type));
        areUnsigned.push_back(isUnsigned(argument.operand.type));
        texts.emplace_back();
      }
    }
    if (values.size() > records::mostValues)
      operands.trace.fail(operands.site,
                          fmt::format("{} values of the device in one message, which has at most "
                                      "{}: write several",
                                      values.size(), records::mostValues));
  }
};

/// Appends the record; `mask` says where, or is null.
mlir::Value record(Operands &operands, const Message &message, mlir::Value mask, bool isFailure) {
  SmallVector<mlir::Value> alike = message.values;
  if (mask)
    alike.push_back(mask);
  operands.broadcast(alike);
  if (mask)
    mask = alike.pop_back_val();
  OpBuilder &builder = operands.builder;
  SmallVector<StringRef> texts(message.texts.begin(), message.texts.end());
  DenseBoolArrayAttr areUnsigned;
  if (llvm::is_contained(message.areUnsigned, true))
    areUnsigned = builder.getDenseBoolArrayAttr(message.areUnsigned);
  return tile::RecordOp::create(builder, operands.at, builder.getI1Type(), alike, mask,
                                /*buffer=*/mlir::Value(), builder.getStrArrayAttr(texts), isFailure,
                                areUnsigned, /*number=*/IntegerAttr(),
                                /*layout=*/tile::LayoutAttr());
}

} // namespace

void print(const PrintArgument *arguments, std::size_t count, const Operand *mask,
           std::source_location at) {
  Site site{at, mask ? "printWhere" : "print"};
  Trace &trace = Trace::current(site);
  Operands operands(trace, site);
  mlir::Value where = mask ? operands.value(*mask, ElementType::Bool) : mlir::Value();
  record(operands, Message(operands, {arguments, count}), where, /*isFailure=*/false);
}

void check(Operand condition, const PrintArgument *arguments, std::size_t count,
           std::source_location at) {
  Site site{at, "check"};
  Trace &trace = Trace::current(site);
  Operands operands(trace, site);
  mlir::Value holds = operands.value(condition, ElementType::Bool);
  mlir::Value fails =
      arith::XOrIOp::create(operands.builder, operands.at, holds, operands.allOnesLike(holds));
  mlir::Value any = record(operands, Message(operands, {arguments, count}), fails,
                           /*isFailure=*/true);
  tile::ReturnIfOp::create(operands.builder, operands.at, any);
}

} // namespace trowel::detail
