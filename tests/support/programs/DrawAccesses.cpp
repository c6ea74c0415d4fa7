// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws loads and stores, whose places lie in their slice whatever their values are.
//
// ownPlaces gives each element a place of its own: coordinates with strides in any order, doubled,
// backwards, all over the slice, or by way of a far number and back. anyPlaces takes any integers
// and brings them into range, by `&`, `%`, min and max, or a mask.
#include "tests/support/programs/Generator.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>

namespace trowel::programs {

Expr Generator::sliceStart() {
  auto of = [](Op op, int axis) {
    Expr expr = make(op, ElementType::Int64, {});
    expr.which = axis;
    return expr;
  };
  Expr linear = of(Op::ProgramId, 0);
  if (program.grid[1] * program.grid[2] > 1)
    linear = pair(Op::Add, pair(Op::Multiply, of(Op::ProgramId, 1), of(Op::ProgramCount, 0)),
                  std::move(linear));
  if (program.grid[2] > 1)
    linear =
        pair(Op::Add,
             pair(Op::Multiply, pair(Op::Multiply, of(Op::ProgramId, 2), of(Op::ProgramCount, 1)),
                  of(Op::ProgramCount, 0)),
             std::move(linear));
  return pair(Op::Multiply, std::move(linear), size({SizeSymbol::Of::Slice, 0, 1, 0}));
}

Expr Generator::start() {
  return knownStart.isHost() || dice.chance(5) ? sliceStart() : knownStart;
}

Expr Generator::ownPlaces(TileShape shape) {
  std::vector<int> axes;
  for (int axis = 0; axis < shape.rank; ++axis)
    if (shape.axes >> axis & 1)
      axes.push_back(axis);
  if (axes.empty())
    return dice.chance(50) ? make(Op::Scalar, ElementType::Int64, {}, {number(dice.below(100))})
                           : smallScalar(ElementType::Int64, 7);
  if (axes.size() > 1 && dice.chance(25))
    std::swap(axes.front(), axes.back());
  ElementType type = dice.of({ElementType::Int32, ElementType::Int32, ElementType::Int64,
                              ElementType::UInt32, ElementType::Int16, ElementType::UInt64});
  Expr sum;
  unsigned inner = 0;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    Expr term = cast(type, coordinateOf(axes[i]));
    if (inner != 0)
      term =
          pair(Op::Multiply, type, std::move(term), size({SizeSymbol::Of::Extents, inner, 1, 0}));
    sum = i == 0 ? std::move(term) : pair(Op::Add, type, std::move(sum), std::move(term));
    inner |= 1u << axes[i];
  }
  switch (dice.below(12)) {
  case 0: // every second place
    sum = pair(Op::Multiply, type, std::move(sum), number(2));
    break;
  case 1: // backwards
    return pair(Op::Subtract, type, size({SizeSymbol::Of::Slice, 0, 1, -1}), std::move(sum));
  case 2: // all over
    sum = pair(Op::And, type,
               pair(Op::Multiply, type, std::move(sum), number(dice.of({3, 5, 7, 13}))),
               size({SizeSymbol::Of::Power, shape.axes, 1, -1}));
    break;
  default:
    break;
  }
  int start = dice.below(10);
  if (start == 9) { // there and back again
    Expr far =
        dice.chance(50) ? index() : make(Op::Scalar, ElementType::Int64, {}, {number(bigNumber())});
    if (dice.chance(50))
      std::swap(far, sum);
    return pair(Op::Subtract, pair(Op::Add, far, sum), far.shape.rank ? sum : far);
  }
  if (start < 2)
    return pair(Op::Add, type, std::move(sum), number(dice.between(1, 100)));
  if (start < 4)
    return pair(Op::Add, std::move(sum), smallScalar(ElementType::Int64, 127));
  return sum;
}

Expr Generator::smallScalar(ElementType type, int mask) {
  return pair(Op::And, type, draw(type, {}, 1), number(mask));
}

Expr Generator::anyPlaces(TileShape shape, bool slice, int depth, Expr &mask) {
  ElementType type = integerType();
  Expr raw = draw(type, shape, depth);
  auto whole = [&](std::int64_t extra) {
    return size({slice ? SizeSymbol::Of::Slice : SizeSymbol::Of::AllSlices, 0, 1, extra});
  };
  if (byteSize(type) == 1)
    return pair(Op::And, type, std::move(raw), number(127));
  if (byteSize(type) == 2) {
    type = ElementType::Int32;
    raw = cast(type, std::move(raw));
  }
  switch (dice.below(4)) {
  case 0:
    return pair(
        Op::And, type, std::move(raw),
        size({slice ? SizeSymbol::Of::PowerBelowSlice : SizeSymbol::Of::PowerBelowAll, 0, 1, -1}));
  case 1:
    raw = pair(Op::Remainder, type, std::move(raw), whole(0));
    if (isSigned(type)) {
      TileShape rawShape = raw.shape;
      raw = make(Op::Abs, type, rawShape, {std::move(raw)});
    }
    return raw;
  case 2:
    if (isSigned(type))
      raw = pair(Op::Maximum, type, std::move(raw), number(0));
    return pair(Op::Minimum, type, std::move(raw), whole(-1));
  default: {
    Expr place = let(std::move(raw));
    mask = compare(Op::Less, place, whole(0));
    if (isSigned(type))
      mask = both(compare(Op::GreaterEqual, place, number(0)), std::move(mask));
    return place;
  }
  }
}

Expr Generator::drawMask(TileShape shape, int depth) {
  if (shape.axes == 0 || dice.chance(50))
    return draw(ElementType::Bool, shape, depth);
  auto bound = [&](Op comparison) {
    Expr limit =
        dice.chance(50) ? number(dice.between(0, 40)) : smallScalar(ElementType::Int32, 127);
    return compare(comparison, coordinate(shape), std::move(limit));
  };
  Expr mask = bound(dice.chance(70) ? Op::Less : Op::GreaterEqual);
  return dice.chance(30) ? both(std::move(mask), bound(Op::GreaterEqual)) : mask;
}

void Generator::addOffsets(std::vector<Expr> &operands, int &offsets, Expr places, bool inSlice) {
  if (inSlice && dice.chance(40)) {
    operands.push_back(pair(Op::Add, start(), std::move(places)));
    // uint64 beside the Index makes the sum unsigned, which is as good an offset.
  } else {
    if (inSlice)
      operands.push_back(start());
    operands.push_back(std::move(places));
  }
  offsets = static_cast<int>(operands.size());
}

Expr Generator::load(int buffer, TileShape shape, int depth) {
  const BufferInfo &info = program.buffers[buffer];
  Expr expr = make(Op::Load, info.type, {});
  expr.which = buffer;
  bool inSlice = !info.readOnly || dice.chance(50);
  Expr bounds; // no mask, as long as it is a number
  Expr places =
      depth > 0 || dice.chance(15) ? anyPlaces(shape, inSlice, depth, bounds) : ownPlaces(shape);
  addOffsets(expr.operands, expr.offsets, std::move(places), inSlice);
  for (const Expr &offset : expr.operands)
    expr.shape = unionOf(expr.shape, offset.shape);
  std::optional<Expr> mask;
  if (!bounds.isHost())
    mask = std::move(bounds);
  if (dice.chance(35)) {
    Expr more = drawMask(expr.shape, std::max(depth, 1));
    mask = mask ? both(std::move(*mask), std::move(more)) : std::move(more);
  }
  if (!mask)
    return expr;
  expr.hasMask = true;
  expr.operands.push_back(std::move(*mask));
  if (dice.chance(50)) {
    expr.hasFill = true;
    expr.operands.push_back(dice.chance(50) ? hostNumber(info.type)
                                            : draw(info.type, expr.shape, depth));
  }
  return expr;
}

Statement Generator::storeTo(int buffer, TileShape shape, Expr value, bool mayRepeat) {
  Statement store;
  store.kind = Statement::Kind::Store;
  store.buffer = buffer;
  Expr bounds;
  Expr places = mayRepeat && value.shape.rank == 0 && dice.chance(30)
                    ? anyPlaces(shape, true, 1, bounds)
                    : ownPlaces(shape);
  addOffsets(store.operands, store.offsets, std::move(places), true);
  TileShape pointers;
  for (const Expr &offset : store.operands)
    pointers = unionOf(pointers, offset.shape);
  std::optional<Expr> mask;
  if (!bounds.isHost())
    mask = std::move(bounds);
  if (dice.chance(40)) {
    Expr more = drawMask(pointers, 2);
    mask = mask ? both(std::move(*mask), std::move(more)) : std::move(more);
  }
  if (mask) {
    store.hasMask = true;
    store.operands.push_back(std::move(*mask));
  }
  store.operands.push_back(std::move(value));
  return store;
}

} // namespace trowel::programs
