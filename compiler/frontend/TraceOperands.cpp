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
// to integer is `tile.fp_to_int`, since arith.fptosi is poison out of range. A bool is 0 or 1: as
// an i1 it is zero-extended and compared as unsigned, never sign-extended to −1.
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

constexpr int maxRank = 2;
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

/// What a type can hold, for the message that a number does not fit.
const char *spellRange(ElementType type) {
  switch (type) {
  case ElementType::Bool:
    return "bool holds 0 and 1; compare with != 0 first";
  case ElementType::Int32:
    return "int32 holds -2147483648 to 2147483647; convert the other side with cast<int64>(x)";
  case ElementType::Int64:
    return "int64 holds -9223372036854775808 to 9223372036854775807";
  case ElementType::BFloat16:
    return "the largest bf16 is 3.3895314e38; write INFINITY where infinity is meant";
  case ElementType::Float32:
    return "the largest float is 3.4028235e38; write INFINITY where infinity is meant";
  }
  llvm_unreachable("unknown element type");
}

const char *spell(ElementType type) {
  switch (type) {
  case ElementType::Bool:
    return "bool";
  case ElementType::Int32:
    return "int32";
  case ElementType::Int64:
    return "int64";
  case ElementType::BFloat16:
    return "bf16";
  case ElementType::Float32:
    return "float";
  }
  llvm_unreachable("unknown element type");
}

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
  if (element.isInteger(32))
    return "int32";
  if (element.isInteger(64))
    return "int64";
  return element.isBF16() ? "bf16" : "float";
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
    bool fits = type == ElementType::Bool ? wide.isZero() || wide.isOne()
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
  }
  return FloatAttr::get(element, value);
}

mlir::Value Operands::value(const detail::Operand &operand, ElementType type) {
  if (operand.isNumber)
    return arith::ConstantOp::create(builder, at, attributeOf(operand.number, type));
  return trace.read(operand.value, site);
}

mlir::Value Operands::numeric(const detail::Operand &operand, ElementType type) {
  return convert(value(operand, type), elementTypeIn(builder.getContext(), type));
}

mlir::Value Operands::zeroLike(mlir::Value value) {
  return arith::ConstantOp::create(builder, at, builder.getZeroAttr(value.getType()));
}

mlir::Value Operands::convert(mlir::Value value, Type to) {
  Type from = tile::elementTypeOf(value.getType());
  if (from == to)
    return value;
  Type type = tile::withElementType(value.getType(), to);
  bool fromFloat = isa<FloatType>(from), toFloat = isa<FloatType>(to);

  if (to.isInteger(1)) {
    mlir::Value zero = zeroLike(value);
    if (fromFloat) // a NaN is not 0, as in C++
      return arith::CmpFOp::create(builder, at, arith::CmpFPredicate::UNE, value, zero);
    return arith::CmpIOp::create(builder, at, arith::CmpIPredicate::ne, value, zero);
  }
  if (from.isInteger(1)) {
    if (toFloat)
      return arith::UIToFPOp::create(builder, at, type, value);
    return arith::ExtUIOp::create(builder, at, type, value);
  }
  if (fromFloat && !toFloat)
    return tile::FpToIntOp::create(builder, at, type, value);
  if (!fromFloat && toFloat)
    return arith::SIToFPOp::create(builder, at, type, value);
  bool widens = to.getIntOrFloatBitWidth() > from.getIntOrFloatBitWidth();
  if (fromFloat)
    return widens ? arith::ExtFOp::create(builder, at, type, value).getResult()
                  : arith::TruncFOp::create(builder, at, type, value).getResult();
  return widens ? arith::ExtSIOp::create(builder, at, type, value).getResult()
                : arith::TruncIOp::create(builder, at, type, value).getResult();
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
      if (scalar->use_empty() && scalar->getLoc() == at)
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
    trace.fail(site, fmt::format("a tile of rank {} (shape {}): tiles of more than {} axes are not "
                                 "supported yet",
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
