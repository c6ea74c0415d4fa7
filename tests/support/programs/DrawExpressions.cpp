// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws expressions of a type and at most a shape: leaves, and the operations that give the type.
//
// Operands mostly have the type of the result; some are of another type that the table of
// promotions brings to it, or numbers of the host. Leaves prefer what the program has (variables,
// arguments, buffers) to constants, from which a compiler would know too much.
#include "tests/support/programs/Generator.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>

namespace trowel::programs {

Expr Generator::typedNumber(ElementType type) {
  return make(Op::Scalar, type, {}, {hostNumber(type)});
}

Expr Generator::hostNumber(ElementType type) {
  if (type == ElementType::Bool) {
    Expr truth = number(dice.below(2));
    truth.number.kind = HostNumber::Kind::Bool;
    return truth;
  }
  if (isFloating(type)) {
    if (dice.chance(40))
      return number(dice.between(-8, 8));
    return fraction(
        dice.of({0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1.5, 2.0, 0.1, -3.25, 100.0, 1e-4, 6e4, -6e-8}));
  }
  int width = 8 * byteSize(type);
  if (dice.chance(25)) {
    std::int64_t top = width == 64 ? std::numeric_limits<std::int64_t>::max()
                                   : (std::int64_t(1) << (width - 1)) - 1;
    if (isUnsigned(type))
      return number(width == 64 ? top : dice.of({2 * top + 1, top, top + 1, 2 * top}));
    return number(dice.of({top, -top - 1, top - 1, -top}));
  }
  if (dice.chance(40))
    return number(std::int64_t(1) << dice.below(std::min(width - 1, 40)));
  return number(isUnsigned(type) ? dice.between(0, 100) : dice.between(-20, 100));
}

Expr Generator::leaf(ElementType type, TileShape most) {
  std::vector<Expr> choices;
  for (const Expr &known : scope)
    if (known.type == type && fits(known.shape, most)) {
      choices.push_back(known);
      if (known.shape.axes != 0)
        choices.push_back(known);
    }
  for (std::size_t i = 0; i < program.arguments.size(); ++i)
    if (program.arguments[i].type == type) {
      choices.push_back(make(Op::Argument, type, {}));
      choices.back().which = static_cast<int>(i);
    }
  if (!choices.empty() && dice.chance(65))
    return dice.of(choices);
  if (dice.chance(55))
    if (int buffer = bufferOf(type); buffer >= 0)
      return load(buffer, someAxes(most), 0);
  if (most.axes != 0 && type != ElementType::Bool && dice.chance(50))
    return cast(type, coordinate(most));
  if (type == ElementType::Int64 && dice.chance(50)) {
    Expr id = make(dice.chance(70) ? Op::ProgramId : Op::ProgramCount, type, {});
    id.which = dice.below(3);
    return id;
  }
  if (dice.chance(type == ElementType::Bool ? 85 : 50))
    return other(type, most);
  if (most.rank > 0 && dice.chance(30)) {
    TileShape shape = someAxes(most);
    if (shape.rank > 0)
      return make(Op::Full, type, shape, {dice.chance(60) ? hostNumber(type) : leaf(type, {})});
  }
  return choices.empty() ? typedNumber(type) : dice.of(choices);
}

Expr Generator::other(ElementType type, TileShape most) {
  std::vector<Expr> choices;
  for (const Expr &known : scope)
    if (fits(known.shape, most))
      choices.push_back(known);
  for (std::size_t i = 0; i < program.arguments.size(); ++i) {
    choices.push_back(make(Op::Argument, program.arguments[i].type, {}));
    choices.back().which = static_cast<int>(i);
  }
  if (most.axes != 0)
    choices.push_back(coordinate(most));
  choices.push_back(make(Op::ProgramId, ElementType::Int64, {}));
  Expr chosen = dice.of(choices);
  if (type != ElementType::Bool || chosen.type == ElementType::Bool)
    return cast(type, std::move(chosen));
  return compare(static_cast<Op>(static_cast<int>(Op::Equal) + dice.below(6)), chosen,
                 hostNumber(chosen.type));
}

bool Generator::fits(TileShape shape, TileShape most) {
  return shape.rank <= most.rank && (shape.axes & ~most.axes) == 0;
}

Expr Generator::coordinate(TileShape most) {
  std::vector<int> axes;
  for (int axis = 0; axis < most.rank; ++axis)
    if (most.axes >> axis & 1)
      axes.push_back(axis);
  return coordinateOf(dice.of(axes));
}

Expr Generator::coordinateOf(int axis) {
  Expr expr = make(Op::Coordinate, ElementType::Int32, {axis + 1, 1u << axis});
  expr.which = axis;
  return expr;
}

int Generator::bufferOf(ElementType type) {
  std::vector<int> found;
  for (std::size_t i = 0; i < program.buffers.size(); ++i)
    if (program.buffers[i].type == type && !program.buffers[i].approximate)
      found.push_back(static_cast<int>(i));
  return found.empty() ? -1 : dice.of(found);
}

ElementType Generator::anyType() {
  return dice.chance(75) ? dice.of(types) : allTypes[dice.below(13)];
}

ElementType Generator::integerType() {
  for (int i = 0; i < 4; ++i)
    if (ElementType type = dice.of(types); isInteger(type))
      return type;
  return dice.of(
      {ElementType::Int32, ElementType::Int64, ElementType::Int32, allTypes[1 + dice.below(8)]});
}

Expr Generator::draw(ElementType type, TileShape most, int depth) {
  Expr expr = depth <= 0 ? leaf(type, most) : operation(type, most, depth);
  if (expr.shape.rank > 0 && expr.shape.rank < most.rank && dice.chance(8)) {
    TileShape shape{expr.shape.rank + 1, expr.shape.axes};
    expr = make(Op::Expand, type, shape, {std::move(expr)});
  }
  return expr;
}

std::pair<Expr, Expr> Generator::operands(ElementType type, TileShape most, int depth) {
  ElementType other = type;
  if (type == ElementType::Float32 && dice.chance(6)) {
    Expr a = draw(ElementType::Float16, most, depth - 1);
    return {std::move(a), draw(ElementType::BFloat16, most, depth - 1)};
  }
  if (type == ElementType::Float32 && dice.chance(5))
    return order(draw(integerType(), most, depth - 1), fraction(dice.of({0.5, -1.5, 0.1, 3.0})));
  Expr a = draw(type, most, depth - 1);
  if (dice.chance(25))
    return order(std::move(a), hostNumber(type));
  if (dice.chance(18)) {
    other = allTypes[dice.below(13)];
    if (commonType(make(Op::Variable, other, {}), a) != type)
      other = type;
  }
  return order(std::move(a), draw(other, most, depth - 1));
}

std::pair<Expr, Expr> Generator::order(Expr a, Expr b) {
  if (dice.chance(30))
    std::swap(a, b);
  return {std::move(a), std::move(b)};
}

Expr Generator::operation(ElementType type, TileShape most, int depth) {
  if (dice.chance(8))
    return leaf(type, most);
  if (dice.chance(10))
    return where(type, most, depth);
  if (dice.chance(10))
    return cast(type, draw(anyType(), most, depth - 1));
  if (dice.chance(8) && bufferOf(type) >= 0)
    return load(bufferOf(type), someAxes(most), depth - 1);
  if (type == ElementType::Bool)
    return truth(most, depth);
  if (dice.chance(4))
    return bitcast(type, most, depth);
  if (isFloating(type))
    return floating(type, most, depth);
  return integer(type, most, depth);
}

Expr Generator::where(ElementType type, TileShape most, int depth) {
  Expr condition = draw(ElementType::Bool, most, depth - 1);
  auto [a, b] = operands(type, most, depth);
  TileShape shape = unionOf(condition.shape, unionOf(a.shape, b.shape));
  return make(Op::Where, commonType(a, b), shape,
              {std::move(condition), std::move(a), std::move(b)});
}

Expr Generator::bitcast(ElementType type, TileShape most, int depth) {
  std::vector<ElementType> sources;
  for (ElementType from : allTypes)
    if (from != ElementType::Bool && byteSize(from) == byteSize(type))
      sources.push_back(from);
  Expr source = draw(dice.of(sources), most, depth - 1);
  TileShape shape = source.shape;
  if (isFloating(source.type)) {
    source = let(std::move(source));
    ElementType from = source.type;
    source =
        make(Op::Where, from, shape, {compare(Op::Equal, source, source), source, fraction(1.5)});
  }
  return make(Op::Bitcast, type, shape, {std::move(source)});
}

Expr Generator::truth(TileShape most, int depth) {
  if (most.axes != 0 && dice.chance(12))
    return bounded(most);
  int choice = dice.below(10);
  if (choice < 6) {
    ElementType type = anyType();
    Expr a = draw(type, most, depth - 1);
    Expr b = dice.chance(30)   ? hostNumber(type)
             : dice.chance(80) ? draw(type, most, depth - 1)
                               : draw(anyType(), most, depth - 1);
    auto [left, right] = order(std::move(a), std::move(b));
    return compare(static_cast<Op>(static_cast<int>(Op::Equal) + dice.below(6)), std::move(left),
                   std::move(right));
  }
  if (choice < 7) {
    Expr a = draw(ElementType::Bool, most, depth - 1);
    TileShape shape = a.shape;
    return make(Op::Not, ElementType::Bool, shape, {std::move(a)});
  }
  Expr a = draw(ElementType::Bool, most, depth - 1), b = draw(ElementType::Bool, most, depth - 1);
  return pair(dice.of({Op::And, Op::Or, Op::Xor, Op::Minimum, Op::Maximum}), ElementType::Bool,
              std::move(a), std::move(b));
}

Expr Generator::bounded(TileShape most) {
  Expr position = pair(Op::Add, index(), coordinate(most));
  if (dice.chance(30))
    position = pair(Op::Multiply, std::move(position), dice.chance(50) ? index() : number(4));
  Expr bound = dice.chance(50) ? index() : number(bigNumber());
  return compare(dice.of({Op::Less, Op::LessEqual, Op::GreaterEqual, Op::Equal}),
                 std::move(position), std::move(bound));
}

Expr Generator::index() {
  std::vector<Expr> choices;
  for (const Expr &known : scope)
    if (known.type == ElementType::Int64 && known.shape.rank == 0)
      choices.push_back(known);
  for (std::size_t i = 0; i < program.arguments.size(); ++i)
    if (program.arguments[i].type == ElementType::Int64) {
      choices.push_back(make(Op::Argument, ElementType::Int64, {}));
      choices.back().which = static_cast<int>(i);
    }
  Expr id = make(Op::ProgramId, ElementType::Int64, {});
  choices.push_back(id);
  choices.push_back(
      pair(Op::Multiply, std::move(id), number(dice.of<std::int64_t>({128, 1 << 20, 1 << 30}))));
  choices.push_back(make(Op::Scalar, ElementType::Int64, {}, {number(bigNumber())}));
  return dice.of(choices);
}

std::int64_t Generator::bigNumber() {
  return dice.of<std::int64_t>({0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, -0x80000000ll,
                                0x7fffff00, 0xffffff00, 100, 0, 1 << 30}) +
         dice.between(-20, 20);
}

Expr Generator::integer(ElementType type, TileShape most, int depth) {
  int choice = dice.below(100);
  if (choice < 12) {
    Op op = dice.of({Op::Negate, Op::Complement, Op::Abs});
    Expr a = draw(type, most, depth - 1);
    TileShape shape = a.shape;
    return make(op, type, shape, {std::move(a)});
  }
  if (choice < 26) {
    Expr a = draw(type, most, depth - 1);
    Expr count =
        dice.chance(50) ? number(dice.between(0, 70)) : draw(integerType(), most, depth - 1);
    return pair(dice.of({Op::ShiftLeft, Op::ShiftRight}), type, std::move(a), std::move(count));
  }
  auto [a, b] = operands(type, most, depth);
  Op op =
      dice.of({Op::Add, Op::Add, Op::Subtract, Op::Multiply, Op::Multiply, Op::Divide,
               Op::Remainder, Op::CeilDivide, Op::And, Op::Or, Op::Xor, Op::Minimum, Op::Maximum});
  return pair(op, type, std::move(a), std::move(b));
}

Expr Generator::floating(ElementType type, TileShape most, int depth) {
  int choice = dice.below(100);
  if (choice < 15) {
    Op op = dice.of({Op::Negate, Op::Abs, Op::Sqrt});
    Expr a = draw(type, most, depth - 1);
    TileShape shape = a.shape;
    return make(op, type, shape, {std::move(a)});
  }
  if (choice < 23) {
    Expr a = draw(type, most, depth - 1), b = draw(type, most, depth - 1);
    Expr c = dice.chance(25) ? hostNumber(type) : draw(type, most, depth - 1);
    TileShape shape = unionOf(a.shape, unionOf(b.shape, c.shape));
    return make(Op::Fma, type, shape, {std::move(a), std::move(b), std::move(c)});
  }
  auto [a, b] = operands(type, most, depth);
  Op op = dice.of({Op::Add, Op::Add, Op::Subtract, Op::Subtract, Op::Multiply, Op::Multiply,
                   Op::Multiply, Op::Minimum, Op::Maximum, Op::MinimumNumber, Op::MaximumNumber});
  if (type == ElementType::Float64 && dice.chance(15))
    op = Op::Divide;
  return pair(op, type, std::move(a), std::move(b));
}

} // namespace trowel::programs
