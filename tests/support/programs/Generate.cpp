// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws programs.
//
// A program is drawn from the top: for a statement, expressions of the type and shape that it
// needs; for an expression, an operation that gives its type, then operands. Whatever is drawn is a
// program: it is typed as the language types it, its loops end, and no access leaves its slice. So
// that this holds:
//
// - Each access brings its own proof. It is a sum of coordinates with strides that cover the slice
//   at most once, or any integer that is clamped, reduced or masked into range at the access.
// - A loop's bounds are clamped to a few trips, a while_ counts down a variable of its own.
// - A store's lanes go to different places, or store one value.
// - Functions that are not exact are stored at once, into buffers that nobody loads from.
// - The bits of a NaN, which no rule fixes, are hidden from `bitcast`.
// - A float product is set to a variable only where all its uses are stored, since a use that
//   nothing follows from may or may not count for contraction.
//
// Programs that would take too long (three nested loops over the largest tile) are drawn again.
#include "tests/support/programs/Evaluate.h"
#include "tests/support/programs/Program.h"

#include "tests/support/RandomData.h"

#include <algorithm>
#include <bit>
#include <initializer_list>
#include <limits>
#include <utility>

namespace trowel::programs {

namespace {

class Dice {
public:
  explicit Dice(std::uint64_t seed) : seed(seed) {}
  /// 0 … count − 1.
  int below(int count) { return static_cast<int>(bits() % static_cast<std::uint64_t>(count)); }
  std::int64_t between(std::int64_t lowest, std::int64_t highest) {
    return lowest + below(static_cast<int>(highest - lowest + 1));
  }
  bool chance(int percent) { return below(100) < percent; }
  template <class T> const T &of(const std::vector<T> &values) {
    return values[below(static_cast<int>(values.size()))];
  }
  template <class T> T of(std::initializer_list<T> values) {
    return values.begin()[below(static_cast<int>(values.size()))];
  }
  std::uint64_t bits() { return support::randomBits(seed, index++); }

private:
  std::uint64_t seed, index = 0;
};

const ElementType allTypes[] = {ElementType::Bool,    ElementType::Int8,     ElementType::UInt8,
                                ElementType::Int16,   ElementType::UInt16,   ElementType::Int32,
                                ElementType::UInt32,  ElementType::Int64,    ElementType::UInt64,
                                ElementType::Float16, ElementType::BFloat16, ElementType::Float32,
                                ElementType::Float64};

bool isSigned(ElementType type) { return isInteger(type) && !isUnsigned(type); }

Expr make(Op op, ElementType type, TileShape shape, std::vector<Expr> operands = {}) {
  Expr expr;
  expr.op = op;
  expr.type = type;
  expr.shape = shape;
  expr.operands = std::move(operands);
  return expr;
}

Expr number(std::int64_t value) {
  Expr expr;
  expr.number.integer = value;
  return expr;
}
Expr fraction(double value) {
  Expr expr = make(Op::Number, ElementType::Float32, {});
  expr.number.kind = HostNumber::Kind::Fraction;
  expr.number.fraction = value;
  return expr;
}
Expr size(SizeSymbol symbol) {
  Expr expr = make(Op::Size, ElementType::Int32, {});
  expr.size = symbol;
  return expr;
}
Expr variable(int which, ElementType type, TileShape shape) {
  Expr expr = make(Op::Variable, type, shape);
  expr.which = which;
  return expr;
}
Expr cast(ElementType type, Expr operand) {
  if (operand.type == type && !operand.isHost())
    return operand;
  TileShape shape = operand.shape;
  return make(Op::Cast, type, shape, {std::move(operand)});
}
Expr pair(Op op, ElementType type, Expr a, Expr b) {
  TileShape shape = unionOf(a.shape, b.shape);
  return make(op, type, shape, {std::move(a), std::move(b)});
}
Expr pair(Op op, Expr a, Expr b) {
  ElementType type = arithmeticType(a, b);
  return pair(op, type, std::move(a), std::move(b));
}
Expr compare(Op op, Expr a, Expr b) {
  return pair(op, ElementType::Bool, std::move(a), std::move(b));
}
Expr both(Expr a, Expr b) { return pair(Op::And, ElementType::Bool, std::move(a), std::move(b)); }

class Generator {
public:
  explicit Generator(std::uint64_t seed, int attempt)
      : dice(support::randomBits(seed, static_cast<std::uint64_t>(attempt) + 1000)) {
    program.seed = seed;
  }

  Program draw() {
    drawFrame();
    block = &program.statements;
    if (dice.chance(85))
      knownStart = let(sliceStart());
    int count = static_cast<int>(dice.between(2, 9));
    for (int i = 0; i < count; ++i)
      statement();
    showVariables();
    return std::move(program);
  }

private:
  /// What a program is made of before its first statement.
  void drawFrame() {
    int rank = dice.of({0, 1, 1, 1, 1, 2, 2, 2, 3, 4});
    const std::int64_t most = dice.chance(85) ? 256 : 4096;
    std::int64_t padded = 1;
    for (int axis = 0; axis < rank; ++axis) {
      std::int64_t extent = dice.chance(60) ? dice.between(1, 17)
                                            : dice.of({32, 64, 96, 100, 128, 250, 256, 1000, 3000});
      while (padded * ceilPower(extent) > most)
        extent = extent / 2 + (extent > 1 ? extent & 1 : 0);
      program.extents.push_back(extent);
      padded *= ceilPower(extent);
    }
    for (std::int64_t &extent : program.grid)
      extent = dice.of({1, 1, 2, 3});
    if (dice.chance(30))
      program.warps = 1 << dice.between(padded > 1024 ? 2 : 0, 3 + dice.below(3));
    else if (dice.chance(40))
      program.elementsPerThread = 1 << dice.between(padded > 1024 ? 2 : 0, 4);
    program.sliceExtra = dice.of({128, 144, 129, 135, 200});
    int favourites = static_cast<int>(dice.between(1, 4));
    for (int i = 0; i < favourites; ++i)
      types.push_back(allTypes[dice.below(13)]);
    int buffers = static_cast<int>(dice.between(1, 3));
    for (int i = 0; i < buffers; ++i)
      addBuffer(dice.of(types), /*readOnly=*/true, /*approximate=*/false);
    buffers = static_cast<int>(dice.between(1, 2));
    for (int i = 0; i < buffers; ++i)
      addBuffer(dice.of(types), /*readOnly=*/false, /*approximate=*/false);
    int arguments = static_cast<int>(dice.between(1, 4));
    for (int i = 0; i < arguments; ++i)
      drawArgument();
  }
  static std::int64_t ceilPower(std::int64_t extent) {
    return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(extent)));
  }

  int addBuffer(ElementType type, bool readOnly, bool approximate) {
    program.buffers.push_back({type, readOnly, approximate, dice.chance(70) ? 0 : dice.below(5)});
    return static_cast<int>(program.buffers.size()) - 1;
  }

  void drawArgument() {
    ArgumentInfo info{dice.chance(50) ? dice.of(types) : allTypes[dice.below(13)], dice.chance(40),
                      0};
    if (info.isIndex) {
      info.type = ElementType::Int64;
      info.value = static_cast<Bits>(dice.of<std::int64_t>(
          {0, 1, 2, 3, 16, 32, 1000, -1, -16, 1 << 20, 0x7fffffff, 0x80000000, 0xffffffff,
           0x100000000, std::numeric_limits<std::int64_t>::max(),
           std::numeric_limits<std::int64_t>::min(), -0x80000000ll, -0x80000001ll}));
    } else {
      // As an element of a buffer.
      Program source = program;
      source.seed = dice.bits() >> 8;
      source.buffers = {{info.type, true, false, 0}};
      source.grid[0] = source.grid[1] = source.grid[2] = 1;
      source.extents.clear();
      info.value = initialContents(source, 0)[dice.below(64)];
    }
    program.arguments.push_back(info);
  }

  TileShape allAxes() const {
    auto rank = static_cast<int>(program.extents.size());
    return {rank, (1u << rank) - 1};
  }
  /// Mostly all axes of the shape.
  TileShape someAxes(TileShape most) {
    if (most.rank == 0 || dice.chance(70))
      return most;
    TileShape shape{dice.below(most.rank + 1), 0};
    for (int axis = 0; axis < shape.rank; ++axis)
      if ((most.axes >> axis & 1) && dice.chance(70))
        shape.axes |= 1u << axis;
    return shape;
  }

  // Leaves.

  Expr typedNumber(ElementType type) { return make(Op::Scalar, type, {}, {hostNumber(type)}); }
  /// A number of the host that the type holds.
  Expr hostNumber(ElementType type) {
    if (type == ElementType::Bool) {
      Expr truth = number(dice.below(2));
      truth.number.kind = HostNumber::Kind::Bool;
      return truth;
    }
    if (isFloating(type)) {
      if (dice.chance(40))
        return number(dice.between(-8, 8));
      return fraction(dice.of(
          {0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1.5, 2.0, 0.1, -3.25, 100.0, 1e-4, 6e4, -6e-8}));
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

  /// An expression without operations, of the type and at most the shape.
  Expr leaf(ElementType type, TileShape most) {
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
  /// Something of another type, converted; a truth is a comparison.
  Expr other(ElementType type, TileShape most) {
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
  static bool fits(TileShape shape, TileShape most) {
    return shape.rank <= most.rank && (shape.axes & ~most.axes) == 0;
  }
  Expr coordinate(TileShape most) {
    std::vector<int> axes;
    for (int axis = 0; axis < most.rank; ++axis)
      if (most.axes >> axis & 1)
        axes.push_back(axis);
    return coordinateOf(dice.of(axes));
  }
  static Expr coordinateOf(int axis) {
    Expr expr = make(Op::Coordinate, ElementType::Int32, {axis + 1, 1u << axis});
    expr.which = axis;
    return expr;
  }
  /// A buffer of the type that may be loaded from, or −1.
  int bufferOf(ElementType type) {
    std::vector<int> found;
    for (std::size_t i = 0; i < program.buffers.size(); ++i)
      if (program.buffers[i].type == type && !program.buffers[i].approximate)
        found.push_back(static_cast<int>(i));
    return found.empty() ? -1 : dice.of(found);
  }

  // Expressions.

  ElementType anyType() { return dice.chance(75) ? dice.of(types) : allTypes[dice.below(13)]; }
  ElementType integerType() {
    for (int i = 0; i < 4; ++i)
      if (ElementType type = dice.of(types); isInteger(type))
        return type;
    return dice.of(
        {ElementType::Int32, ElementType::Int64, ElementType::Int32, allTypes[1 + dice.below(8)]});
  }

  Expr draw(ElementType type, TileShape most, int depth) {
    Expr expr = depth <= 0 ? leaf(type, most) : operation(type, most, depth);
    if (expr.shape.rank > 0 && expr.shape.rank < most.rank && dice.chance(8)) {
      TileShape shape{expr.shape.rank + 1, expr.shape.axes};
      expr = make(Op::Expand, type, shape, {std::move(expr)});
    }
    return expr;
  }

  /// Two operands that meet in the type. One may be a number of the host.
  std::pair<Expr, Expr> operands(ElementType type, TileShape most, int depth) {
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
  std::pair<Expr, Expr> order(Expr a, Expr b) {
    if (dice.chance(30))
      std::swap(a, b);
    return {std::move(a), std::move(b)};
  }

  Expr operation(ElementType type, TileShape most, int depth) {
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

  Expr where(ElementType type, TileShape most, int depth) {
    Expr condition = draw(ElementType::Bool, most, depth - 1);
    auto [a, b] = operands(type, most, depth);
    TileShape shape = unionOf(condition.shape, unionOf(a.shape, b.shape));
    return make(Op::Where, commonType(a, b), shape,
                {std::move(condition), std::move(a), std::move(b)});
  }

  /// The bits of a NaN are nobody's business.
  Expr bitcast(ElementType type, TileShape most, int depth) {
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

  Expr truth(TileShape most, int depth) {
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

  Expr integer(ElementType type, TileShape most, int depth) {
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
    Op op = dice.of({Op::Add, Op::Add, Op::Subtract, Op::Multiply, Op::Multiply, Op::Divide,
                     Op::Remainder, Op::CeilDivide, Op::And, Op::Or, Op::Xor, Op::Minimum,
                     Op::Maximum});
    return pair(op, type, std::move(a), std::move(b));
  }

  Expr floating(ElementType type, TileShape most, int depth) {
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

  // Accesses.

  /// Where this program's slice begins.
  Expr sliceStart() {
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
  Expr start() { return knownStart.isHost() || dice.chance(5) ? sliceStart() : knownStart; }

  /// A place of the slice for each element of a shape, all different.
  Expr ownPlaces(TileShape shape) {
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
    if (start < 2)
      return pair(Op::Add, type, std::move(sum), number(dice.between(1, 100)));
    if (start < 4)
      return pair(Op::Add, std::move(sum), smallScalar(ElementType::Int64, 127));
    return sum;
  }
  /// A scalar of 0 … mask.
  Expr smallScalar(ElementType type, int mask) {
    return pair(Op::And, type, draw(type, {}, 1), number(mask));
  }

  /// Any integers, brought into 0 … below the size of a slice or of all slices. May ask for a mask.
  Expr anyPlaces(TileShape shape, bool slice, int depth, Expr &mask) {
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
      return pair(Op::And, type, std::move(raw),
                  size({slice ? SizeSymbol::Of::PowerBelowSlice : SizeSymbol::Of::PowerBelowAll, 0,
                        1, -1}));
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

  /// Adds what leads to the places, and the slice's start where there is one, as offsets.
  void addOffsets(std::vector<Expr> &operands, int &offsets, Expr places, bool inSlice) {
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

  Expr load(int buffer, TileShape shape, int depth) {
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
      Expr more = draw(ElementType::Bool, expr.shape, std::max(depth, 1));
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

  Statement storeTo(int buffer, TileShape shape, Expr value, bool mayRepeat) {
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
      Expr more = draw(ElementType::Bool, pointers, 2);
      mask = mask ? both(std::move(*mask), std::move(more)) : std::move(more);
    }
    if (mask) {
      store.hasMask = true;
      store.operands.push_back(std::move(*mask));
    }
    store.operands.push_back(std::move(value));
    return store;
  }

  // Statements.

  /// Float products in variables are left to sharedProduct().
  Expr withoutProduct(Expr expr) {
    if (expr.op != Op::Multiply || !isFloating(expr.type))
      return expr;
    ElementType type = expr.type;
    TileShape shape = expr.shape;
    return make(dice.of({Op::Abs, Op::Negate}), type, shape, {std::move(expr)});
  }

  /// A variable that is set here, and read by what comes.
  Expr let(Expr value) {
    if (value.op == Op::Variable)
      return value;
    return plainLet(withoutProduct(std::move(value)));
  }
  Expr plainLet(Expr value) {
    Statement statement;
    statement.variable = program.variables++;
    Expr known = variable(statement.variable, value.type, value.shape);
    statement.operands = {std::move(value)};
    block->push_back(std::move(statement));
    return known;
  }

  void statement() {
    int choice = dice.below(100);
    if (depth < 3 && choice < 10)
      loop();
    else if (depth < 3 && choice < 20)
      branch();
    else if (depth < 3 && choice < 25)
      whileLoop();
    else if (choice < 28)
      earlyReturn();
    else if (choice < 55)
      scope.push_back(let(draw(anyType(), dice.chance(15) ? TileShape{} : allAxes(), 3)));
    else if (choice < 75)
      assignment();
    else if (choice < 80)
      sharedProduct();
    else if (choice < 85)
      approximation();
    else
      store();
  }

  void assignment() {
    std::vector<Expr> targets;
    for (const Expr &known : scope)
      if (std::find(fixed.begin(), fixed.end(), known.which) == fixed.end())
        targets.push_back(known);
    if (targets.empty())
      return store();
    Expr target = dice.of(targets);
    Statement assign;
    assign.kind = Statement::Kind::Assign;
    assign.variable = target.which;
    Expr value = withoutProduct(draw(target.type, target.shape, 3));
    if (!(value.shape == target.shape))
      value = make(Op::Where, target.type, target.shape,
                   {draw(ElementType::Bool, target.shape, 2), std::move(value), target});
    assign.operands = {std::move(value)};
    block->push_back(std::move(assign));
  }

  int writableBuffer(ElementType type) {
    std::vector<int> found;
    for (std::size_t i = 0; i < program.buffers.size(); ++i)
      if (const BufferInfo &info = program.buffers[i];
          info.type == type && !info.readOnly && !info.approximate)
        found.push_back(static_cast<int>(i));
    return found.empty() ? addBuffer(type, false, false) : dice.of(found);
  }

  void store() {
    std::vector<int> writable;
    for (std::size_t i = 0; i < program.buffers.size(); ++i)
      if (!program.buffers[i].readOnly && !program.buffers[i].approximate)
        writable.push_back(static_cast<int>(i));
    int buffer = dice.of(writable);
    TileShape shape = someAxes(allAxes());
    // The pointers have the shape of their offsets, which may have fewer axes.
    shape.rank = std::bit_width(shape.axes);
    Expr value = draw(program.buffers[buffer].type, shape, 3);
    block->push_back(storeTo(buffer, shape, std::move(value), true));
  }

  /// A product with one use, or with two.
  void sharedProduct() {
    ElementType type = dice.of(
        {ElementType::Float16, ElementType::BFloat16, ElementType::Float32, ElementType::Float64});
    TileShape shape = someAxes(allAxes());
    shape.rank = std::bit_width(shape.axes);
    Expr product = pair(Op::Multiply, type, draw(type, shape, 1), draw(type, shape, 1));
    Expr shared = plainLet(std::move(product));
    int uses = static_cast<int>(dice.between(1, 2));
    for (int i = 0; i < uses; ++i) {
      auto [a, b] = order(shared, draw(type, shape, 1));
      Expr sum = pair(dice.of({Op::Add, Op::Subtract}), type, std::move(a), std::move(b));
      Statement stored = storeTo(writableBuffer(type), shape, std::move(sum), false);
      block->push_back(std::move(stored));
    }
  }

  void approximation() {
    ElementType type = dice.of({ElementType::Float16, ElementType::BFloat16, ElementType::Float32});
    TileShape shape = someAxes(allAxes());
    shape.rank = std::bit_width(shape.axes);
    int buffer = addBuffer(type, false, true);
    Expr a = draw(type, shape, 2);
    TileShape own = a.shape;
    Expr value = dice.chance(50) ? make(dice.of({Op::Exp, Op::Tanh}), type, own, {std::move(a)})
                                 : pair(Op::Divide, type, std::move(a), draw(type, shape, 2));
    block->push_back(storeTo(buffer, shape, std::move(value), false));
  }

  /// Draws a block of statements, whose variables end with it.
  std::vector<Statement> inner(int most, int fixedVariable = -1) {
    std::vector<Statement> statements;
    std::vector<Statement> *outer = std::exchange(block, &statements);
    std::size_t known = scope.size();
    if (fixedVariable >= 0) {
      fixed.push_back(fixedVariable);
      scope.push_back(variable(fixedVariable, ElementType::Int64, {}));
    }
    ++depth;
    int count = static_cast<int>(dice.between(1, most));
    for (int i = 0; i < count; ++i)
      statement();
    --depth;
    scope.resize(known);
    block = outer;
    return statements;
  }

  Expr clamped(std::int64_t least, std::int64_t most) {
    Expr raw = draw(dice.chance(60) ? ElementType::Int64 : integerType(), {}, 2);
    raw = cast(ElementType::Int64, std::move(raw));
    return pair(Op::Minimum, pair(Op::Maximum, std::move(raw), number(least)), number(most));
  }

  void loop() {
    Statement statement;
    statement.kind = Statement::Kind::For;
    std::int64_t trips = depth == 0 ? 5 : 3;
    int choice = dice.below(10);
    const std::int64_t largest = std::numeric_limits<std::int64_t>::max();
    if (choice < 4) { // from anywhere, counting down if it should
      std::int64_t low = dice.between(-5, 3), high = low + dice.between(-1, 3 * trips);
      std::int64_t step = dice.between(1, 4);
      statement.operands = {number(low), number(std::min(high, low + trips * step)), number(step)};
    } else if (choice < 5) { // at the ends of 64 bits
      bool top = dice.chance(60);
      std::int64_t low = top ? largest - dice.between(1, 9) : -largest - 1;
      std::int64_t high = top ? largest - dice.below(2) : low + dice.between(0, 9);
      statement.operands = {number(low), number(high), number(dice.between(3, 7))};
    } else {
      Expr step = dice.chance(70) ? number(dice.between(1, 3)) : clamped(-1, 3);
      statement.operands = {dice.chance(50) ? number(0) : clamped(-2, 1), clamped(-1, trips),
                            std::move(step)};
    }
    statement.variable = program.variables++;
    statement.body = inner(4, statement.variable);
    block->push_back(std::move(statement));
  }

  void branch() {
    Statement statement;
    statement.kind = Statement::Kind::If;
    statement.operands = {draw(ElementType::Bool, {}, 2)};
    statement.body = inner(3);
    if (dice.chance(60))
      statement.otherwise = inner(3);
    block->push_back(std::move(statement));
  }

  void whileLoop() {
    Expr count = plainLet(clamped(0, depth == 0 ? 5 : 3));
    fixed.push_back(count.which);
    Statement statement;
    statement.kind = Statement::Kind::While;
    Expr condition = compare(Op::Greater, count, number(0));
    if (dice.chance(40)) {
      // What the condition sets aside would be set once, before the loop; so it has no such needs.
      std::size_t before = block->size();
      Expr more = draw(ElementType::Bool, {}, 1);
      if (block->size() == before)
        condition = both(std::move(condition), std::move(more));
    }
    statement.operands = {std::move(condition)};
    scope.push_back(count);
    statement.body = inner(3);
    scope.pop_back();
    Statement down;
    down.kind = Statement::Kind::Assign;
    down.variable = count.which;
    down.operands = {pair(Op::Subtract, count, number(1))};
    statement.body.insert(statement.body.begin() +
                              dice.below(static_cast<int>(statement.body.size()) + 1),
                          std::move(down));
    block->push_back(std::move(statement));
  }

  void earlyReturn() {
    Statement statement;
    statement.kind = Statement::Kind::ReturnIf;
    statement.operands = {both(draw(ElementType::Bool, {}, 1), draw(ElementType::Bool, {}, 1))};
    block->push_back(std::move(statement));
  }

  /// Stores what the variables hold in the end.
  void showVariables() {
    std::vector<Expr> known = scope;
    int left = 5;
    for (const Expr &value : known) {
      if (left-- == 0)
        break;
      TileShape shape = allAxes();
      block->push_back(storeTo(addBuffer(value.type, false, false), shape, value, false));
    }
    if (block->empty() || block->back().kind != Statement::Kind::Store)
      store();
  }

  Dice dice;
  Program program;
  std::vector<ElementType> types;
  std::vector<Statement> *block = nullptr;
  /// The variables that can be read here, and those that may not be assigned.
  std::vector<Expr> scope;
  std::vector<int> fixed;
  /// A variable with the beginning of the slice; a number where there is none.
  Expr knownStart;
  int depth = 0;
};

} // namespace

Program generate(std::uint64_t seed) {
  for (int attempt = 0;; ++attempt) {
    Program program = Generator(seed, attempt).draw();
    if (statementCount(program.statements) <= 60 && evaluate(program, 1'000'000).refusal.empty())
      return program;
  }
}

} // namespace trowel::programs
