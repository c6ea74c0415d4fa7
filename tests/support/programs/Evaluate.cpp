// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates a program as its author would read it: statement by statement, element by element.
//
// Nothing of the compiler is used. A value is a vector with an element for each position of its
// full axes; operands repeat along the others. Variables are slots, loops are loops.
//
// Contraction follows the language's rule: a float product that is an operand of a sum or a
// difference of its own type and shape, and has no other use, is not rounded; of two such products
// the left one is fused. A product in a variable is one if the variable is read once, in the block
// that sets it. (A product that repeats over a larger tile is used by each of its elements.)
#include "tests/support/programs/Evaluate.h"

#include <cstdlib>
#include <map>
#include <set>
#include <stdexcept>

namespace trowel::programs {

namespace {

struct Tile {
  ElementType type = ElementType::Int32;
  TileShape shape;
  Elements elements;
};

/// Ends a program early, and an evaluation that cannot go on.
struct Returned {};
struct Refused : std::runtime_error {
  using runtime_error::runtime_error;
};

/// Which variables hold a product that its only use may swallow.
class FusibleVariables {
public:
  explicit FusibleVariables(const Program &program) {
    visit(program.statements);
    for (const auto &[variable, block] : blockOfProduct)
      if (reads[variable] == 1 && blockOfRead[variable] == block && !assigned.contains(variable))
        variables.insert(variable);
  }
  bool contains(int variable) const { return variables.contains(variable); }

private:
  void visit(const Expr &expr, const void *block) {
    if (expr.op == Op::Variable) {
      ++reads[expr.which];
      blockOfRead[expr.which] = block;
    }
    for (const Expr &operand : expr.operands)
      visit(operand, block);
  }
  void visit(const std::vector<Statement> &block) {
    for (const Statement &statement : block) {
      // The condition of a while is computed in a block of its own.
      bool isWhile = statement.kind == Statement::Kind::While;
      for (const Expr &operand : statement.operands)
        visit(operand, isWhile ? static_cast<const void *>(&statement) : &block);
      if (statement.kind == Statement::Kind::Assign)
        assigned.insert(statement.variable);
      if (statement.kind == Statement::Kind::Let && statement.operands[0].op == Op::Multiply)
        blockOfProduct[statement.variable] = &block;
      visit(statement.body);
      visit(statement.otherwise);
    }
  }

  std::map<int, int> reads;
  std::map<int, const void *> blockOfRead, blockOfProduct;
  std::set<int> assigned, variables;
};

class Evaluator {
public:
  Evaluator(const Program &program, std::int64_t mostWork)
      : program(program), fusible(program), variables(program.variables),
        products(program.variables), mostWork(mostWork) {
    for (std::size_t buffer = 0; buffer < program.buffers.size(); ++buffer) {
      Memory memory{initialContents(program, static_cast<int>(buffer)), {}};
      memory.approximations.resize(memory.elements.size());
      result.buffers.push_back(std::move(memory));
    }
  }

  Evaluation run() {
    try {
      for (position[2] = 0; position[2] < program.grid[2]; ++position[2])
        for (position[1] = 0; position[1] < program.grid[1]; ++position[1])
          for (position[0] = 0; position[0] < program.grid[0]; ++position[0])
            try {
              execute(program.statements);
            } catch (const Returned &) {
            }
    } catch (const Refused &refused) {
      result.refusal = refused.what();
    }
    return std::move(result);
  }

private:
  void spend(std::size_t elements) {
    result.work += 1 + static_cast<std::int64_t>(elements);
    if (result.work > mostWork)
      throw Refused("takes too long");
  }

  /// The value along all axes of a shape that has the axes of its own.
  Elements spread(const Tile &tile, unsigned axes) {
    if (tile.shape.axes == axes || tile.elements.size() == 1) {
      if (tile.elements.size() == 1)
        return Elements(static_cast<std::size_t>(program.elementsOf(axes)), tile.elements[0]);
      return tile.elements;
    }
    std::vector<std::uint32_t> &map = maps[{tile.shape.axes, axes}];
    if (map.empty()) {
      map.resize(static_cast<std::size_t>(program.elementsOf(axes)));
      for (std::size_t to = 0; to < map.size(); ++to) {
        std::size_t rest = to, from = 0, stride = 1;
        for (std::size_t axis = 0; axis < program.extents.size(); ++axis) {
          if (!(axes >> axis & 1))
            continue;
          auto extent = static_cast<std::size_t>(program.extents[axis]);
          if (tile.shape.axes >> axis & 1) {
            from += rest % extent * stride;
            stride *= extent;
          }
          rest /= extent;
        }
        map[to] = static_cast<std::uint32_t>(from);
      }
    }
    Elements elements(map.size());
    for (std::size_t i = 0; i < map.size(); ++i)
      elements[i] = tile.elements[map[i]];
    return elements;
  }

  /// An operand in the type and shape of an operation.
  Elements operand(const Expr &expr, ElementType type, unsigned axes) {
    if (expr.isHost())
      return Elements(static_cast<std::size_t>(program.elementsOf(axes)), hostElement(expr, type));
    Tile tile = evaluate(expr);
    tile.elements = convert(type, tile.type, tile.elements);
    return spread(tile, axes);
  }
  Bits hostElement(const Expr &expr, ElementType type) {
    return expr.op == Op::Size ? elementOf(type, program.valueOf(expr.size))
                               : elementOf(type, expr.number);
  }

  const Expr *productIn(const Expr &operand, const Expr &sum) {
    bool isProduct = operand.op == Op::Multiply ||
                     (operand.op == Op::Variable && fusible.contains(operand.which));
    return isProduct && isFloating(sum.type) && operand.type == sum.type &&
                   effective(program, operand.shape) == effective(program, sum.shape)
               ? &operand
               : nullptr;
  }

  /// The factors of a product, in its own type and shape; axes of extent 1 count as any other.
  std::pair<Elements, Elements> factorsOf(const Expr &product) {
    if (product.op == Op::Variable)
      return products[product.which];
    return {operand(product.operands[0], product.type, product.shape.axes),
            operand(product.operands[1], product.type, product.shape.axes)};
  }

  Elements sum(const Expr &expr) {
    const Expr &left = expr.operands[0], &right = expr.operands[1];
    bool subtracts = expr.op == Op::Subtract;
    const unsigned axes = expr.shape.axes;
    if (const Expr *product = productIn(left, expr)) {
      auto [a, b] = factorsOf(*product);
      Elements c = operand(right, expr.type, axes);
      return applyFma(expr.type, a, b, subtracts ? applyUnary(Op::Negate, expr.type, c) : c);
    }
    if (const Expr *product = productIn(right, expr)) {
      auto [a, b] = factorsOf(*product);
      if (subtracts)
        a = applyUnary(Op::Negate, expr.type, a);
      return applyFma(expr.type, a, b, operand(left, expr.type, axes));
    }
    return applyBinary(expr.op, expr.type, operand(left, expr.type, axes),
                       operand(right, expr.type, axes));
  }

  Tile load(const Expr &expr) {
    const unsigned axes = expr.shape.axes;
    Elements where = addresses(expr.operands, expr.offsets, axes);
    Elements mask, fill;
    std::size_t next = static_cast<std::size_t>(expr.offsets);
    if (expr.hasMask)
      mask = operand(expr.operands[next++], ElementType::Bool, axes);
    if (expr.hasFill)
      fill = operand(expr.operands[next], expr.type, axes);
    const Elements &memory = result.buffers[expr.which].elements;
    Tile tile{expr.type, expr.shape, Elements(where.size())};
    for (std::size_t i = 0; i < where.size(); ++i)
      if (!expr.hasMask || mask[i])
        tile.elements[i] = memory[checked(where[i], expr.which)];
      else
        tile.elements[i] = expr.hasFill ? fill[i] : 0;
    return tile;
  }

  /// Offsets wrap at 64 bits, as addresses do.
  Elements addresses(const std::vector<Expr> &operands, int offsets, unsigned axes) {
    Elements where(static_cast<std::size_t>(program.elementsOf(axes)));
    for (int i = 0; i < offsets; ++i) {
      const Expr &offset = operands[i];
      Elements counts = operand(offset, offset.isHost() ? ElementType::Int64 : offset.type, axes);
      for (std::size_t k = 0; k < where.size(); ++k)
        where[k] += offset.isHost() ? counts[k]
                                    : static_cast<std::uint64_t>(integerOf(offset.type, counts[k]));
    }
    return where;
  }
  std::size_t checked(Bits where, int buffer) {
    auto slice = static_cast<std::uint64_t>(program.slice());
    auto count = slice * static_cast<std::uint64_t>(program.gridSize());
    std::uint64_t first = 0, end = count;
    if (!program.buffers[buffer].readOnly) {
      first = slice *
              static_cast<std::uint64_t>(
                  position[0] + program.grid[0] * (position[1] + program.grid[1] * position[2]));
      end = first + slice;
    }
    if (where < first || where >= end)
      throw Refused("leaves its bounds");
    return where;
  }

  void store(const Statement &statement) {
    unsigned axes = 0;
    for (int i = 0; i < statement.offsets; ++i)
      axes |= statement.operands[i].shape.axes;
    Elements where = addresses(statement.operands, statement.offsets, axes);
    Elements mask;
    if (statement.hasMask)
      mask = operand(statement.operands[statement.offsets], ElementType::Bool, axes);
    const Expr &value = statement.operands.back();
    const BufferInfo &info = program.buffers[statement.buffer];
    Memory &memory = result.buffers[statement.buffer];
    std::vector<std::optional<Approximation>> approximations(where.size());
    Elements elements;
    if (isApproximate(value))
      approximations = approximate(value, axes);
    else
      elements = operand(value, info.type, axes);
    // Of lanes that store to one address, any may be the last.
    std::map<std::size_t, std::size_t> laneAt;
    for (std::size_t i = 0; i < where.size(); ++i) {
      if (statement.hasMask && !mask[i])
        continue;
      std::size_t to = checked(where[i], statement.buffer);
      auto [known, isFirst] = laneAt.try_emplace(to, i);
      if (!isFirst && (elements.empty() || elements[known->second] != elements[i]))
        throw Refused("stores unlike values to one address");
      memory.approximations[to] = approximations[i];
      memory.elements[to] = elements.empty() ? 0 : elements[i];
    }
  }

  std::vector<std::optional<Approximation>> approximate(const Expr &expr, unsigned axes) {
    Elements a = operand(expr.operands[0], expr.type, axes), b = a;
    if (expr.operands.size() > 1)
      b = operand(expr.operands[1], expr.type, axes);
    const double leastNormal = 0x1p-126; // exp may flush what is below
    std::vector<std::optional<Approximation>> results;
    for (std::size_t i = 0; i < a.size(); ++i)
      results.push_back(Approximation{
          reference(expr.op, numberOf(expr.type, a[i]), numberOf(expr.type, b[i])),
          expr.type == ElementType::Float32 ? 2u : 1u, expr.op == Op::Exp ? leastNormal : 0});
    return results;
  }

  Tile evaluate(const Expr &expr) {
    Tile tile{expr.type, expr.shape, {}};
    const unsigned axes = expr.shape.axes;
    const auto count = static_cast<std::size_t>(program.elementsOf(axes));
    spend(count);
    auto all = [&](std::int64_t value) {
      tile.elements.assign(count, elementOf(expr.type, value));
    };
    auto of = [&](int i) { return operand(expr.operands[i], expr.type, axes); };
    switch (expr.op) {
    case Op::Number:
    case Op::Size:
      tile.elements.assign(count, hostElement(expr, expr.type));
      break;
    case Op::Argument:
      tile.elements = {program.arguments[expr.which].value};
      break;
    case Op::ProgramId:
      all(position[expr.which]);
      break;
    case Op::ProgramCount:
      all(program.grid[expr.which]);
      break;
    case Op::Coordinate:
      for (std::size_t i = 0; i < count; ++i)
        tile.elements.push_back(i);
      break;
    case Op::Variable:
      tile.elements = variables[expr.which].elements;
      break;
    case Op::Scalar:
    case Op::Full:
    case Op::Expand:
    case Op::Cast:
      tile.elements = of(0);
      break;
    case Op::Bitcast:
      tile.elements = operand(expr.operands[0], expr.operands[0].type, axes);
      break;
    case Op::Load:
      return load(expr);
    case Op::Negate:
    case Op::Complement:
    case Op::Not:
    case Op::Abs:
    case Op::Sqrt:
      tile.elements = applyUnary(expr.op, expr.type, of(0));
      break;
    case Op::Add:
    case Op::Subtract:
      tile.elements = sum(expr);
      break;
    case Op::ShiftLeft:
    case Op::ShiftRight: {
      const Expr &count = expr.operands[1];
      ElementType countType = count.isHost() ? expr.type : count.type;
      tile.elements =
          applyShift(expr.op, expr.type, of(0), countType, operand(count, countType, axes));
      break;
    }
    case Op::Equal:
    case Op::NotEqual:
    case Op::Less:
    case Op::LessEqual:
    case Op::Greater:
    case Op::GreaterEqual: {
      ElementType type = commonType(expr.operands[0], expr.operands[1]);
      tile.elements = applyComparison(expr.op, type, operand(expr.operands[0], type, axes),
                                      operand(expr.operands[1], type, axes));
      break;
    }
    case Op::Fma:
      tile.elements = applyFma(expr.type, of(0), of(1), of(2));
      break;
    case Op::Where: {
      Elements condition = operand(expr.operands[0], ElementType::Bool, axes), a = of(1), b = of(2);
      for (std::size_t i = 0; i < condition.size(); ++i)
        tile.elements.push_back(condition[i] ? a[i] : b[i]);
      break;
    }
    case Op::Exp:
    case Op::Tanh:
      throw Refused("computes with an approximation");
    default:
      if (isApproximate(expr))
        throw Refused("computes with an approximation");
      tile.elements = applyBinary(expr.op, expr.type, of(0), of(1));
    }
    return tile;
  }

  std::int64_t scalar(const Expr &expr) {
    if (expr.isHost())
      return integerOf(ElementType::Int64, hostElement(expr, ElementType::Int64));
    return integerOf(expr.type, evaluate(expr).elements[0]);
  }

  void execute(const std::vector<Statement> &block) {
    for (const Statement &statement : block)
      execute(statement);
  }

  void execute(const Statement &statement) {
    spend(0);
    const std::vector<Expr> &operands = statement.operands;
    switch (statement.kind) {
    case Statement::Kind::Let:
      if (fusible.contains(statement.variable) && operands[0].op == Op::Multiply)
        products[statement.variable] = factorsOf(operands[0]);
      [[fallthrough]];
    case Statement::Kind::Assign:
      variables[statement.variable] = evaluate(operands[0]);
      break;
    case Statement::Kind::Store:
      store(statement);
      break;
    case Statement::Kind::For: {
      std::int64_t end = scalar(operands[1]), step = scalar(operands[2]);
      if (step < 1)
        break;
      for (__int128 k = scalar(operands[0]); k < end; k += step) {
        variables[statement.variable] = {
            ElementType::Int64, {}, {static_cast<Bits>(static_cast<std::int64_t>(k))}};
        execute(statement.body);
      }
      break;
    }
    case Statement::Kind::If:
      execute(scalar(operands[0]) ? statement.body : statement.otherwise);
      break;
    case Statement::Kind::While:
      while (scalar(operands[0]))
        execute(statement.body);
      break;
    case Statement::Kind::ReturnIf:
      if (scalar(operands[0]))
        throw Returned();
      break;
    }
  }

  const Program &program;
  FusibleVariables fusible;
  std::vector<Tile> variables;
  std::vector<std::pair<Elements, Elements>> products;
  std::map<std::pair<unsigned, unsigned>, std::vector<std::uint32_t>> maps;
  std::int64_t position[3] = {};
  std::int64_t mostWork;
  Evaluation result;
};

} // namespace

Evaluation evaluate(const Program &program, std::int64_t mostWork) {
  return Evaluator(program, mostWork).run();
}

} // namespace trowel::programs
