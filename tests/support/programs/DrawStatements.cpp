// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws statements: variables, assignments, stores, loops, branches and returns.
//
// What an expression wants to be set aside (a value that it uses twice) becomes a variable in the
// block that is being drawn, before the statement. Variables end with their block.
#include "tests/support/programs/Generator.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>

namespace trowel::programs {

Expr Generator::withoutProduct(Expr expr) {
  if (expr.op != Op::Multiply || !isFloating(expr.type))
    return expr;
  ElementType type = expr.type;
  TileShape shape = expr.shape;
  return make(dice.of({Op::Abs, Op::Negate}), type, shape, {std::move(expr)});
}

Expr Generator::let(Expr value) {
  if (value.op == Op::Variable)
    return value;
  return plainLet(withoutProduct(std::move(value)));
}

Expr Generator::plainLet(Expr value) {
  Statement statement;
  statement.variable = program.variables++;
  Expr known = variable(statement.variable, value.type, value.shape);
  statement.operands = {std::move(value)};
  block->push_back(std::move(statement));
  return known;
}

void Generator::statement() {
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

void Generator::assignment() {
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

int Generator::writableBuffer(ElementType type) {
  std::vector<int> found;
  for (std::size_t i = 0; i < program.buffers.size(); ++i)
    if (const BufferInfo &info = program.buffers[i];
        info.type == type && !info.readOnly && !info.approximate)
      found.push_back(static_cast<int>(i));
  return found.empty() ? addBuffer(type, false, false) : dice.of(found);
}

void Generator::store() {
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

void Generator::sharedProduct() {
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

void Generator::approximation() {
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

std::vector<Statement> Generator::inner(int most, int fixedVariable) {
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

Expr Generator::clamped(std::int64_t least, std::int64_t most) {
  Expr raw = draw(dice.chance(60) ? ElementType::Int64 : integerType(), {}, 2);
  raw = cast(ElementType::Int64, std::move(raw));
  return pair(Op::Minimum, pair(Op::Maximum, std::move(raw), number(least)), number(most));
}

void Generator::loop() {
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

void Generator::branch() {
  Statement statement;
  statement.kind = Statement::Kind::If;
  statement.operands = {draw(ElementType::Bool, {}, 2)};
  statement.body = inner(3);
  if (dice.chance(60))
    statement.otherwise = inner(3);
  block->push_back(std::move(statement));
}

void Generator::whileLoop() {
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

void Generator::earlyReturn() {
  Statement statement;
  statement.kind = Statement::Kind::ReturnIf;
  statement.operands = {both(draw(ElementType::Bool, {}, 1), draw(ElementType::Bool, {}, 1))};
  block->push_back(std::move(statement));
}

void Generator::showVariables() {
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

} // namespace trowel::programs
