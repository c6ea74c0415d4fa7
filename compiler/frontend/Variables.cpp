// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Following variables through loops and branches.
//
// A traced loop's body runs once on the host, but what it reads in its second trip is what it left
// in the first. So a read of a variable from outside must not be the value that the variable has at
// that moment: it is a placeholder, an argument of the loop's block. When the body ends, variables
// that were assigned to are carried by the loop, and the placeholders of the others are replaced by
// the outer value. A branch needs no placeholders; it only must not leave its assignments behind,
// since the else branch starts from the same values.
//
// Each variable has one slot with its current content and the depth of the scope that set it. The
// first change of a slot in a scope (a placeholder, or an assignment) saves the old content in the
// scope's list; closing the scope reads off what changed and restores. So a read costs one look at
// the slot, whatever the nesting.
//
// A C++ object holds the number of its variable. A copy is a new variable. A move is not: when a
// vector grows inside a loop, its elements are the same variables in other objects. The new object
// gets a number that stands for the old one. The old object is normally destroyed; if it is
// assigned to in the same scope instead, as std::swap does, it is the variable again and the other
// one becomes independent. If that happens in an inner scope, the assignment makes a new variable,
// because what was read through the other object cannot be taken back.
//
// What a scope made is of no use after it: such variables lose their content when it closes, and
// keep the reason for the message of whoever reads them.

#include "compiler/frontend/Variables.h"

#include "compiler/frontend/TraceOperands.h"
#include "dialect/TileDialect.h"

#include "llvm/ADT/STLExtras.h"

#include <atomic>
#include <fmt/format.h>
#include <string_view>

using namespace mlir;

namespace trowel::compiler {

/// A number that no other scope has, of whatever trace: the result of an if_ may outlive its trace,
/// and its else_ must not find the if_ of another.
static std::uint32_t nextSerial() {
  static std::atomic<std::uint32_t> last = 0;
  return ++last;
}

const ClosedScope::Placeholder *ClosedScope::placeholderOf(VariableId variable) const {
  auto found = placeholderIndex.find(variable);
  return found == placeholderIndex.end() ? nullptr : &placeholders[found->second];
}

const Content *ClosedScope::assignedTo(VariableId variable) const {
  auto found = assignmentIndex.find(variable);
  return found == assignmentIndex.end() ? nullptr : &assignments[found->second].content;
}

Variables::Variables(Block *kernel) {
  scopes.push_back({Construct{}, nextSerial(), 0, kernel, nullptr, {}, {}, {}});
}

Variables::~Variables() {
  // Inner code uses values of outer code, so it goes first.
  while (!scopes.empty())
    scopes.pop_back();
}

VariableId Variables::make(Content content) {
  Slot slot;
  slot.content = content;
  slot.depth = depth() - 1;
  slots.push_back(slot);
  return slots.size() - 1;
}

VariableId Variables::declare() {
  slots.emplace_back();
  return slots.size() - 1;
}

VariableId Variables::move(VariableId source) {
  if (slots[source].movedTo != none)
    return make({{}, Absence::Moved});
  VariableId target = declare();
  slots[target].standsFor = source;
  slots[target].movedDepth = depth() - 1;
  slots[source].movedTo = target;
  return target;
}

/// The variable whose slot has the content.
VariableId Variables::place(VariableId variable) const {
  while (slots[variable].standsFor != none)
    variable = slots[variable].standsFor;
  return variable;
}

void Variables::save(Scope &scope, VariableId variable) {
  const Slot &slot = slots[variable];
  scope.saved.push_back({variable, slot.content, slot.depth, slot.isAssigned});
}

Content Variables::read(VariableId variable) {
  if (slots[variable].movedTo != none)
    return {{}, Absence::Moved};
  return contentOf(place(variable));
}

Content Variables::contentOf(VariableId id) {
  Slot &slot = slots[id];
  if (!slot.content.value)
    return slot.content;
  for (std::uint32_t level = slot.depth + 1; level < scopes.size(); ++level) {
    Scope &scope = scopes[level];
    if (!scope.isLoop())
      continue;
    save(scope, id);
    Value outside = slot.content.value;
    BlockArgument argument = scope.block->addArgument(outside.getType(), outside.getLoc());
    scope.placeholders.push_back({id, argument, outside});
    slot.content.value = argument;
    slot.depth = level;
    slot.isAssigned = false;
  }
  return slot.content;
}

void Variables::write(VariableId variable, Content content) {
  VariableId id = place(variable);
  Slot &slot = slots[id];
  std::uint32_t here = depth() - 1;
  if (slot.depth < here)
    save(scopes.back(), id);
  if (slot.depth < here || !slot.isAssigned)
    scopes.back().assigned.push_back(id);
  slot.content = content;
  slot.depth = here;
  slot.isAssigned = true;
}

void Variables::remake(VariableId variable, Content content) {
  slots[variable].content = content;
  slots[variable].depth = depth() - 1;
}

VariableId Variables::assign(VariableId variable, Content content) {
  if (VariableId heir = slots[variable].movedTo; heir != none) {
    if (slots[heir].movedDepth != depth() - 1) {
      variable = declare();
    } else {
      Content current = contentOf(place(heir));
      slots[variable].movedTo = none;
      slots[heir].standsFor = none;
      remake(heir, current);
    }
  }
  write(variable, content);
  return variable;
}

Block *Variables::open(Construct construct) {
  auto region = std::make_unique<Region>();
  Block *block = new Block;
  region->push_back(block);
  scopes.push_back({construct,
                    nextSerial(),
                    static_cast<VariableId>(slots.size()),
                    block,
                    std::move(region),
                    {},
                    {},
                    {}});
  return block;
}

std::size_t Variables::nesting() const {
  return llvm::count_if(scopes, [](const Scope &scope) {
    return scope.construct.kind != Construct::Kind::Kernel &&
           scope.construct.kind != Construct::Kind::WhileCondition;
  });
}

ClosedScope Variables::close() {
  Scope scope = std::move(scopes.back());
  scopes.pop_back();
  std::uint32_t closed = depth();

  ClosedScope result;
  result.construct = scope.construct;
  result.region = std::move(scope.region);
  result.placeholders = std::move(scope.placeholders);
  for (const ClosedScope::Placeholder &each : result.placeholders)
    result.placeholderIndex.try_emplace(each.variable, result.placeholderIndex.size());
  for (VariableId id : scope.assigned) {
    result.assignmentIndex[id] = result.assignments.size();
    result.assignments.push_back({id, slots[id].content});
  }

  for (const Saved &saved : llvm::reverse(scope.saved)) {
    Slot &slot = slots[saved.variable];
    slot.content = saved.content;
    slot.depth = saved.depth;
    slot.isAssigned = saved.isAssigned;
  }
  Content gone = absent(Absence::MadeInside, scope.construct);
  for (VariableId id = scope.firstMade; id < slots.size(); ++id) {
    Slot &slot = slots[id];
    if (slot.standsFor != none) {
      slot.movedDepth = std::min(slot.movedDepth, closed - 1);
    } else if (slot.depth == closed) {
      if (slot.content.value)
        slot.content = gone;
      slot.depth = closed - 1;
    }
  }
  return result;
}

bool Variables::isOpen(std::uint32_t serial) const {
  return llvm::any_of(scopes, [&](const Scope &scope) { return scope.serial == serial; });
}

Content Variables::absent(Absence absence, const Construct &construct, Type before, Type after) {
  notes.push_back({construct, before, after});
  return {{}, absence, static_cast<std::uint32_t>(notes.size() - 1)};
}

std::string spellLine(std::source_location at, std::source_location reader) {
  std::string_view file = at.file_name();
  if (file == reader.file_name())
    return fmt::format("line {}", at.line());
  return fmt::format("{}:{}", file.substr(file.rfind('/') + 1), at.line());
}

static std::string spellConstruct(const Construct &construct, std::source_location reader) {
  const char *word = construct.kind == Construct::Kind::Range     ? "loop"
                     : construct.kind == Construct::Kind::Branch  ? "if_"
                     : construct.kind == Construct::Kind::Combine ? "combining function"
                                                                  : "while_";
  return fmt::format("the {} of {}", word, spellLine(construct.at, reader));
}

std::string Variables::explain(const Content &content, std::source_location reader) const {
  if (content.absence == Absence::Unset)
    return "an operand has no value: its variable was declared and never assigned";
  if (content.absence == Absence::Moved)
    return "an operand has no value: its variable was moved from; copy it instead, or assign to it "
           "first";
  const Note &note = notes[content.note];
  bool isBranch = note.construct.kind == Construct::Kind::Branch;
  std::string where = spellConstruct(note.construct, reader);
  if (content.absence == Absence::MadeInside)
    return fmt::format("an operand was made inside {} and is read after it: {}", where,
                       note.construct.kind == Construct::Kind::Combine
                           ? "only what it returns stays"
                           : "assign it there to a variable that has a value before");
  if (content.absence == Absence::Reshaped)
    return fmt::format("an operand has the shape {} on one path through {} and the shape {} on "
                       "another: use a variable for each shape",
                       spellShape(tile::extentsOf(note.before)), where,
                       spellShape(tile::extentsOf(note.after)));
  if (isBranch)
    return fmt::format("an operand has no value on one path through {}: give its variable one "
                       "before it, or in both branches",
                       where);
  return fmt::format("an operand has no value if {} makes no trip: give its variable one before it",
                     where);
}

} // namespace trowel::compiler
