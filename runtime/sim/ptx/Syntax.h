// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A parsed PTX module: what the text says, before anything knows what an opcode means.
#pragma once

#include "runtime/sim/ptx/Type.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace trowel::sim::ptx {

/// One operand as written. All views point into Module::text.
struct Operand {
  enum class Kind : std::uint8_t {
    Name,    // a register, variable, label or special register: `name`, plus `offset`
    Integer, // `bits`
    Float32, // `bits`
    Float64, // `bits`
    Sink,    // _
    Vector,  // {a, b}: `parts`
    Address, // [name + offset] or [offset], further operands inside the brackets in `parts`
    Pair,    // a|b: two `parts`
    List,    // (a, b) of a call: `parts`
  };
  Kind kind = Kind::Name;
  /// "!p".
  bool negated = false;
  std::string_view name;
  std::uint64_t bits = 0;
  std::int64_t offset = 0;
  std::vector<Operand> parts;
};

/// One instruction as written.
struct Statement {
  std::string_view opcode;
  /// The guard's register; empty without one.
  std::string_view guard;
  bool guardNegated = false;
  std::uint32_t line = 0;
  /// Index into Function::scopes: where its names are looked up.
  std::uint32_t scope = 0;
  /// Index into Function::locations, 0 for none.
  std::uint32_t location = 0;
  std::vector<Operand> operands;
};

enum class Space : std::uint8_t { Register, Generic, Global, Constant, Shared, Local, Parameter };

/// A word of a variable's initial value that is another variable's address.
struct Relocation {
  std::uint64_t at = 0;
  unsigned bytes = 8;
  std::string_view symbol;
  std::int64_t offset = 0;
};

/// A declared variable, parameter or register.
struct Variable {
  Space space = Space::Register;
  Type type = Type::B8;
  std::string_view name;
  std::uint64_t alignment = 1;
  /// Bytes of the whole object. 0 for an array without an extent, such as dynamic shared memory.
  std::uint64_t bytes = 0;
  /// Registers declared as %r<count>; 0 for a single name.
  std::uint64_t count = 0;
  bool isExtern = false;
  std::uint32_t line = 0;
  std::vector<std::uint8_t> initial;
  std::vector<Relocation> relocations;
};

/// A "{ ... }" of a function: names and labels declared inside shadow outer ones.
struct Scope {
  std::uint32_t parent = 0;
  std::unordered_map<std::string_view, std::uint32_t> variables; // into Function::variables
  std::unordered_map<std::string_view, std::uint32_t> labels;    // statement that follows the label
  std::unordered_map<std::string_view, std::vector<std::string_view>> branchTargets;
};

/// A ".loc".
struct Location {
  std::uint32_t file = 0;
  std::uint32_t line = 0;
};

struct Function {
  std::string_view name;
  bool isEntry = false;
  bool hasBody = false;
  std::uint32_t line = 0;
  /// Space Parameter; their offsets follow from size and alignment in order.
  std::vector<Variable> parameters;
  std::vector<Variable> results;
  std::array<std::uint32_t, 3> requiredThreads{0, 0, 0}; // .reqntid, 0 = not given
  std::array<std::uint32_t, 3> maximumThreads{0, 0, 0};  // .maxntid
  std::array<std::uint32_t, 3> requiredCluster{0, 0, 0}; // .reqnctapercluster
  std::vector<Scope> scopes;                             // [0] is the body
  std::vector<Variable> variables;
  std::vector<Location> locations; // [0] is "none"
  std::vector<Statement> statements;
};

struct Module {
  /// Owns the characters that every view points to.
  std::shared_ptr<const std::string> text;
  unsigned versionMajor = 0, versionMinor = 0;
  std::string_view target;
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::map<std::uint32_t, std::string> files; // .file

  const Function *findEntry(std::string_view name) const;
  const Variable *findVariable(std::string_view name) const;
};

} // namespace trowel::sim::ptx
