// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect itself: registration, constants, and the printing of types and attributes.
//
// `#tile.layout` is stored as its bases, which is what passes compute with, and printed as the
// shortest builder that makes them, which is what people read. Parsing takes either; a builder says
// nothing of the tile's extents, so they are printed where they are not the product that the
// builder covers.

#include "dialect/TileDialect.h"

#include "dialect/layout/Builders.h"
#include "dialect/layout/Print.h"
#include "dialect/ops/MemorySyntax.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace trowel::tile;
namespace layout = trowel::layout;

#include "dialect/TileDialect.cpp.inc"
#include "dialect/TileInterfaces.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialect/TileTypes.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialect/TileAttrs.cpp.inc"

#define GET_OP_CLASSES
#include "dialect/TileOps.cpp.inc"

namespace {
/// Prints layouts once, as #blocked and #slice, above the module.
struct TileAsmInterface : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;
  AliasResult getAlias(Attribute attribute, llvm::raw_ostream &out) const override {
    if (!isa<LayoutAttr>(attribute))
      return AliasResult::NoAlias;
    out << "layout";
    return AliasResult::FinalAlias;
  }
};
} // namespace

void TileDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialect/TileTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialect/TileAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialect/TileOps.cpp.inc"
      >();
  addInterfaces<TileAsmInterface>();
}

Operation *TileDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                            Location location) {
  return arith::ConstantOp::materialize(builder, value, type, location);
}

LogicalResult TileDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  if (attribute.getName() == kernelAttr && !isa<FunctionOpInterface>(op))
    return op->emitOpError("has the attribute tile.kernel, which belongs to functions");
  if (attribute.getName() == warpsAttr) {
    auto warps = dyn_cast<IntegerAttr>(attribute.getValue());
    if (!warps || !warps.getValue().isPowerOf2() || warps.getValue().ugt(32))
      return op->emitOpError("has ")
             << attribute.getValue() << " as tile.warps; it is a power of two from 1 to 32";
  }
  return success();
}

//===- Types ----------------------------------------------------------------------------------===//

LogicalResult PtrType::verify(llvm::function_ref<InFlightDiagnostic()> emitError, Type pointee) {
  if (isa<FloatType>(pointee) || pointee.isSignlessInteger())
    return success();
  return emitError() << "cannot point to " << pointee << ": only numbers and bools live in memory";
}

Type trowel::tile::elementTypeOf(Type type) {
  if (auto tile = dyn_cast<RankedTensorType>(type))
    return tile.getElementType();
  return type;
}

Type trowel::tile::withElementType(Type shape, Type element) {
  if (auto tile = dyn_cast<RankedTensorType>(shape))
    return RankedTensorType::get(tile.getShape(), element, tile.getEncoding());
  return element;
}

LayoutAttr trowel::tile::layoutOf(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  return tile ? dyn_cast_if_present<LayoutAttr>(tile.getEncoding()) : LayoutAttr();
}

Type trowel::tile::withLayout(Type type, LayoutAttr layout) {
  if (auto tile = dyn_cast<RankedTensorType>(type))
    return RankedTensorType::get(tile.getShape(), tile.getElementType(), layout);
  return type;
}

ArrayRef<int64_t> trowel::tile::extentsOf(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  return tile ? tile.getShape() : ArrayRef<int64_t>();
}

SmallVector<int64_t> trowel::tile::paddedExtents(ArrayRef<int64_t> extents) {
  return llvm::map_to_vector(
      extents, [](int64_t extent) { return static_cast<int64_t>(llvm::PowerOf2Ceil(extent)); });
}

bool trowel::tile::hasPadding(ArrayRef<int64_t> extents) {
  return !llvm::all_of(extents, [](int64_t extent) { return llvm::isPowerOf2_64(extent); });
}

SmallVector<int> trowel::tile::liveRegisters(RankedTensorType tile) {
  layout::LinearLayout layout = layoutOf(tile).linearLayout();
  ArrayRef<int64_t> extents = tile.getShape();
  // The bits of each coordinate that lane and warp decide: some thread has them all 0, and there
  // the register's coordinate is least.
  SmallVector<uint32_t> ofThreads(layout.rank());
  for (int axis = 0; axis < layout.rank(); ++axis)
    for (layout::InputDim dim : {layout::InputDim::Lane, layout::InputDim::Warp})
      for (int bit = 0; bit < layout.bitCount(dim); ++bit)
        ofThreads[axis] |= layout.basis(dim, bit)[axis];
  SmallVector<int> live;
  for (int reg = 0; reg < layout.registerCount(); ++reg) {
    layout::Coordinates index = layout(reg, 0, 0);
    bool alive = true;
    for (int axis = 0; axis < layout.rank(); ++axis)
      alive &= (index[axis] & ~ofThreads[axis]) < extents[axis];
    if (alive)
      live.push_back(reg);
  }
  return live;
}

Type trowel::tile::consumedTile(Operation *op) {
  auto isTile = [](Type type) { return isa<RankedTensorType>(type); };
  if (!isa<LayoutInterface>(op) || llvm::any_of(op->getResultTypes(), isTile))
    return {};
  auto first = llvm::find_if(op->getOperandTypes(), isTile);
  return first == op->operand_type_end() ? Type() : *first;
}

std::string trowel::tile::describeExtents(ArrayRef<int64_t> extents) {
  if (extents.empty())
    return "scalar";
  std::string text;
  for (int64_t extent : extents)
    text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text;
}

int64_t trowel::tile::memoryBytes(Type element) {
  if (isa<PtrType>(element))
    return 8;
  return (element.getIntOrFloatBitWidth() + 7) / 8;
}

//===- #tile.layout ---------------------------------------------------------------------------===//

// A list of bases is kept as one list of coordinates. A basis of a rank 0 tile has none, and takes
// the place of one, since how many bases there are is the number of lanes and warps that hold it.
static size_t coordinatesKept(size_t rank) { return std::max<size_t>(rank, 1); }

static SmallVector<int64_t> flatten(const std::vector<layout::Coordinates> &bases) {
  SmallVector<int64_t> flat;
  for (const layout::Coordinates &basis : bases) {
    flat.append(basis.begin(), basis.end());
    flat.append(coordinatesKept(basis.size()) - basis.size(), 0);
  }
  return flat;
}

static std::vector<layout::Coordinates> unflatten(ArrayRef<int64_t> flat, size_t rank) {
  std::vector<layout::Coordinates> bases;
  for (; !flat.empty(); flat = flat.drop_front(coordinatesKept(rank)))
    bases.emplace_back(flat.begin(), flat.begin() + rank);
  return bases;
}

LayoutAttr LayoutAttr::get(MLIRContext *context, const layout::LinearLayout &layout) {
  layout::LinearLayout::Bases bases = layout.bases();
  return get(context, SmallVector<int64_t>(layout.shape().begin(), layout.shape().end()),
             flatten(bases[0]), flatten(bases[1]), flatten(bases[2]), flatten(bases[3]));
}

layout::LinearLayout LayoutAttr::linearLayout() const {
  size_t rank = getExtents().size();
  return layout::LinearLayout(std::vector<int64_t>(getExtents().begin(), getExtents().end()),
                              {unflatten(getRegisters(), rank), unflatten(getLanes(), rank),
                               unflatten(getWarps(), rank), unflatten(getBlocks(), rank)});
}

LogicalResult LayoutAttr::verifyEncoding(ArrayRef<int64_t> shape, Type elementType,
                                         function_ref<InFlightDiagnostic()> emitError) const {
  if (ArrayRef<int64_t>(paddedExtents(shape)) != getExtents())
    return emitError() << "tile of " << describeExtents(shape) << " has a layout of a tile of "
                       << describeExtents(getExtents());
  return success();
}

void LayoutAttr::print(AsmPrinter &printer) const {
  printer << "<" << layout::describe(linearLayout()) << ">";
}

template <class Integer>
static ParseResult parseIntegerList(AsmParser &parser, StringRef name,
                                    std::vector<Integer> &values) {
  if (parser.parseKeyword(name) || parser.parseEqual())
    return failure();
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    Integer value = 0;
    if (parser.parseInteger(value))
      return failure();
    values.push_back(value);
    return success();
  });
}

static ParseResult parseBlocked(AsmParser &parser, layout::BlockedDescription &blocked) {
  return failure(parser.parseLess() || parseIntegerList(parser, "registers", blocked.registers) ||
                 parser.parseComma() || parseIntegerList(parser, "lanes", blocked.lanes) ||
                 parser.parseComma() || parseIntegerList(parser, "warps", blocked.warps) ||
                 parser.parseComma() || parseIntegerList(parser, "order", blocked.order) ||
                 parser.parseGreater());
}

static ParseResult parseSlice(AsmParser &parser, layout::SliceDescription &slice) {
  return failure(parser.parseLess() || parser.parseKeyword("axis") || parser.parseEqual() ||
                 parser.parseInteger(slice.axis) || parser.parseComma() ||
                 parser.parseKeyword("extent") || parser.parseEqual() ||
                 parser.parseInteger(slice.extent) || parser.parseComma() ||
                 parser.parseKeyword("blocked") || parseBlocked(parser, slice.parent) ||
                 parser.parseGreater());
}

static ParseResult parseBases(AsmParser &parser, layout::LinearLayout::Bases &bases) {
  if (parser.parseLess())
    return failure();
  for (layout::InputDim dim : layout::allInputDims) {
    if (dim != layout::InputDim::Register && parser.parseComma())
      return failure();
    if (parser.parseKeyword(layout::name(dim)) || parser.parseEqual() ||
        parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
          layout::Coordinates &basis = bases[static_cast<int>(dim)].emplace_back();
          return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
            return parser.parseInteger(basis.emplace_back());
          });
        }))
      return failure();
  }
  return parser.parseGreater();
}

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  SMLoc start = parser.getCurrentLocation();
  StringRef builder;
  if (parser.parseLess() || parser.parseKeyword(&builder))
    return {};

  layout::BlockedDescription blocked;
  layout::SliceDescription slice;
  layout::LinearLayout::Bases bases;
  if (builder == "blocked") {
    if (parseBlocked(parser, blocked))
      return {};
  } else if (builder == "slice") {
    if (parseSlice(parser, slice))
      return {};
  } else if (builder == "bases") {
    if (parseBases(parser, bases))
      return {};
  } else {
    parser.emitError(start, "unknown layout builder '")
        << builder << "'; the builders are blocked, slice and bases";
    return {};
  }

  std::vector<int64_t> shape;
  bool hasExtents = succeeded(parser.parseOptionalComma());
  if ((hasExtents && parseIntegerList(parser, "extents", shape)) || parser.parseGreater())
    return {};
  if (!hasExtents && builder == "bases") {
    parser.emitError(start, "a layout of bases needs its extents");
    return {};
  }

  // The implied extents exist only where the description is sound enough to multiply.
  auto isSized = [](const layout::BlockedDescription &description) {
    size_t axes = description.order.size();
    return description.registers.size() == axes && description.lanes.size() == axes &&
           description.warps.size() == axes;
  };
  std::optional<std::string> fault;
  std::optional<layout::LinearLayout> result;
  if (builder == "blocked") {
    if (!hasExtents && isSized(blocked))
      shape = layout::impliedShape(blocked);
    if (!(fault = layout::findFault(shape, blocked)))
      result = layout::blocked(shape, blocked);
  } else if (builder == "slice") {
    if (!hasExtents && isSized(slice.parent) && slice.axis >= 0 && slice.axis < slice.parent.rank())
      shape = layout::impliedShape(slice);
    if (!(fault = layout::findFault(shape, slice)))
      result = layout::slice(shape, slice);
  } else if (!(fault = layout::LinearLayout::findFault(shape, bases))) {
    result = layout::LinearLayout(shape, bases);
  }
  if (fault) {
    parser.emitError(start, *fault);
    return {};
  }
  return get(parser.getContext(), *result);
}
