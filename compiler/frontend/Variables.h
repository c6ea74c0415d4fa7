// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each variable of a kernel holds, scope by scope.
#pragma once

#include "mlir/IR/Block.h"
#include "mlir/IR/Region.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <memory>
#include <source_location>
#include <string>
#include <vector>

namespace trowel::compiler {

/// What a scope is the body of.
struct Construct {
  enum class Kind : std::uint8_t { Kernel, Range, Branch, WhileCondition, WhileBody, Combine };
  Kind kind = Kind::Kernel;
  std::source_location at;
};

using VariableId = std::uint32_t;

/// Why a variable cannot be read.
enum class Absence : std::uint8_t {
  Unset,
  Moved,
  MadeInside, // made in the body of a construct that has ended
  SomePath,   // set on some paths through a construct only
  Reshaped    // of one shape on one path through a construct, of another on another
};

/// What a variable holds: a value, or the reason why there is none.
struct Content {
  mlir::Value value;
  Absence absence = Absence::Unset;
  std::uint32_t note = 0;
};

/// A scope that has ended: its code, and what its variables were to the world outside.
struct ClosedScope {
  /// An outer variable that was read before the scope assigned to it.
  struct Placeholder {
    VariableId variable;
    mlir::BlockArgument argument;
    mlir::Value outside;
  };
  struct Assignment {
    VariableId variable;
    Content content;
  };

  Construct construct;
  std::unique_ptr<mlir::Region> region;
  llvm::SmallVector<Placeholder> placeholders;
  /// In the order of the first assignment to each, which no compiler is free to choose.
  llvm::SmallVector<Assignment> assignments;

  mlir::Block &block() { return region->front(); }
  /// Null where there is none.
  const Placeholder *placeholderOf(VariableId variable) const;
  const Content *assignedTo(VariableId variable) const;

private:
  friend class Variables;
  llvm::DenseMap<VariableId, unsigned> placeholderIndex, assignmentIndex;
};

class Variables {
public:
  explicit Variables(mlir::Block *kernel);
  ~Variables();
  Variables(const Variables &) = delete;

  std::size_t count() const { return slots.size(); }

  /// A variable that is made here and now.
  VariableId make(Content content);
  /// An unset variable, which may have been declared anywhere.
  VariableId declare();
  /// The variable `source` in another C++ object. `source` has no value until it is assigned to.
  VariableId move(VariableId source);

  Content read(VariableId variable);
  /// Sets the variable and returns it; another one takes its place where it was moved away.
  VariableId assign(VariableId variable, Content content);
  /// What a variable holds in whatever object; for what a closed scope has assigned to.
  Content contentOf(VariableId place);
  /// Sets it.
  void write(VariableId variable, Content content);
  /// Replaces what a variable that was made in this scope was made with.
  void remake(VariableId variable, Content content);

  /// Starts a scope with an empty block, which is returned.
  mlir::Block *open(Construct construct);
  /// Ends the innermost scope; variables from outside hold again what they held before it.
  ClosedScope close();

  /// The number of open scopes, that of the kernel included, and the innermost one.
  std::size_t depth() const { return scopes.size(); }
  std::uint32_t innermost() const { return scopes.back().serial; }
  /// The number of loops and branches around what is being traced.
  std::size_t nesting() const;
  const Construct &innermostConstruct() const { return scopes.back().construct; }
  mlir::Block *block() const { return scopes.back().block; }
  bool isOpen(std::uint32_t serial) const;

  /// Notes for a message what became of a variable at a construct.
  Content absent(Absence absence, const Construct &construct, mlir::Type before = {},
                 mlir::Type after = {});
  /// The sentence that tells why there is no value; `reader` is where it is read.
  std::string explain(const Content &content, std::source_location reader) const;

private:
  static constexpr VariableId none = ~VariableId{0};

  struct Slot {
    Content content;
    std::uint32_t depth = 0;      // of the scope in which the content was set
    bool isAssigned = true;       // false for what only stands for the outer content
    VariableId movedTo = none;    // the variable whose object has taken this one's place
    VariableId standsFor = none;  // the variable whose place this one has taken …
    std::uint32_t movedDepth = 0; // … and the depth of the scope of that move
  };
  struct Saved {
    VariableId variable;
    Content content;
    std::uint32_t depth;
    bool isAssigned;
  };
  struct Scope {
    Construct construct;
    std::uint32_t serial;
    VariableId firstMade;
    mlir::Block *block;
    std::unique_ptr<mlir::Region> region;
    std::vector<Saved> saved;
    llvm::SmallVector<ClosedScope::Placeholder> placeholders;
    llvm::SmallVector<VariableId> assigned;

    bool isLoop() const {
      return construct.kind != Construct::Kind::Kernel &&
             construct.kind != Construct::Kind::Branch &&
             construct.kind != Construct::Kind::Combine;
    }
  };
  struct Note {
    Construct construct;
    mlir::Type before, after;
  };

  VariableId place(VariableId variable) const;
  void save(Scope &scope, VariableId variable);

  std::vector<Slot> slots;
  std::vector<Scope> scopes;
  std::vector<Note> notes;
};

/// "line 12", or "loops.h:12" in another file than `reader`.
std::string spellLine(std::source_location at, std::source_location reader);

} // namespace trowel::compiler
