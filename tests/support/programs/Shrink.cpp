// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes a program that fails small enough to be read.
//
// One change at a time is tried and kept if the failure stays: a statement or several go, a loop or
// branch gives way to its body, an expression to one of its operands or to a number, extents, grid
// and options to the least. A variable that is no longer set reads as zeros, so that statements go
// one by one. Changes are tried in this order, the coarse ones first, until none is kept.
//
// A change may make another failure of one; then the smaller program shows that one. A change that
// makes no program of it (it leaves its bounds, or no longer ends) is refused by the evaluation.
#include "tests/support/programs/Evaluate.h"
#include "tests/support/programs/Run.h"

#include <algorithm>
#include <set>

namespace trowel::programs {

namespace {

Expr zeros(const Expr &like) {
  Expr number;
  if (like.type == ElementType::Bool)
    number.number.kind = HostNumber::Kind::Bool;
  Expr zero;
  zero.op = like.shape.rank ? Op::Full : Op::Scalar;
  zero.type = like.type;
  zero.shape = like.shape;
  zero.operands = {number};
  return zero;
}

/// Replaces reads of variables that are not set, and drops assignments to them.
class Mend {
public:
  explicit Mend(Program &program) {
    std::set<int> known;
    mend(program.statements, known);
  }

private:
  static void mend(Expr &expr, const std::set<int> &known) {
    if (expr.op == Op::Variable && !known.contains(expr.which))
      expr = zeros(expr);
    for (Expr &operand : expr.operands)
      mend(operand, known);
  }
  static void mend(std::vector<Statement> &block, std::set<int> known) {
    std::erase_if(block, [&](const Statement &statement) {
      return statement.kind == Statement::Kind::Assign && !known.contains(statement.variable) &&
             !setIn(block, statement.variable);
    });
    for (Statement &statement : block) {
      for (Expr &operand : statement.operands)
        mend(operand, known);
      if (statement.kind == Statement::Kind::Let)
        known.insert(statement.variable);
      std::set<int> inner = known;
      if (statement.kind == Statement::Kind::For)
        inner.insert(statement.variable);
      mend(statement.body, inner);
      mend(statement.otherwise, inner);
    }
  }
  static bool setIn(const std::vector<Statement> &block, int variable) {
    for (const Statement &statement : block)
      if (statement.kind == Statement::Kind::Let && statement.variable == variable)
        return true;
    return false;
  }
};

/// The statements of a program one after another, and the blocks that they stand in.
struct Place {
  std::vector<Statement> *block;
  std::size_t position;
};
void places(std::vector<Statement> &block, std::vector<Place> &found) {
  for (std::size_t i = 0; i < block.size(); ++i) {
    found.push_back({&block, i});
    places(block[i].body, found);
    places(block[i].otherwise, found);
  }
}
std::vector<Place> placesOf(Program &program) {
  std::vector<Place> found;
  places(program.statements, found);
  return found;
}

void expressions(Expr &expr, std::vector<Expr *> &found) {
  found.push_back(&expr);
  for (Expr &operand : expr.operands)
    expressions(operand, found);
}
std::vector<Expr *> expressionsOf(Program &program) {
  std::vector<Expr *> found;
  for (const Place &place : placesOf(program))
    for (Expr &operand : (*place.block)[place.position].operands)
      expressions(operand, found);
  return found;
}

class Shrinker {
public:
  Shrinker(Program program, const std::function<bool(const Program &)> &fails)
      : least(std::move(program)), fails(fails) {}

  Program shrink() {
    while (tries < mostTries &&
           (dropStatements() || unwrapStatements() || simplifyFrame() || simplifyExpressions())) {
    }
    return std::move(least);
  }

private:
  bool keeps(Program candidate) {
    if (++tries > mostTries)
      return false;
    Mend{candidate};
    if (!evaluate(candidate).refusal.empty() || !fails(candidate))
      return false;
    least = std::move(candidate);
    return true;
  }

  /// Halves of what is left, then quarters, then one by one.
  bool dropStatements() {
    bool any = false;
    for (std::size_t size = placesOf(least).size(); size > 0; size /= 2)
      for (std::size_t i = 0; i < placesOf(least).size();) {
        Program candidate = least;
        std::vector<Place> all = placesOf(candidate);
        auto [block, position] = all[i];
        std::size_t end = std::min(position + size, block->size());
        block->erase(block->begin() + static_cast<std::ptrdiff_t>(position),
                     block->begin() + static_cast<std::ptrdiff_t>(end));
        if (keeps(std::move(candidate)))
          any = true;
        else
          ++i;
      }
    return any;
  }

  bool unwrapStatements() {
    bool any = false;
    for (std::size_t i = 0; i < placesOf(least).size(); ++i)
      for (bool otherwise : {false, true}) {
        if (i >= placesOf(least).size())
          break;
        Program candidate = least;
        auto [block, position] = placesOf(candidate)[i];
        Statement statement = (*block)[position];
        std::vector<Statement> &body = otherwise ? statement.otherwise : statement.body;
        if (body.empty())
          continue;
        if (statement.kind == Statement::Kind::For) {
          Statement first;
          first.variable = statement.variable;
          Expr begin = statement.operands[0];
          if (begin.isHost()) {
            Expr scalar;
            scalar.op = Op::Scalar;
            scalar.type = ElementType::Int64;
            scalar.operands = {begin};
            begin = scalar;
          }
          first.operands = {begin};
          body.insert(body.begin(), first);
        }
        auto at = block->erase(block->begin() + static_cast<std::ptrdiff_t>(position));
        block->insert(at, body.begin(), body.end());
        any |= keeps(std::move(candidate));
      }
    return any;
  }

  bool simplifyFrame() {
    bool any = false;
    auto set = [&](auto &&member, std::int64_t value) {
      if (static_cast<std::int64_t>(member(least)) <= value)
        return;
      Program candidate = least;
      auto &target = member(candidate);
      target = static_cast<std::remove_reference_t<decltype(target)>>(value);
      any |= keeps(std::move(candidate));
    };
    for (int axis = 0; axis < 3; ++axis)
      set([=](auto &program) -> auto & { return program.grid[axis]; }, 1);
    set([](auto &program) -> auto & { return program.warps; }, 0);
    set([](auto &program) -> auto & { return program.elementsPerThread; }, 0);
    for (std::size_t axis = 0; axis < least.extents.size(); ++axis) {
      auto extent = [=](auto &program) -> auto & { return program.extents[axis]; };
      set(extent, 1);
      for (std::int64_t part : {2, 4, 8, 32})
        set(extent, std::max<std::int64_t>(least.extents[axis] / part, 1));
      for (int i = 0; i < 4; ++i)
        set(extent, std::max<std::int64_t>(least.extents[axis] - 1, 1));
    }
    for (std::size_t i = 0; i < least.buffers.size(); ++i)
      set([=](auto &program) -> auto & { return program.buffers[i].misalignment; }, 0);
    dropParameters();
    return any;
  }

  /// Those at the end that nothing uses; contents of buffers follow from their numbers.
  void dropParameters() {
    std::size_t buffers = 1, arguments = 0;
    for (const Place &place : placesOf(least))
      if (const Statement &statement = (*place.block)[place.position];
          statement.kind == Statement::Kind::Store)
        buffers = std::max(buffers, static_cast<std::size_t>(statement.buffer) + 1);
    for (const Expr *expr : expressionsOf(least)) {
      auto end = static_cast<std::size_t>(expr->which) + 1;
      if (expr->op == Op::Load)
        buffers = std::max(buffers, end);
      if (expr->op == Op::Argument)
        arguments = std::max(arguments, end);
    }
    Program candidate = least;
    candidate.buffers.resize(std::min(buffers, candidate.buffers.size()));
    candidate.arguments.resize(std::min(arguments, candidate.arguments.size()));
    if (candidate.buffers.size() + candidate.arguments.size() <
        least.buffers.size() + least.arguments.size())
      keeps(std::move(candidate));
  }

  bool simplifyExpressions() {
    bool any = false;
    for (std::size_t i = 0; i < expressionsOf(least).size(); ++i) {
      auto tryWith = [&](const Expr &replacement) {
        Program candidate = least;
        *expressionsOf(candidate)[i] = replacement;
        bool kept = keeps(std::move(candidate));
        any |= kept;
        return kept;
      };
      const Expr expr = *expressionsOf(least)[i];
      if (expr.isHost() || expr.op == Op::Full || expr.op == Op::Scalar)
        continue;
      if (expr.op != Op::Variable && expr.op != Op::Argument && tryWith(zeros(expr)))
        continue;
      for (const Expr &operand : expr.operands)
        if (!operand.isHost() && operand.type == expr.type && operand.shape == expr.shape &&
            tryWith(operand)) {
          --i; // look at what came here
          break;
        }
      if (i < expressionsOf(least).size() && expr.op == Op::Load && expr.hasMask) {
        Expr plain = expr;
        plain.hasMask = plain.hasFill = false;
        plain.operands.resize(static_cast<std::size_t>(expr.offsets));
        tryWith(plain);
      }
    }
    return any;
  }

  Program least;
  const std::function<bool(const Program &)> &fails;
  int tries = 0;
  static constexpr int mostTries = 3000;
};

} // namespace

Program shrink(Program program, const std::function<bool(const Program &)> &fails) {
  return Shrinker(std::move(program), fails).shrink();
}

} // namespace trowel::programs
