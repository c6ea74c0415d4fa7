// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations of the language: what each appends to a trace.
//
// This is the only file that knows which op stands for which word of the language. A row of the
// tables below is an operation; the functions after them are the calls that the public headers
// make. Each reads its operands, makes them alike (TraceOperands.h), appends one op, and records
// its result.
//
// Arithmetic that `arith` and `math` define for every input is taken from there. Integer `/` and
// `%` and shifts are ops of `tile`: the upstream ones are undefined for some inputs, or
// fold through the host's math library, whose last bit differs from host to host.
//
// MLIR's integers have no sign; where it matters, a row has an op for each reading.
//
// Nothing is folded while tracing. Simplification belongs to the passes, where it can be seen and
// tested, and a trace that says what the user wrote makes `--stage=tile` worth reading.

#include "compiler/frontend/TraceOperands.h"

#include "dialect/TileDialect.h"
#include "trowel/Memory.h"
#include "trowel/Operations.h"
#include "trowel/Promotion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <fmt/format.h>

using namespace mlir;

namespace trowel::detail {

using compiler::checkedAxis;
using compiler::makeBinary;
using compiler::Operands;
using compiler::Site;
using compiler::spellElement;
using compiler::spellShape;
using compiler::Trace;

namespace {

using Make = mlir::Value (*)(OpBuilder &, Location, mlir::Value, mlir::Value);

template <class Op>
mlir::Value make(OpBuilder &builder, Location at, mlir::Value lhs, mlir::Value rhs) {
  return Op::create(builder, at, lhs.getType(), lhs, rhs);
}
template <> mlir::Value make<void>(OpBuilder &, Location, mlir::Value, mlir::Value) { return {}; }

/// How users spell a binary operation, and which op makes it from bools, from signed and unsigned
/// integers, and from floats.
struct BinaryRow {
  const char *name;
  Make bools;
  Make integers;
  Make unsignedIntegers;
  Make floats;
};

template <class Bools, class Integers, class UnsignedIntegers, class Floats>
constexpr BinaryRow row(const char *name) {
  return {name, make<Bools>, make<Integers>, make<UnsignedIntegers>, make<Floats>};
}

// In the order of BinaryOp. void: the promotion table and the public headers keep the type away.
constexpr BinaryRow binaryRows[] = {
    row<void, arith::AddIOp, arith::AddIOp, arith::AddFOp>("operator +"),
    row<void, arith::SubIOp, arith::SubIOp, arith::SubFOp>("operator -"),
    row<void, arith::MulIOp, arith::MulIOp, arith::MulFOp>("operator *"),
    row<void, tile::DivOp, tile::DivUOp, arith::DivFOp>("operator /"),
    row<void, tile::RemOp, tile::RemUOp, void>("operator %"),
    row<arith::AndIOp, arith::AndIOp, arith::AndIOp, void>("operator &"),
    row<arith::OrIOp, arith::OrIOp, arith::OrIOp, void>("operator |"),
    row<arith::XOrIOp, arith::XOrIOp, arith::XOrIOp, void>("operator ^"),
    row<void, tile::ShlOp, tile::ShlOp, void>("operator <<"),
    row<void, tile::ShrOp, tile::ShrUOp, void>("operator >>"),
    row<arith::AndIOp, arith::MinSIOp, arith::MinUIOp, arith::MinimumFOp>("min"),
    row<arith::OrIOp, arith::MaxSIOp, arith::MaxUIOp, arith::MaximumFOp>("max"),
    row<void, void, void, arith::MinNumFOp>("fmin"),
    row<void, void, void, arith::MaxNumFOp>("fmax"),
    row<void, tile::MulHighOp, tile::MulHighUOp, void>("mulHigh"),
};

bool isShift(BinaryOp op) { return op == BinaryOp::ShiftLeft || op == BinaryOp::ShiftRight; }

/// Bools are compared as unsigned, since a true i1 read as signed is −1. A NaN differs from
/// everything and is neither less nor greater.
struct ComparisonRow {
  const char *name;
  arith::CmpIPredicate integers;
  arith::CmpIPredicate unsignedIntegers;
  arith::CmpFPredicate floats;
};
using CmpI = arith::CmpIPredicate;
using CmpF = arith::CmpFPredicate;

// In the order of Comparison.
constexpr ComparisonRow comparisonRows[] = {
    {"operator ==", CmpI::eq, CmpI::eq, CmpF::OEQ},
    {"operator !=", CmpI::ne, CmpI::ne, CmpF::UNE},
    {"operator <", CmpI::slt, CmpI::ult, CmpF::OLT},
    {"operator <=", CmpI::sle, CmpI::ule, CmpF::OLE},
    {"operator >", CmpI::sgt, CmpI::ugt, CmpF::OGT},
    {"operator >=", CmpI::sge, CmpI::uge, CmpF::OGE},
};

// In the order of UnaryOp.
constexpr const char *unaryNames[] = {"operator -", "operator ~", "sqrt",  "abs",
                                      "floor",      "ceil",       "round", "exact"};

Type elementOf(mlir::Value value) { return tile::elementTypeOf(value.getType()); }

SmallVector<std::int64_t> extentsOf(const Shape &shape) {
  SmallVector<std::int64_t> extents;
  for (int axis = 0; axis < shape.rank(); ++axis)
    extents.push_back(shape[axis]);
  return extents;
}

template <class Op> Value program(int axis, const Site &site) {
  Trace &trace = Trace::current(site);
  if (axis < 0 || axis > 2)
    trace.fail(site, fmt::format("axis {} of the grid: a grid has the axes 0, 1 and 2", axis));
  OpBuilder &builder = trace.builder();
  return trace.record(Op::create(builder, trace.location(site.at), builder.getI64Type(),
                                 builder.getI32IntegerAttr(axis)));
}

/// The mask of an access in the shape of its pointers; null where there is none, or a host true.
mlir::Value maskFor(Operands &operands, const Operand *mask, mlir::Value pointer) {
  if (!mask || (mask->isNumber && mask->number.integer != 0))
    return {};
  mlir::Value value = operands.numeric(*mask, ElementType::Bool);
  return operands.broadcastTo(value, pointer.getType(), "the mask", "the pointer");
}

struct ModifierRow {
  const char *name; // as users write it
  const char *ptx;  // null for what an access without a modifier does
};
// In the order of Cache and of Evict.
constexpr ModifierRow cacheRows[] = {
    {"Cache::all", nullptr},
    {"Cache::global", "cg"},
    {"Cache::streaming", "cs"},
    {"Cache::writeThrough", "wt"},
};
constexpr ModifierRow evictRows[] = {
    {"Evict::normal", nullptr},
    {"Evict::unchanged", "L1::evict_unchanged"},
    {"Evict::first", "L1::evict_first"},
    {"Evict::last", "L1::evict_last"},
    {"Evict::noAllocate", "L1::no_allocate"},
};

/// The modifier of the instructions; null for none. PTX has room for one of the two.
StringAttr modifierOf(Trace &trace, const Site &site, const Access &access, bool isStore) {
  const ModifierRow &cache = cacheRows[static_cast<int>(access.cache)];
  const ModifierRow &evict = evictRows[static_cast<int>(access.evict)];
  if (cache.ptx && evict.ptx)
    trace.fail(site, fmt::format("{} and {} do not go together: an instruction has room for one of "
                                 "them",
                                 cache.name, evict.name));
  if (!isStore && access.cache == Cache::writeThrough)
    trace.fail(site, fmt::format("{} is for stores: a load may be Cache::global or "
                                 "Cache::streaming",
                                 cache.name));
  const char *ptx = cache.ptx ? cache.ptx : evict.ptx;
  return ptx ? trace.builder().getStringAttr(ptx) : StringAttr();
}

/// What the promotion table needs to know of an operand whose C++ type is gone.
Typing typingOfOperand(const Operand &operand) {
  if (!operand.isNumber)
    return {Form::Tile, operand.type, Weak::No};
  switch (operand.number.kind) {
  case Number::Kind::Bool:
    return TypingOf<HostBool>::value;
  case Number::Kind::Fraction:
    return TypingOf<HostFraction>::value;
  case Number::Kind::Signed:
  case Number::Kind::Unsigned:
    return TypingOf<HostInteger>::value;
  }
  llvm_unreachable("unknown kind of number");
}

} // namespace

} // namespace trowel::detail

namespace trowel::compiler {

mlir::Value makeBinary(detail::BinaryOp op, ElementType type, OpBuilder &builder, Location at,
                       mlir::Value lhs, mlir::Value rhs) {
  const detail::BinaryRow &row = detail::binaryRows[static_cast<int>(op)];
  detail::Make make = type == ElementType::Bool ? row.bools
                      : isFloating(type)        ? row.floats
                      : isUnsigned(type)        ? row.unsignedIntegers
                                                : row.integers;
  return make(builder, at, lhs, rhs);
}

int checkedAxis(Trace &trace, const Site &site, Axis axis, int axes, mlir::Value of) {
  int fromStart = axis.index < 0 ? axis.index + axes : axis.index;
  if (fromStart < 0 || fromStart >= axes)
    trace.fail(site,
               fmt::format("Axis{{{}}} of a tile of shape {}: axes from {} to {} exist here",
                           axis.index, spellShape(tile::extentsOf(of.getType())), -axes, axes - 1));
  return fromStart;
}

} // namespace trowel::compiler

namespace trowel::detail {

Value binary(BinaryOp op, ElementType type, Operand lhs, Operand rhs, std::source_location at) {
  const BinaryRow &row = binaryRows[static_cast<int>(op)];
  Site site{at, row.name};
  Trace &trace = Trace::current(site);
  Operands operands(trace, site);
  mlir::Value values[] = {operands.numeric(lhs, type), isShift(op) ? operands.shiftCount(rhs, type)
                                                                   : operands.numeric(rhs, type)};
  operands.broadcast(values);
  return trace.record(makeBinary(op, type, operands.builder, operands.at, values[0], values[1]));
}

Value compare(Comparison op, Operand lhs, Operand rhs, std::source_location at) {
  ElementType type = commonType(typingOfOperand(lhs), typingOfOperand(rhs));
  const ComparisonRow &row = comparisonRows[static_cast<int>(op)];
  Site site{at, row.name};
  Trace &trace = Trace::current(site);
  Operands operands(trace, site);
  mlir::Value values[] = {operands.numeric(lhs, type), operands.numeric(rhs, type)};
  operands.broadcast(values);
  OpBuilder &builder = operands.builder;
  if (isFloating(type))
    return trace.record(
        arith::CmpFOp::create(builder, operands.at, row.floats, values[0], values[1]));
  bool asUnsigned = type == ElementType::Bool || isUnsigned(type);
  return trace.record(arith::CmpIOp::create(builder, operands.at,
                                            asUnsigned ? row.unsignedIntegers : row.integers,
                                            values[0], values[1]));
}

Value unary(UnaryOp op, ElementType type, Operand operand, std::source_location at) {
  Site site{at, unaryNames[static_cast<int>(op)]};
  Trace &trace = Trace::current(site);
  Operands operands(trace, site);
  OpBuilder &builder = operands.builder;
  mlir::Value value = operands.numeric(operand, type);
  switch (op) {
  case UnaryOp::Negate:
    if (isFloating(type))
      return trace.record(arith::NegFOp::create(builder, operands.at, value));
    return trace.record(
        arith::SubIOp::create(builder, operands.at, operands.zeroLike(value), value));
  case UnaryOp::Complement: {
    mlir::Value allOnes = operands.allOnesLike(value);
    return trace.record(arith::XOrIOp::create(builder, operands.at, value, allOnes));
  }
  case UnaryOp::Sqrt:
    return trace.record(math::SqrtOp::create(builder, operands.at, value));
  case UnaryOp::Abs:
    if (isFloating(type))
      return trace.record(math::AbsFOp::create(builder, operands.at, value));
    if (isUnsigned(type))
      return trace.record(value);
    return trace.record(math::AbsIOp::create(builder, operands.at, value));
  case UnaryOp::Floor:
    return trace.record(math::FloorOp::create(builder, operands.at, value));
  case UnaryOp::Ceil:
    return trace.record(math::CeilOp::create(builder, operands.at, value));
  case UnaryOp::Round:
    return trace.record(math::RoundOp::create(builder, operands.at, value));
  case UnaryOp::Exact:
    return trace.record(tile::ExactOp::create(builder, operands.at, value.getType(), value));
  }
  llvm_unreachable("unknown unary operation");
}

Value fma(ElementType type, Operand a, Operand b, Operand c, std::source_location at) {
  Site site{at, "fma"};
  Trace &trace = Trace::current(site);
  Operands operands(trace, site);
  mlir::Value values[] = {operands.numeric(a, type), operands.numeric(b, type),
                          operands.numeric(c, type)};
  operands.broadcast(values);
  return trace.record(
      math::FmaOp::create(operands.builder, operands.at, values[0], values[1], values[2]));
}

Value select(ElementType type, Operand condition, Operand ifTrue, Operand ifFalse,
             std::source_location at) {
  Site site{at, "where"};
  Trace &trace = Trace::current(site);
  Operands operands(trace, site);
  mlir::Value values[] = {operands.numeric(condition, ElementType::Bool),
                          operands.numeric(ifTrue, type), operands.numeric(ifFalse, type)};
  operands.broadcast(values);
  return trace.record(
      arith::SelectOp::create(operands.builder, operands.at, values[0], values[1], values[2]));
}

Value convert(ElementType type, Operand operand, std::source_location at) {
  Site site{at, "cast"};
  Trace &trace = Trace::current(site);
  Operands operands(trace, site);
  return trace.record(operands.numeric(operand, type));
}

Value ceilDivide(ElementType type, Operand lhs, Operand rhs, std::source_location at) {
  Site site{at, "cdiv"};
  Trace &trace = Trace::current(site);
  Operands operands(trace, site);
  mlir::Value values[] = {operands.numeric(lhs, type), operands.numeric(rhs, type)};
  operands.broadcast(values);
  OpBuilder &builder = operands.builder;
  Location where = operands.at;
  auto [a, b] = values;
  bool natural = isUnsigned(type);
  mlir::Value quotient =
      natural ? make<tile::DivUOp>(builder, where, a, b) : make<tile::DivOp>(builder, where, a, b);
  mlir::Value rest =
      natural ? make<tile::RemUOp>(builder, where, a, b) : make<tile::RemOp>(builder, where, a, b);
  // The quotient was cut off from above where there is a rest, with the sign of the divisor.
  mlir::Value zero = operands.zeroLike(a);
  auto test = [&](CmpI predicate, mlir::Value value) -> mlir::Value {
    return arith::CmpIOp::create(builder, where, predicate, value, zero);
  };
  mlir::Value cut = make<arith::AndIOp>(builder, where, test(CmpI::ne, rest), test(CmpI::ne, b));
  if (!natural)
    cut = make<arith::AndIOp>(builder, where, cut,
                              test(CmpI::sge, make<arith::XOrIOp>(builder, where, rest, b)));
  mlir::Value one = operands.convert(cut, ElementType::Bool, type);
  return trace.record(make<arith::AddIOp>(builder, where, quotient, one));
}

Value bitcast(ElementType type, Operand operand, std::source_location at) {
  Site site{at, "bitcast"};
  Trace &trace = Trace::current(site);
  Operands operands(trace, site);
  mlir::Value value = operands.numeric(operand, operand.type);
  Type element = compiler::elementTypeIn(operands.builder.getContext(), type);
  if (elementOf(value) == element)
    return trace.record(value);
  return trace.record(arith::BitcastOp::create(
      operands.builder, operands.at, tile::withElementType(value.getType(), element), value));
}

Value logicalNot(Value operand) {
  Trace *trace = Trace::currentOrNull();
  mlir::Value value = trace ? trace->readOrNull(operand) : mlir::Value();
  if (!value)
    return copied(operand);
  OpBuilder &builder = trace->builder();
  auto truth = cast<TypedAttr>(builder.getOneAttr(value.getType()));
  mlir::Value one = arith::ConstantOp::create(builder, value.getLoc(), truth);
  return trace->record(arith::XOrIOp::create(builder, value.getLoc(), value, one));
}

Value logicalWith(BinaryOp op, Value lhs, bool rhs) {
  Trace *trace = Trace::currentOrNull();
  mlir::Value value = trace ? trace->readOrNull(lhs) : mlir::Value();
  // `x && true` and `x || false` are x.
  if (!value || rhs == (op == BinaryOp::And))
    return copied(lhs);
  OpBuilder &builder = trace->builder();
  auto result = cast<TypedAttr>(rhs ? builder.getOneAttr(value.getType())
                                    : builder.getZeroAttr(value.getType()));
  return trace->record(arith::ConstantOp::create(builder, value.getLoc(), result));
}

Value locate(Value value, std::source_location at) {
  Trace *trace = Trace::currentOrNull();
  mlir::Value negation = trace ? trace->readOrNull(value) : mlir::Value();
  if (auto op = negation ? negation.getDefiningOp<arith::XOrIOp>() : arith::XOrIOp())
    if (op->getLoc() == op->getOperand(0).getLoc()) // the first receiver tells the line
      op->setLoc(trace->location(at));
  return copied(value);
}

Value programId(int axis, std::source_location at) {
  return program<tile::ProgramIdOp>(axis, Site{at, "programId"});
}

Value programCount(int axis, std::source_location at) {
  return program<tile::ProgramCountOp>(axis, Site{at, "programCount"});
}

Value iota(const Shape &shape, std::source_location at) {
  Site site{at, "iota"};
  Trace &trace = Trace::current(site);
  Operands operands(trace, site);
  SmallVector<std::int64_t> extents = extentsOf(shape);
  operands.checkExtents(extents);
  auto type = RankedTensorType::get(extents, operands.builder.getI32Type());
  return trace.record(tile::IotaOp::create(operands.builder, operands.at, type));
}

Value full(ElementType type, const Shape &shape, Operand value, std::source_location at) {
  Site site{at, "full"};
  Trace &trace = Trace::current(site);
  Operands operands(trace, site);
  SmallVector<std::int64_t> extents = extentsOf(shape);
  operands.checkExtents(extents);
  mlir::Value scalar = operands.numeric(value, type);
  return trace.record(operands.broadcastTo(
      scalar, RankedTensorType::get(extents, elementOf(scalar)), "the value", "the tile"));
}

Value scalar(ElementType type, Operand value, std::source_location at) {
  Site site{at, "a scalar"};
  Trace &trace = Trace::current(site);
  return trace.record(Operands(trace, site).numeric(value, type));
}

Value expand(Value tile, Axis axis, std::source_location at) {
  Site site{at, "expand"};
  Trace &trace = Trace::current(site);
  mlir::Value source = trace.read(tile, site);
  Operands operands(trace, site);
  SmallVector<std::int64_t> extents(tile::extentsOf(source.getType()));
  int position = checkedAxis(trace, site, axis, static_cast<int>(extents.size()) + 1, source);
  extents.insert(extents.begin() + position, 1);
  operands.checkExtents(extents);
  return trace.record(tile::ExpandOp::create(operands.builder, operands.at,
                                             RankedTensorType::get(extents, elementOf(source)),
                                             source, position));
}

int rankOf(Value tile, std::source_location at) {
  Site site{at, "rank"};
  Trace &trace = Trace::current(site);
  return static_cast<int>(tile::extentsOf(trace.read(tile, site).getType()).size());
}

std::int64_t extentOf(Value tile, Axis axis, std::source_location at) {
  Site site{at, "extent"};
  Trace &trace = Trace::current(site);
  mlir::Value value = trace.read(tile, site);
  ArrayRef<std::int64_t> extents = tile::extentsOf(value.getType());
  return extents[checkedAxis(trace, site, axis, static_cast<int>(extents.size()), value)];
}

Value offset(Operand pointer, Operand count, bool backwards, std::source_location at) {
  Site site{at, backwards ? "pointer - offset" : "pointer + offset"};
  Trace &trace = Trace::current(site);
  Operands operands(trace, site);
  // Narrow counts are extended by their own kind before they are scaled, to i32 where that holds
  // them; ptr_add sign-extends these. To go back, as i64: the least i32 has no negative of its
  // width.
  ElementType type = count.isNumber || backwards ? ElementType::Int64 : count.type;
  if (byteSize(type) < 4)
    type = ElementType::Int32;
  else if (isUnsigned(type))
    type = ElementType::Int64;
  mlir::Value values[] = {trace.read(pointer.value, site), operands.numeric(count, type)};
  if (backwards)
    values[1] = arith::SubIOp::create(operands.builder, operands.at, operands.zeroLike(values[1]),
                                      values[1]);
  operands.broadcast(values);
  return trace.record(tile::PtrAddOp::create(operands.builder, operands.at, values[0].getType(),
                                             values[0], values[1]));
}

Value load(ElementType type, Value pointer, const Operand *mask, const Operand *fill,
           const Access &access, std::source_location at) {
  Site site{at, "load"};
  Trace &trace = Trace::current(site);
  Operands operands(trace, site);
  mlir::Value from = trace.read(pointer, site);
  mlir::Value fillValue;
  if (fill)
    fillValue = operands.broadcastTo(operands.numeric(*fill, type), from.getType(), "the fill",
                                     "the pointer");
  mlir::Value maskValue = maskFor(operands, mask, from);
  if (!maskValue)
    fillValue = {};
  return trace.record(tile::LoadOp::create(operands.builder, operands.at, from, maskValue,
                                           fillValue,
                                           modifierOf(trace, site, access, /*isStore=*/false)));
}

void store(ElementType type, Value pointer, Operand value, const Operand *mask,
           const Access &access, std::source_location at) {
  Site site{at, "store"};
  Trace &trace = Trace::current(site);
  Operands operands(trace, site);
  mlir::Value to = trace.read(pointer, site);
  mlir::Value stored =
      operands.broadcastTo(operands.numeric(value, type), to.getType(), "the value", "the pointer");
  tile::StoreOp::create(operands.builder, operands.at, to, stored, maskFor(operands, mask, to),
                        modifierOf(trace, site, access, /*isStore=*/true));
}

} // namespace trowel::detail
