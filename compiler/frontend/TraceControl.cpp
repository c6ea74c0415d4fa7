// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops, branches and early returns: from bodies that were traced once to ops of `scf`.
//
// A body is traced into a block of its own (Variables.cpp follows its variables). When it ends, the
// op is made around it: what the body assigned to variables from outside becomes the op's results,
// and for loops also its carried values; placeholders of variables that were only read are replaced
// by what they stood for. Carried values and results are in the order of the first assignments,
// since that of the reads is up to the C++ compiler.
//
// Whether an if_ has an else_ is known only when the next thing happens. Until then its `then` is
// kept aside (Trace::pendingIf), and every operation first settles it. Copying a variable may be
// part of making the lambda that else_ is given, so a copy waits for what comes.
//
// The condition of a while_ is traced before each trip, so scf.while has two bodies: the first
// computes the condition and hands the second what it needs. Both may assign.
//
// A range-for cannot be left from inside: the body has no place on the device to go to. C++ allows
// `break`, `return` and exceptions, and tells nobody but the destructor of the range, which must
// not throw. It spoils the trace; the next operation throws.
//
// The loop variable of `scf.for` counts in i64. That the last step may lead beyond the greatest
// number is the business of the lowering (lowering/Control.cpp).

#include "compiler/frontend/TraceOperands.h"

#include "dialect/TileDialect.h"
#include "trowel/Control.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <fmt/format.h>

using namespace mlir;

namespace trowel::compiler {

namespace {

constexpr const char *leftEarly =
    "range: the loop is left from inside (by break, return or an exception), but its body is "
    "traced once and stands for all trips: loop with while_, or end the program with returnIf";

/// More than anybody writes by hand. What is nested is walked by recursion, here and in MLIR and
/// LLVM, on a stack that is the caller's; and the time that compiling takes grows with the cube of
/// the depth (200 nested while_: 1 s; 1000: 128 s).
constexpr std::size_t maxNesting = 128;

void checkNesting(Trace &trace, const Site &site) {
  if (trace.variables().nesting() >= maxNesting)
    trace.fail(site, fmt::format("it stands inside {0} loops and branches, and a kernel nests at "
                                 "most {0}: a C++ function that calls itself is unrolled while the "
                                 "kernel is traced; loop on the device with while_",
                                 maxNesting));
}

std::string spellType(Type type) {
  ArrayRef<std::int64_t> extents = tile::extentsOf(type);
  std::string element = spellElement(tile::elementTypeOf(type));
  return extents.empty() ? element : fmt::format("{} of shape {}", element, spellShape(extents));
}

/// Refuses what a trip leaves in a variable that the next one has read as `carried`.
void checkCarried(const Trace &trace, const Construct &construct, const char *word, Type carried,
                  const Content &next) {
  if (!next.value)
    trace.fail(construct.at, fmt::format("{}: a variable that the body reads has no value at its "
                                         "end, so that the next trip would have none",
                                         word));
  if (next.value.getType() != carried)
    trace.fail(next.value, construct.at,
               fmt::format("a variable that the loop of {} carries changes from {} to {}: the next "
                           "trip would read what it was not traced for; use another variable, or "
                           "give it its last shape before the loop",
                           spellLine(construct.at, construct.at), spellType(carried),
                           spellType(next.value.getType())));
}

/// Refuses a body that was left while an inner loop was being traced.
void checkInnermost(Trace &trace, std::uint32_t scope) {
  trace.settle();
  if (trace.variables().innermost() != scope)
    trace.spoil(trace.variables().innermostConstruct().at, leftEarly);
  trace.throwIfSpoiled();
}

/// Calls a lambda of the user's. An exception leaves its scope open, which nothing may follow.
template <class Call> void traceBody(Trace &trace, std::source_location at, Call call) {
  std::uint32_t scope = trace.variables().innermost();
  try {
    call();
  } catch (...) {
    trace.spoil(at, "the body of a loop or branch was left by an exception, which the kernel has "
                    "caught: catch it inside the body, or outside the kernel");
    throw;
  }
  checkInnermost(trace, scope);
}

/// Ends a loop's block with an op that hands over values. From then on they are safe in the op:
/// replacing placeholders reaches them there.
template <class Op, class... Args>
Op finish(Trace &trace, Block &block, Location at, Args &&...args) {
  OpBuilder::InsertionGuard guard(trace.builder());
  trace.builder().setInsertionPointToEnd(&block);
  return Op::create(trace.builder(), at, args...);
}

SmallVector<mlir::Value> addArguments(Block &block, ArrayRef<mlir::Value> like, Location at) {
  SmallVector<mlir::Value> arguments;
  for (mlir::Value value : like)
    arguments.push_back(block.addArgument(value.getType(), at));
  return arguments;
}

/// Replaces the placeholders of a loop, which begin at argument `first` of its block, by the
/// arguments of the carried variables, and the others by what they stand for.
void dropPlaceholders(ClosedScope &loop, unsigned first, ArrayRef<VariableId> carried,
                      ArrayRef<mlir::Value> arguments) {
  llvm::DenseMap<VariableId, mlir::Value> argumentOf;
  for (auto [variable, argument] : llvm::zip_equal(carried, arguments))
    argumentOf[variable] = argument;
  for (ClosedScope::Placeholder &placeholder : loop.placeholders) {
    mlir::Value argument = argumentOf.lookup(placeholder.variable);
    placeholder.argument.replaceAllUsesWith(argument ? argument : placeholder.outside);
  }
  loop.block().eraseArguments(first, loop.placeholders.size());
}

void endFor(Trace &trace, ClosedScope loop, const detail::RangeBounds &bounds) {
  Variables &variables = trace.variables();
  OpBuilder &builder = trace.builder();
  Location at = trace.location(bounds.at);
  Block &body = loop.block();

  SmallVector<VariableId> carried;
  SmallVector<mlir::Value> before, after;
  for (const ClosedScope::Assignment &assignment : loop.assignments) {
    VariableId variable = assignment.variable;
    Content outside = variables.contentOf(variable), inside = assignment.content;
    if (loop.placeholderOf(variable)) {
      checkCarried(trace, loop.construct, "range", outside.value.getType(), inside);
    } else if (!outside.value || !inside.value) {
      // Every trip sets it anew, but there may be none.
      variables.write(variable,
                      inside.value ? variables.absent(Absence::SomePath, loop.construct) : inside);
      continue;
    } else if (outside.value.getType() != inside.value.getType()) {
      variables.write(variable, variables.absent(Absence::Reshaped, loop.construct,
                                                 outside.value.getType(), inside.value.getType()));
      continue;
    }
    carried.push_back(variable);
    before.push_back(outside.value);
    after.push_back(inside.value);
  }

  finish<scf::YieldOp>(trace, body, at, after);
  dropPlaceholders(loop, /*first=*/1, carried, addArguments(body, before, at));

  Site site{bounds.at, "range"};
  auto made =
      scf::ForOp::create(builder, at, trace.read(bounds.begin, site), trace.read(bounds.end, site),
                         trace.read(bounds.step, site), before);
  made.getRegion().takeBody(*loop.region);
  for (auto [variable, result] : llvm::zip_equal(carried, made.getResults()))
    variables.write(variable, {result});
}

/// The region of a branch, which ends with what the branch gives to the if_.
void endBranch(Trace &trace, Region &from, Region &to, Location at, ArrayRef<mlir::Value> values) {
  to.takeBody(from);
  OpBuilder::InsertionGuard guard(trace.builder());
  trace.builder().setInsertionPointToEnd(&to.front());
  scf::YieldOp::create(trace.builder(), at, values);
}

void endIf(Trace &trace, Trace::PendingIf &pending) {
  Variables &variables = trace.variables();
  const Construct construct = pending.thenScope.construct;
  Location at = trace.location(construct.at);

  llvm::SmallSetVector<VariableId, 8> assigned;
  for (const ClosedScope::Assignment &assignment : pending.thenScope.assignments)
    assigned.insert(assignment.variable);
  if (pending.elseScope)
    for (const ClosedScope::Assignment &assignment : pending.elseScope->assignments)
      assigned.insert(assignment.variable);

  SmallVector<VariableId> merged;
  SmallVector<Type> types;
  SmallVector<mlir::Value> ifTrue, ifFalse;
  for (VariableId variable : assigned) {
    const Content *inThen = pending.thenScope.assignedTo(variable);
    const Content *inElse = pending.elseScope ? pending.elseScope->assignedTo(variable) : nullptr;
    mlir::Value onTrue = inThen ? inThen->value : variables.contentOf(variable).value;
    mlir::Value onFalse = inElse ? inElse->value : variables.contentOf(variable).value;
    if (!onTrue || !onFalse) {
      variables.write(variable, variables.absent(Absence::SomePath, construct));
    } else if (onTrue.getType() != onFalse.getType()) {
      variables.write(variable, variables.absent(Absence::Reshaped, construct, onTrue.getType(),
                                                 onFalse.getType()));
    } else {
      merged.push_back(variable);
      types.push_back(onTrue.getType());
      ifTrue.push_back(onTrue);
      ifFalse.push_back(onFalse);
    }
  }

  auto made = scf::IfOp::create(trace.builder(), at, types, pending.condition);
  endBranch(trace, *pending.thenScope.region, made.getThenRegion(), at, ifTrue);
  if (pending.elseScope || !merged.empty()) {
    Region empty;
    if (!pending.elseScope)
      empty.emplaceBlock();
    endBranch(trace, pending.elseScope ? *pending.elseScope->region : empty, made.getElseRegion(),
              at, ifFalse);
  }
  for (auto [variable, result] : llvm::zip_equal(merged, made.getResults()))
    variables.write(variable, {result});
}

/// A variable on its way through a while_: from the condition into the body and out of the loop.
struct Passing {
  VariableId variable;
  mlir::Value leaving; // what it holds when the condition has been computed
  mlir::Value next;    // what the body has assigned to it; null for nothing
};

/// Ends a while_, whose condition and body are the two innermost scopes.
void endWhile(Trace &trace, mlir::Value condition) {
  Variables &variables = trace.variables();
  ClosedScope head, body = trace.close(); // the body uses values of the head, and goes first
  const Construct construct = body.construct;
  Location at = trace.location(construct.at);

  // The scope of the condition is still open: a variable that only the body assigned to leaves the
  // loop through it, by a placeholder.
  SmallVector<std::pair<VariableId, Content>> assigned;
  for (const ClosedScope::Assignment &assignment : body.assignments)
    assigned.emplace_back(assignment.variable, variables.contentOf(assignment.variable));
  head = trace.close();
  llvm::MapVector<VariableId, Content> leaving;
  for (const ClosedScope::Assignment &assignment : head.assignments)
    leaving.insert({assignment.variable, assignment.content});
  for (const std::pair<VariableId, Content> &each : assigned)
    leaving.insert(each);

  SmallVector<Passing> passing;
  for (auto [variable, content] : leaving) {
    const Content *inBody = body.assignedTo(variable);
    const ClosedScope::Placeholder *outside = head.placeholderOf(variable);
    if (!content.value) {
      variables.write(variable, variables.absent(Absence::SomePath, construct));
    } else if (outside && outside->argument.use_empty() && !body.placeholderOf(variable) &&
               inBody && inBody->value && content.value == outside->argument &&
               inBody->value.getType() != content.value.getType()) {
      variables.write(variable, variables.absent(Absence::Reshaped, construct,
                                                 content.value.getType(), inBody->value.getType()));
    } else {
      passing.push_back({variable, content.value, {}});
      if (outside && inBody) {
        checkCarried(trace, construct, "while_", outside->argument.getType(), *inBody);
        passing.back().next = inBody->value;
      } else if (outside && content.value.getType() != outside->argument.getType()) {
        checkCarried(trace, construct, "while_", outside->argument.getType(), content);
      }
    }
  }
  const std::size_t resultCount = passing.size();
  for (const ClosedScope::Placeholder &placeholder : body.placeholders)
    if (!leaving.contains(placeholder.variable))
      passing.push_back({placeholder.variable, placeholder.outside, {}});

  // The body receives what leaves the condition, and yields what the next condition starts from.
  SmallVector<VariableId> received, carried;
  SmallVector<mlir::Value> left, before, next;
  for (const Passing &each : passing) {
    received.push_back(each.variable);
    left.push_back(each.leaving);
  }
  SmallVector<mlir::Value> arguments = addArguments(body.block(), left, at);
  for (auto [each, argument] : llvm::zip_equal(passing, arguments)) {
    const ClosedScope::Placeholder *outside = head.placeholderOf(each.variable);
    if (!outside || !leaving.contains(each.variable))
      continue;
    carried.push_back(each.variable);
    before.push_back(outside->outside);
    next.push_back(each.next ? each.next : argument);
  }
  finish<scf::YieldOp>(trace, body.block(), at, next);
  dropPlaceholders(body, /*first=*/0, received, arguments);

  // The condition starts from what was before, or from what the body has yielded.
  auto handOver = finish<scf::ConditionOp>(trace, head.block(), at, condition, left);
  dropPlaceholders(head, /*first=*/0, carried, addArguments(head.block(), before, at));

  // What the body only reads needs no way through the loop if it is from outside.
  for (std::size_t index = passing.size(); index-- > resultCount;) {
    mlir::Value value = handOver.getArgs()[index];
    if (value.getParentRegion() == head.region.get())
      continue;
    body.block().getArgument(index).replaceAllUsesWith(value);
    body.block().eraseArgument(index);
    handOver.getArgsMutable().erase(index);
  }

  auto made = scf::WhileOp::create(trace.builder(), at, handOver.getArgs().getTypes(), before,
                                   nullptr, nullptr);
  made.getBefore().takeBody(*head.region);
  made.getAfter().takeBody(*body.region);
  for (std::size_t index = 0; index < resultCount; ++index)
    variables.write(passing[index].variable, {made.getResult(index)});
}

} // namespace

void Trace::settle() {
  if (!pendingIf)
    return;
  PendingIf pending = std::move(*pendingIf);
  pendingIf.reset();
  endIf(*this, pending);
  for (auto [copy, source] : pending.copies)
    vars->remake(copy, vars->read(source));
}

} // namespace trowel::compiler

namespace trowel::detail {

using namespace compiler;

RangeBounds rangeBounds(Operand begin, Operand end, Operand step, std::source_location at) {
  Site site{at, "range"};
  Trace &trace = Trace::current(site);
  if (step.isNumber && step.number.kind != Number::Kind::Unsigned && step.number.integer < 1)
    trace.fail(site, fmt::format("the step is {}, but a loop counts up, by at least 1; to count "
                                 "down, compute end - 1 - k in the body",
                                 step.number.integer));
  if (step.isNumber && step.number.kind == Number::Kind::Unsigned && step.number.natural == 0)
    trace.fail(site, "the step is 0, but a loop counts up, by at least 1; to count down, compute "
                     "end - 1 - k in the body");
  Operands operands(trace, site);
  auto bound = [&](const Operand &operand) {
    return trace.record(operands.numeric(operand, ElementType::Int64));
  };
  RangeBounds bounds;
  bounds.begin = bound(begin);
  bounds.end = bound(end);
  bounds.step = bound(step);
  bounds.at = at;
  return bounds;
}

OpenLoop openLoop(const RangeBounds &bounds) {
  Site site{bounds.at, "range"};
  Trace &trace = Trace::current(site);
  checkNesting(trace, site);
  Block *body = trace.open({Construct::Kind::Range, bounds.at});
  Value variable =
      trace.record(body->addArgument(trace.builder().getI64Type(), trace.location(bounds.at)));
  return {variable, trace.variables().innermost()};
}

void closeLoop(const RangeBounds &bounds, OpenLoop loop) {
  Site site{bounds.at, "range"};
  Trace &trace = Trace::current(site);
  if (!trace.owns(loop.variable))
    trace.read(loop.variable, site); // says whose it is
  checkInnermost(trace, loop.scope);
  endFor(trace, trace.close(), bounds);
}

void abandonLoop(const RangeBounds &bounds, OpenLoop loop) noexcept {
  Trace *trace = Trace::currentOrNull();
  if (trace && trace->owns(loop.variable) && trace->variables().isOpen(loop.scope))
    trace->spoil(bounds.at, leftEarly);
}

std::uint32_t ifThen(Operand condition, Callback then, std::source_location at) {
  Site site{at, "if_"};
  Trace &trace = Trace::current(site);
  mlir::Value decides = trace.read(condition.value, site);
  checkNesting(trace, site);
  trace.open({Construct::Kind::Branch, at});
  std::uint32_t serial = trace.variables().innermost();
  traceBody(trace, at, [&] { then.call(then.object); });
  trace.pendingIf.emplace(Trace::PendingIf{serial, decides, trace.close(), std::nullopt, {}});
  return serial;
}

void ifElse(std::uint32_t serial, Callback otherwise, std::source_location at) {
  Trace *trace = Trace::currentOrNull();
  if (!trace || !trace->pendingIf || trace->pendingIf->serial != serial)
    Trace::current(Site{at, "else_"})
        .fail(Site{at, "else_"}, "it must follow its if_ directly: if_(condition, [&] { … })"
                                 ".else_([&] { … })");
  // The branch may have ifs of its own.
  Trace::PendingIf pending = std::move(*trace->pendingIf);
  trace->pendingIf.reset();
  trace->throwIfSpoiled();
  for (auto [copy, source] : pending.copies)
    trace->variables().remake(copy, trace->variables().read(source));
  pending.copies.clear();
  trace->open({Construct::Kind::Branch, at});
  traceBody(*trace, at, [&] { otherwise.call(otherwise.object); });
  pending.elseScope = trace->close();
  trace->pendingIf.emplace(std::move(pending));
  trace->settle();
}

void whileLoop(ConditionCallback condition, Callback body, std::source_location at) {
  Site site{at, "while_"};
  Trace &trace = Trace::current(site);
  checkNesting(trace, site);
  trace.open({Construct::Kind::WhileCondition, at});
  mlir::Value decides;
  traceBody(trace, at, [&] { decides = trace.read(condition.call(condition.object, at), site); });
  trace.open({Construct::Kind::WhileBody, at});
  traceBody(trace, at, [&] { body.call(body.object); });
  endWhile(trace, decides);
}

void returnIf(Operand condition, std::source_location at) {
  Site site{at, "returnIf"};
  Trace &trace = Trace::current(site);
  mlir::Value decides = trace.read(condition.value, site);
  tile::ReturnIfOp::create(trace.builder(), trace.location(at), decides);
}

} // namespace trowel::detail
