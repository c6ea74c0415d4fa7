// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns a parsed entry into a Program.
#pragma once

#include "runtime/base/Result.h"
#include "runtime/sim/ptx/Lexer.h"
#include "runtime/sim/ptx/Opcode.h"
#include "runtime/sim/ptx/Program.h"

#include <map>
#include <unordered_map>

namespace trowel::sim {

/// Device addresses of a module's global and constant variables.
using Placement = std::unordered_map<std::string_view, std::uint64_t>;

/// The entry as the machine executes it. The failure's sentence begins with "PTX line N: ".
Result<Program> decode(const ptx::Module &module, const ptx::Function &entry,
                       const Placement &placement);

/// A form of an instruction that the device does not know: an error when it is executed, not
/// before.
struct UnknownForm {
  std::string reason;
};

/// What an instruction family sees while it decodes one statement: the opcode's modifiers to take,
/// and the operands to turn into slots. A mistake in the text throws SyntaxError, an unknown form
/// UnknownForm.
class Decoder {
public:
  Decoder(const ptx::Module &module, const ptx::Function &entry, const Placement &placement);
  Program run();

  // ---- the statement at hand ----
  ptx::Opcode opcode{""};
  const ptx::Statement &statement() const { return *current; }
  Instruction &instruction() { return program.instructions.back(); }
  Program &result() { return program; }
  const ptx::Operand &operand(std::size_t index) const { return current->operands[index]; }
  std::size_t operandCount() const { return current->operands.size(); }

  /// Requires this number of operands.
  void expectOperands(std::size_t least, std::size_t most);
  void expectOperands(std::size_t exactly) { expectOperands(exactly, exactly); }
  /// Takes the type modifier, which must be there.
  ptx::Type takeType();
  /// Chooses the handler; what modifiers are left over make an unknown form.
  void finish(Handler handler, Flow flow = Flow::Next);

  // ---- operands; each appends one slot ----
  /// A destination register of exactly the type's width, or the sink "_".
  void write(const ptx::Operand &operand, ptx::Type type);
  /// A destination register of at least the type's width; returns the register's width.
  unsigned writeWide(const ptx::Operand &operand, ptx::Type type);
  void writePredicate(const ptx::Operand &operand);
  /// A source of exactly the type's width: register, literal, special register or address.
  void read(const ptx::Operand &operand, ptx::Type type);
  /// A source register of at least the type's width, or a literal; returns the width.
  unsigned readWide(const ptx::Operand &operand, ptx::Type type);
  /// A predicate; returns whether it is negated.
  bool readPredicate(const ptx::Operand &operand);
  /// Slots that the statement's operands have taken so far.
  std::size_t slotCount() const { return program.slots.size() - program.operands.back().first; }
  /// A value known now.
  void readConstant(std::uint64_t bits, unsigned width);
  /// The address in brackets: appends its base as a 32- or 64-bit source, stores the offset in
  /// `immediate` and returns the base's width. Where the address is the name of an entry parameter
  /// it appends nothing and returns 0; `immediate` is then the offset among the parameters.
  unsigned readAddress(const ptx::Operand &operand);

  /// The width of the register that an operand names; 0 if it names none.
  unsigned registerWidth(const ptx::Operand &operand);
  /// A special register that is read when executed, if the operand names one.
  std::optional<Special> dynamicSpecial(const ptx::Operand &operand) const;
  /// The instruction that a label stands for. Known only after all statements are decoded, so it is
  /// stored through `fixup` then.
  void branchTo(std::string_view label);
  void branchTable(std::string_view table);
  /// Adds a memory access and stores its index in `target`.
  MemoryAccess &addAccess();

  [[noreturn]] void fail(std::string text) const;
  [[noreturn]] void unknown(std::string reason) const;

private:
  struct RegisterKey {
    std::uint32_t variable;
    std::uint64_t index;
    auto operator<=>(const RegisterKey &) const = default;
  };
  struct Found {
    const ptx::Variable *variable = nullptr;
    RegisterKey key{0, 0};
  };
  struct BranchFixup {
    std::uint32_t instruction;
    std::uint32_t scope;
    std::string_view label;
    std::uint32_t line;
    bool isTable;
  };

  const ptx::Module &module;
  const ptx::Function &entry;
  const Placement &placement;
  Program program;
  const ptx::Statement *current = nullptr;
  std::map<RegisterKey, Slot> registers;
  std::map<std::pair<std::uint64_t, unsigned>, Slot> constants;
  std::map<Special, Slot> specials;
  std::map<unsigned, Slot> sinks;
  // Of Function::variables and Module::variables, in their space.
  std::vector<std::uint64_t> addresses;
  std::vector<std::uint64_t> moduleAddresses;
  std::vector<BranchFixup> fixups;

  void layOutParameters();
  void layOutVariables();
  void decodeStatement(const ptx::Statement &statement);
  void resolveBranches();
  std::uint32_t findLabel(const BranchFixup &fixup, std::string_view label) const;

  Found find(std::string_view name) const;
  void appendSlot(Slot slot, unsigned width);
  Slot allocate(unsigned width);
  Slot constantSlot(std::uint64_t bits, unsigned width);
  Slot registerSlot(const Found &found);
  std::optional<std::uint64_t> symbolAddress(std::string_view name) const;
  std::uint64_t literal(const ptx::Operand &operand, ptx::Type type) const;
  /// Register, special register, address or literal; `exact` forbids wider registers.
  unsigned readSource(const ptx::Operand &operand, ptx::Type type, bool exact);
  unsigned writeRegister(const ptx::Operand &operand, ptx::Type type, bool exact);
  std::string shown(const ptx::Operand &operand) const;
};

} // namespace trowel::sim
