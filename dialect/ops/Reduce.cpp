// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Combinations of the elements along an axis.
//
// A reduction decides the layout of its results: each thread ends up with what its own elements
// contribute to, so the results lie as the operands do without the axis. A scan keeps the layout.
// Both work in any layout in which each bit of the threads' and registers' numbers moves along one
// axis only, which blocked layouts and their slices have.
//
// Between warps elements go through shared memory: of each operand one element for each warp along
// the axis and each line of elements that the program holds.

#include "dialect/TileDialect.h"

#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace trowel;
using namespace trowel::tile;

/// Prints `%a, %b axis 1 : (types) -> types { … }`.
template <class Op> static void printCombining(Op op, OpAsmPrinter &printer) {
  printer << ' ' << op.getOperands() << " axis " << static_cast<int32_t>(op.getAxis());
  if (op->hasAttr("reverse"))
    printer << " reverse";
  printer.printOptionalAttrDict(op->getAttrs(), {"axis", "reverse"});
  printer << " : ";
  printer.printFunctionalType(op.getOperation());
  printer << ' ';
  printer.printRegion(op.getCombine());
}

static ParseResult parseCombining(OpAsmParser &parser, OperationState &state, bool mayReverse) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  int32_t axis = 0;
  FunctionType type;
  SMLoc at = parser.getCurrentLocation();
  if (parser.parseOperandList(operands) || parser.parseKeyword("axis") || parser.parseInteger(axis))
    return failure();
  state.addAttribute("axis", parser.getBuilder().getI32IntegerAttr(axis));
  if (mayReverse && succeeded(parser.parseOptionalKeyword("reverse")))
    state.addAttribute("reverse", parser.getBuilder().getUnitAttr());
  return failure(parser.parseOptionalAttrDict(state.attributes) || parser.parseColonType(type) ||
                 parser.resolveOperands(operands, type.getInputs(), at, state.operands) ||
                 parser.addTypesToList(type.getResults(), state.types) ||
                 parser.parseRegion(*state.addRegion()));
}

/// What holds of both ops: one shape, and a region from two elements of each operand to one.
template <class Op> static LogicalResult verifyCombining(Op op, bool keepsAxis) {
  if (op.getOperands().empty())
    return op.emitOpError("has no operand to combine");
  if (op.getNumResults() != op.getNumOperands())
    return op.emitOpError("has ") << op.getNumOperands() << " operands and " << op.getNumResults()
                                  << " results; each operand gives one result";
  ArrayRef<int64_t> shape = extentsOf(op.getOperands()[0].getType());
  int64_t axis = static_cast<int32_t>(op.getAxis());
  if (axis < 0 || axis >= static_cast<int64_t>(shape.size()))
    return op.emitOpError("combines along axis ")
           << axis << ", but a tile of " << describeExtents(shape) << " has the axes 0 to "
           << static_cast<int64_t>(shape.size()) - 1;
  SmallVector<int64_t> expected(shape);
  if (!keepsAxis)
    expected.erase(expected.begin() + axis);
  Block &body = op.getCombine().front();
  auto yield = dyn_cast<YieldOp>(body.getTerminator());
  if (!yield)
    return op.emitOpError("has a region that does not end in tile.yield");
  unsigned count = op.getNumOperands();
  if (body.getNumArguments() != 2 * count || yield.getNumOperands() != count)
    return op.emitOpError("combines ")
           << count << " operands, so its region takes " << 2 * count << " elements and yields "
           << count << ", not " << body.getNumArguments() << " and " << yield.getNumOperands();
  for (unsigned i = 0; i < count; ++i) {
    Type type = op.getOperands()[i].getType(), element = elementTypeOf(type);
    if (isa<PtrType>(element))
      return op.emitOpError("cannot combine pointers");
    if (extentsOf(type) != shape)
      return op.emitOpError("has operands of shapes ")
             << describeExtents(shape) << " and " << describeExtents(extentsOf(type))
             << "; all have one shape";
    if (extentsOf(op.getResult(i).getType()) != ArrayRef<int64_t>(expected) ||
        elementTypeOf(op.getResult(i).getType()) != element)
      return op.emitOpError("result ")
             << i << " is " << op.getResult(i).getType() << ", but it has "
             << describeExtents(expected) << " elements of " << element;
    if (body.getArgument(i).getType() != element ||
        body.getArgument(count + i).getType() != element ||
        yield.getOperand(i).getType() != element)
      return op.emitOpError("combines elements of ")
             << element << " as operand " << i << ", but its region does not";
  }
  return success();
}

/// Bytes for one element of each operand a warp along the axis and a line of elements.
static int64_t exchangeBytes(Operation *op, int64_t axis, int64_t linesAlongAxis) {
  LayoutAttr attribute = layoutOf(op->getOperand(0).getType());
  if (!attribute)
    return 0;
  layout::LinearLayout layout = attribute.linearLayout();
  int64_t warps = 1;
  for (int bit = 0; bit < layout.bitCount(layout::InputDim::Warp); ++bit)
    if (layout.basis(layout::InputDim::Warp, bit)[axis] != 0)
      warps *= 2;
  if (warps == 1)
    return 0;
  int64_t lines = linesAlongAxis * layout.elementCount() / layout.extent(axis), bytes = 0;
  for (Value operand : op->getOperands())
    bytes += warps * lines * std::max<int64_t>(memoryBytes(elementTypeOf(operand.getType())), 4);
  return bytes;
}

//===- tile.reduce ----------------------------------------------------------------------------===//

void ReduceOp::print(OpAsmPrinter &printer) { printCombining(*this, printer); }
ParseResult ReduceOp::parse(OpAsmParser &parser, OperationState &state) {
  return parseCombining(parser, state, /*mayReverse=*/false);
}
LogicalResult ReduceOp::verify() { return verifyCombining(*this, /*keepsAxis=*/false); }

std::optional<layout::LinearLayout> ReduceOp::resultLayout(const layout::LinearLayout &operands) {
  return operands.withAxisRemoved(getAxis());
}

bool ReduceOp::decidesLayout() { return true; }

int64_t ReduceOp::scratchBytes() { return exchangeBytes(*this, getAxis(), /*linesAlongAxis=*/1); }

//===- tile.scan ------------------------------------------------------------------------------===//

void ScanOp::print(OpAsmPrinter &printer) { printCombining(*this, printer); }
ParseResult ScanOp::parse(OpAsmParser &parser, OperationState &state) {
  return parseCombining(parser, state, /*mayReverse=*/true);
}
LogicalResult ScanOp::verify() { return verifyCombining(*this, /*keepsAxis=*/true); }

std::optional<layout::LinearLayout> ScanOp::resultLayout(const layout::LinearLayout &operands) {
  return operands;
}

bool ScanOp::decidesLayout() { return true; }

int64_t ScanOp::scratchBytes() {
  // Registers above the warps, in the order of the axis, have totals of their own.
  LayoutAttr attribute = layoutOf(getOperand(0).getType());
  if (!attribute)
    return 0;
  layout::LinearLayout layout = attribute.linearLayout();
  int32_t axis = getAxis(), leastWarp = layout.extent(axis);
  for (int bit = 0; bit < layout.bitCount(layout::InputDim::Warp); ++bit)
    if (int32_t basis = layout.basis(layout::InputDim::Warp, bit)[axis])
      leastWarp = std::min(leastWarp, basis);
  int64_t lines = 1;
  for (int bit = 0; bit < layout.bitCount(layout::InputDim::Register); ++bit)
    if (layout.basis(layout::InputDim::Register, bit)[axis] > leastWarp)
      lines *= 2;
  return exchangeBytes(*this, axis, lines);
}
