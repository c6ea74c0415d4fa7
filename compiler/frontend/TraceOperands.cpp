// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The three rules by which unlike operands meet.
//
// Numbers of the host are weak. They take the type of what they meet, so `tile * 2` is no
// conversion; a number that the type cannot hold is refused rather than wrapped, because a literal
// that wraps is a slip every time. Rounding is not refused: 0.1 has no exact float either. Each
// number is rounded once, straight to the target type; a detour through double would round 2^60 + 1
// twice on its way to bf16.
//
// Element types: the caller has looked up the common type in the promotion table and each operand
// is converted to it. The conversions that MLIR defines for every input are used from there; float
// to integer is `tile.fp_to_int`, since arith.fptosi is poison out of range. Integers have no sign
// in MLIR, so each operand brings its type along and the op is chosen by it. A bool is the unsigned
// integer of one bit: zero-extended and compared as unsigned, never sign-extended to −1.
//
// Shapes broadcast as in NumPy: aligned at the last axis, an extent of 1 repeats, and a scalar
// repeats everywhere. Each step is an explicit op (splat, expand, broadcast), so that passes need
// no rule for operands of different shapes. A constant is made in its final shape at once.

#include "compiler/frontend/TraceOperands.h"

#include "dialect/TileDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <fmt/format.h>

using namespace mlir;

namespace trowel::compiler {

namespace {

constexpr int maxRank = 4;
/// More elements than any program could hold in registers: 1024 threads of 1024 elements.
constexpr std::int64_t maxElements = std::int64_t{1} << 20;

std::string spell(const detail::Number &number) {
  switch (number.kind) {
  case detail::Number::Kind::Bool:
    return number.integer ? "true" : "false";
  case detail::Number::Kind::Signed:
    return fmt::format("{}", number.integer);
  case detail::Number::Kind::Unsigned:
    return fmt::format("{}", number.natural);
  case detail::Number::Kind::Fraction:
    return fmt::format("{}", number.fraction);
  }
  llvm_unreachable("unknown kind of number");
}

/// How users write an element type, and what it can hold, for the message that a number does not
/// fit.
struct TypeText {
  const char *name;
  const char *range;
};

// In the order of ElementType.
constexpr TypeText typeTexts[] = {
    {"bool", "bool holds 0 and 1; compare with != 0 first"},
    {"int8", "int8 holds -128 to 127; convert the other side with cast<int32>(x)"},
    {"uint8", "uint8 holds 0 to 255; convert the other side with cast<int32>(x)"},
    {"int16", "int16 holds -32768 to 32767; convert the other side with cast<int32>(x)"},
    {"uint16", "uint16 holds 0 to 65535; convert the other side with cast<int32>(x)"},
    {"int32", "int32 holds -2147483648 to 2147483647; convert the other side with cast<int64>(x)"},
    {"uint32", "uint32 holds 0 to 4294967295; convert the other side with cast<int64>(x)"},
    {"int64", "int64 holds -9223372036854775808 to 9223372036854775807"},
    {"uint64",
     "uint64 holds 0 to 18446744073709551615; convert the other side with cast<int64>(x)"},
    {"f16", "the largest f16 is 65504; write INFINITY where infinity is meant"},
    {"bf16", "the largest bf16 is 3.3895314e38; write INFINITY where infinity is meant"},
    {"float", "the largest float is 3.4028235e38; write INFINITY where infinity is meant"},
    {"double",
     "the largest double is 1.7976931348623157e308; write INFINITY where infinity is meant"},
};
const char *spell(ElementType type) { return typeTexts[static_cast<int>(type)].name; }
const char *spellRange(ElementType type) { return typeTexts[static_cast<int>(type)].range; }

/// The number as a signed integer of 65 bits, which holds every host integer.
APInt wideInteger(const detail::Number &number) {
  if (number.kind == detail::Number::Kind::Unsigned)
    return APInt(65, number.natural);
  return APInt(65, static_cast<std::uint64_t>(number.integer), /*isSigned=*/true);
}

/// The extents that both broadcast to; nullopt where they do not go together.
std::optional<SmallVector<std::int64_t>> commonExtents(ArrayRef<std::int64_t> a,
                                                       ArrayRef<std::int64_t> b) {
  SmallVector<std::int64_t> common(std::max(a.size(), b.size()), 1);
  for (std::size_t i = 0; i < common.size(); ++i) {
    std::int64_t fromA = i < a.size() ? a[a.size() - 1 - i] : 1;
    std::int64_t fromB = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (fromA != fromB && fromA != 1 && fromB != 1)
      return std::nullopt;
    common[common.size() - 1 - i] = fromA == 1 ? fromB : fromA;
  }
  return common;
}

} // namespace

std::string spellElement(Type element) {
  if (auto pointer = dyn_cast<tile::PtrType>(element))
    return fmt::format("Ptr<{}>", spellElement(pointer.getPointee()));
  if (element.isInteger(1))
    return "bool";
  if (element.isInteger())
    return fmt::format("int{}", element.getIntOrFloatBitWidth());
  return element.isBF16() ? "bf16" : element.isF16() ? "f16" : element.isF32() ? "float" : "double";
}

std::string spellShape(ArrayRef<std::int64_t> extents) {
  return extents.empty() ? "a scalar" : fmt::format("{}", fmt::join(extents, "x"));
}

TypedAttr Operands::attributeOf(const detail::Number &number, ElementType type) {
  auto refuse = [&] {
    trace.fail(site,
               fmt::format("{} does not fit {}: {}", spell(number), spell(type), spellRange(type)));
  };
  Type element = elementTypeIn(builder.getContext(), type);
  bool fraction = number.kind == detail::Number::Kind::Fraction;

  if (auto integerType = dyn_cast<IntegerType>(element)) {
    if (fraction)
      trace.fail(site, fmt::format("the fraction {} meets elements of {}: convert one of the two",
                                   spell(number), spell(type)));
    APInt wide = wideInteger(number);
    bool fits = isUnsigned(type) || type == ElementType::Bool
                    ? wide.isIntN(integerType.getWidth())
                    : wide.isSignedIntN(integerType.getWidth());
    if (!fits)
      refuse();
    return IntegerAttr::get(element, wide.trunc(integerType.getWidth()));
  }

  const llvm::fltSemantics &semantics = cast<FloatType>(element).getFloatSemantics();
  APFloat value(semantics);
  if (fraction) {
    value = APFloat(number.fraction);
    bool wasFinite = value.isFinite();
    bool losesInfo;
    value.convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
    if (wasFinite && !value.isFinite())
      refuse();
  } else {
    value.convertFromAPInt(wideInteger(number), /*IsSigned=*/true, APFloat::rmNearestTiesToEven);
    if (!value.isFinite())
      refuse();
  }
  return FloatAttr::get(element, value);
}

mlir::Value Operands::constant(TypedAttr number) {
  auto op = arith::ConstantOp::create(builder, at, number);
  ownConstants.insert(op);
  return op;
}

mlir::Value Operands::value(const detail::Operand &operand, ElementType type) {
  if (operand.isNumber)
    return constant(attributeOf(operand.number, type));
  return trace.read(operand.value, site);
}

mlir::Value Operands::numeric(const detail::Operand &operand, ElementType type) {
  return convert(value(operand, type), operand.isNumber ? type : operand.type, type);
}

mlir::Value Operands::zeroLike(mlir::Value value) {
  return arith::ConstantOp::create(builder, at, builder.getZeroAttr(value.getType()));
}

mlir::Value Operands::allOnesLike(mlir::Value value) {
  Type element = tile::elementTypeOf(value.getType());
  TypedAttr ones =
      builder.getIntegerAttr(element, APInt::getAllOnes(element.getIntOrFloatBitWidth()));
  if (auto type = dyn_cast<RankedTensorType>(value.getType()))
    ones = DenseElementsAttr::get(type, ones);
  return arith::ConstantOp::create(builder, at, ones);
}

mlir::Value Operands::convert(mlir::Value value, ElementType from, ElementType to) {
  if (from == to)
    return value;
  Type type = tile::withElementType(value.getType(), elementTypeIn(builder.getContext(), to));
  bool fromSigned = trowel::isInteger(from) && !isUnsigned(from);

  if (to == ElementType::Bool) {
    mlir::Value zero = zeroLike(value);
    if (isFloating(from)) // a NaN is not 0, as in C++
      return arith::CmpFOp::create(builder, at, arith::CmpFPredicate::UNE, value, zero);
    return arith::CmpIOp::create(builder, at, arith::CmpIPredicate::ne, value, zero);
  }
  if (isFloating(from) && isFloating(to)) {
    if (byteSize(to) > byteSize(from))
      return arith::ExtFOp::create(builder, at, type, value);
    if (byteSize(to) < byteSize(from))
      return arith::TruncFOp::create(builder, at, type, value);
    // f16 and bf16 hold different numbers; float holds both, so only the second step rounds.
    Type wide = tile::withElementType(type, builder.getF32Type());
    return arith::TruncFOp::create(builder, at, type,
                                   arith::ExtFOp::create(builder, at, wide, value));
  }
  if (isFloating(from))
    return isUnsigned(to) ? tile::FpToIntUOp::create(builder, at, type, value).getResult()
                          : tile::FpToIntOp::create(builder, at, type, value).getResult();
  if (isFloating(to))
    return fromSigned ? arith::SIToFPOp::create(builder, at, type, value).getResult()
                      : arith::UIToFPOp::create(builder, at, type, value).getResult();
  if (from != ElementType::Bool && byteSize(to) == byteSize(from))
    return value; // the same bits, read otherwise
  if (from != ElementType::Bool && byteSize(to) < byteSize(from))
    return arith::TruncIOp::create(builder, at, type, value);
  return fromSigned ? arith::ExtSIOp::create(builder, at, type, value).getResult()
                    : arith::ExtUIOp::create(builder, at, type, value).getResult();
}

mlir::Value Operands::shiftCount(const detail::Operand &operand, ElementType type) {
  if (operand.isNumber || byteSize(operand.type) <= byteSize(type))
    return numeric(operand, type);
  mlir::Value count = value(operand, operand.type);
  std::int64_t width = 8 * byteSize(type);
  Type element = tile::elementTypeOf(count.getType());
  mlir::Value most = reshape(constant(builder.getIntegerAttr(element, width)),
                             SmallVector<std::int64_t>(tile::extentsOf(count.getType())));
  return convert(arith::MinUIOp::create(builder, at, count, most), operand.type, type);
}

mlir::Value Operands::reshape(mlir::Value value, ArrayRef<std::int64_t> extents) {
  ArrayRef<std::int64_t> current = tile::extentsOf(value.getType());
  if (current == extents)
    return value;
  Type element = tile::elementTypeOf(value.getType());
  auto type = RankedTensorType::get(extents, element);
  if (current.empty()) {
    Attribute constant;
    if (matchPattern(value, m_Constant(&constant))) {
      Operation *scalar = value.getDefiningOp();
      mlir::Value dense =
          arith::ConstantOp::create(builder, at, DenseElementsAttr::get(type, constant));
      if (scalar->use_empty() && ownConstants.erase(scalar))
        scalar->erase();
      return dense;
    }
    return tile::SplatOp::create(builder, at, type, value);
  }
  while (tile::extentsOf(value.getType()).size() < extents.size()) {
    SmallVector<std::int64_t> wider{1};
    llvm::append_range(wider, tile::extentsOf(value.getType()));
    value = tile::ExpandOp::create(builder, at, RankedTensorType::get(wider, element), value,
                                   /*axis=*/0);
  }
  if (tile::extentsOf(value.getType()) == extents)
    return value;
  return tile::BroadcastOp::create(builder, at, type, value);
}

void Operands::broadcast(MutableArrayRef<mlir::Value> values) {
  SmallVector<std::int64_t> extents;
  for (mlir::Value value : values) {
    ArrayRef<std::int64_t> own = tile::extentsOf(value.getType());
    std::optional<SmallVector<std::int64_t>> common = commonExtents(extents, own);
    if (!common)
      trace.fail(site, fmt::format("shapes {} and {} do not go together: extents are compared from "
                                   "the last axis and must be equal, or one of them 1; insert an "
                                   "axis with expand(x, Axis{{k}})",
                                   spellShape(extents), spellShape(own)));
    extents = *common;
  }
  if (!extents.empty())
    checkExtents(extents);
  for (mlir::Value &value : values)
    value = reshape(value, extents);
}

mlir::Value Operands::broadcastTo(mlir::Value value, Type shape, const char *valueName,
                                  const char *shapeName) {
  ArrayRef<std::int64_t> own = tile::extentsOf(value.getType()), extents = tile::extentsOf(shape);
  std::optional<SmallVector<std::int64_t>> common = commonExtents(extents, own);
  if (!common || ArrayRef<std::int64_t>(*common) != extents)
    trace.fail(site, fmt::format("{} has the shape {}, but {} has {}: it must have that shape, or "
                                 "one that repeats to it along axes of extent 1",
                                 valueName, spellShape(own), shapeName, spellShape(extents)));
  return reshape(value, extents);
}

void Operands::checkExtents(ArrayRef<std::int64_t> extents) {
  std::string shape = spellShape(extents);
  if (extents.size() > maxRank)
    trace.fail(site,
               fmt::format("a tile of rank {} (shape {}): a tile has at most {} axes; let more "
                           "programs take the rest",
                           extents.size(), shape, maxRank));
  for (auto [axis, extent] : llvm::enumerate(extents)) {
    std::string where = fmt::format("extent {} of axis {} (shape {})", extent, axis, shape);
    if (extent <= 0)
      trace.fail(site, where + ": an extent must be at least 1");
    if (extent > maxElements)
      trace.fail(site, fmt::format("{}: a tile has at most {} elements; let more programs take "
                                   "smaller tiles",
                                   where, maxElements));
  }
  std::int64_t elements = 1;
  for (std::int64_t extent : extents)
    elements *= extent;
  if (elements > maxElements)
    trace.fail(site,
               fmt::format("a tile of {} = {} elements: a tile has at most {}; let more programs "
                           "take smaller tiles",
                           shape, elements, maxElements));
}

} // namespace trowel::compiler
