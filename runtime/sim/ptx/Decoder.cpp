// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns a parsed entry into a Program.
//
// Decoding happens once a module, so that executing can be a plain walk: each opcode has become a
// pointer to a handler made for its types and modifiers, each operand a byte offset in the warp's
// register file. Three kinds of operand lie in that file beside the registers: literals, copied to
// all 32 lanes, so that no handler needs a second form for them; special registers such as %tid.x,
// set when a warp starts; and a dump for the sink "_". Registers get their place when they are
// first used: LLVM declares thousands of which a function uses some.
//
// A 32-bit or narrower value takes a 32-bit word a lane, narrow values zero-extended; a 64-bit
// value takes two words; a predicate is one word with a bit a lane.
//
// Two kinds of mistake are told apart. An operand that no assembler would accept (an undeclared
// name, a register of the wrong width, a missing operand) fails the load with its line. An opcode
// or modifier that this device lacks becomes an instruction that reports itself when it is
// executed, because programs may carry paths for other chips that never run.

#include "runtime/sim/ptx/Decoder.h"

#include "runtime/sim/AddressSpaces.h"
#include "runtime/sim/exec/Table.h"
#include "runtime/sim/ptx/Cfg.h"
#include "runtime/sim/ptx/Declarations.h"
#include "runtime/sim/ptx/ShadowRules.h"
#include "runtime/sim/ptx/SpecialRegisters.h"

#include <bit>
#include <cstring>

namespace trowel::sim {

using ptx::Operand;
using ptx::Space;
using ptx::SyntaxError;
using ptx::Type;
using ptx::Variable;

namespace {

std::uint64_t alignTo(std::uint64_t value, std::uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

std::string bitsText(unsigned width) {
  return width == 1 ? "a predicate" : std::to_string(width) + " bits wide";
}

} // namespace

Decoder::Decoder(const ptx::Module &module, const ptx::Function &entry, const Placement &placement)
    : module(module), entry(entry), placement(placement) {}

Program Decoder::run() {
  program.kernel = entry.name;
  program.requiredThreads = entry.requiredThreads;
  program.maximumThreads = entry.maximumThreads;
  layOutParameters();
  layOutVariables();
  program.instructions.reserve(entry.statements.size() + 1);
  for (const ptx::Statement &statement : entry.statements)
    decodeStatement(statement);
  // Control that runs off the end returns.
  ptx::Statement end;
  end.opcode = "ret";
  end.line = entry.statements.empty() ? entry.line : entry.statements.back().line;
  decodeStatement(end);
  resolveBranches();
  for (Instruction &instruction : program.instructions)
    instruction.slots = program.slots.data() + program.operands[instruction.index].first;
  program.registersUsed = static_cast<std::uint32_t>(registers.size());
  buildControlFlow(program);
  return std::move(program);
}

void Decoder::layOutParameters() {
  for (const Variable &parameter : entry.parameters) {
    program.parameterBytes = alignTo(program.parameterBytes, parameter.alignment);
    program.parameters.push_back(
        {std::string(parameter.name), program.parameterBytes, parameter.bytes});
    program.parameterBytes += parameter.bytes;
    if (program.parameterBytes > 32764)
      throw SyntaxError{parameter.line, "the parameters take more than the 32764 bytes that a "
                                        "launch can pass"};
  }
}

void Decoder::layOutVariables() {
  // Static shared memory first, then the start of the dynamic part, which all its names share.
  std::uint64_t dynamicAlignment = 0;
  auto place = [&](const Variable &variable) -> std::uint64_t {
    bool local = variable.space == Space::Local;
    if (!local && variable.space != Space::Shared)
      return 0;
    if (!local && variable.bytes == 0) {
      dynamicAlignment = std::max(dynamicAlignment, variable.alignment);
      return 0;
    }
    std::uint64_t &total = local ? program.localBytesPerThread : program.staticSharedBytes;
    std::uint64_t limit = local ? 512 * 1024 : defaultSharedBytesPerBlock;
    std::uint64_t address = alignTo(total, variable.alignment);
    total = address + variable.bytes;
    if (total > limit)
      throw SyntaxError{variable.line,
                        "the ." + std::string(name(variable.space)) + " variables take " +
                            std::to_string(total) + " bytes, the limit is " +
                            std::to_string(limit) +
                            (local ? ""
                                   : "; more is possible only as dynamic shared memory, a "
                                     ".extern array without an extent")};
    (local ? program.localVariables : program.sharedVariables)
        .push_back({std::string(variable.name), address, variable.bytes});
    return address;
  };
  for (const Variable &variable : module.variables)
    moduleAddresses.push_back(place(variable));
  for (const Variable &variable : entry.variables)
    addresses.push_back(place(variable));
  if (dynamicAlignment == 0)
    return;
  program.staticSharedBytes = alignTo(program.staticSharedBytes, dynamicAlignment);
  auto placeDynamic = [&](const Variable &variable, std::uint64_t &address) {
    if (variable.space == Space::Shared && variable.bytes == 0)
      address = program.staticSharedBytes;
  };
  for (std::size_t i = 0; i < module.variables.size(); ++i)
    placeDynamic(module.variables[i], moduleAddresses[i]);
  for (std::size_t i = 0; i < entry.variables.size(); ++i)
    placeDynamic(entry.variables[i], addresses[i]);
}

void Decoder::decodeStatement(const ptx::Statement &statement) {
  current = &statement;
  Instruction fresh;
  fresh.index = static_cast<std::uint32_t>(program.instructions.size());
  program.instructions.push_back(fresh);
  program.operands.emplace_back().first = static_cast<std::uint32_t>(program.slots.size());
  InstructionInfo &info = program.infos.emplace_back();
  info.opcode = statement.opcode;
  info.ptxLine = statement.line;
  const ptx::Location &location = entry.locations[statement.location];
  if (location.line != 0) {
    info.line = static_cast<int>(location.line);
    if (auto file = module.files.find(location.file); file != module.files.end())
      info.file = file->second;
  }
  std::size_t fixupCount = fixups.size();
  std::size_t accessCount = program.accesses.size();
  try {
    if (!statement.guard.empty()) {
      Found guard = find(statement.guard);
      if (!guard.variable || guard.variable->type != Type::Pred)
        fail("'" + std::string(statement.guard) + "' is not a declared predicate");
      instruction().guard = registerSlot(guard);
      instruction().guardNegated = statement.guardNegated;
    }
    opcode = ptx::Opcode(statement.opcode);
    exec::DecodeFunction family = exec::findOpcode(opcode.root);
    if (!family)
      unknown("opcode");
    family(*this);
    Operands &operands = program.operands.back();
    operands.count = static_cast<std::uint8_t>(program.slots.size() - operands.first);
    if (program.accesses.size() != accessCount)
      operands.rule = ShadowRule::Access;
    else
      chooseShadowRule(ptx::Opcode(statement.opcode), operands);
  } catch (const UnknownForm &form) {
    fixups.resize(fixupCount);
    program.accesses.resize(accessCount);
    program.slots.resize(program.operands.back().first);
    program.slotBits.resize(program.slots.size());
    program.operands.back() = {program.operands.back().first};
    info.unknown = form.reason;
    instruction().execute = exec::unknownInstruction;
    instruction().flow = Flow::Next;
  }
}

void Decoder::resolveBranches() {
  for (const BranchFixup &fixup : fixups) {
    Instruction &branch = program.instructions[fixup.instruction];
    if (!fixup.isTable) {
      branch.target = findLabel(fixup, fixup.label);
      continue;
    }
    for (std::uint32_t scope = fixup.scope;; scope = entry.scopes[scope].parent) {
      auto table = entry.scopes[scope].branchTargets.find(fixup.label);
      if (table != entry.scopes[scope].branchTargets.end()) {
        branch.target = static_cast<std::uint32_t>(program.branchTables.size());
        std::vector<std::uint32_t> &targets = program.branchTables.emplace_back();
        for (std::string_view label : table->second)
          targets.push_back(findLabel(fixup, label));
        break;
      }
      if (scope == 0)
        throw SyntaxError{fixup.line, "there is no .branchtargets list '" +
                                          std::string(fixup.label) + "' in this function"};
    }
  }
}

std::uint32_t Decoder::findLabel(const BranchFixup &fixup, std::string_view label) const {
  for (std::uint32_t scope = fixup.scope;; scope = entry.scopes[scope].parent) {
    auto found = entry.scopes[scope].labels.find(label);
    if (found != entry.scopes[scope].labels.end())
      return found->second;
    if (scope == 0)
      throw SyntaxError{fixup.line,
                        "there is no label '" + std::string(label) + "' in this function"};
  }
}

// ---- what the families call ----

void Decoder::expectOperands(std::size_t least, std::size_t most) {
  std::size_t count = operandCount();
  if (count >= least && count <= most)
    return;
  std::string expected = std::to_string(least);
  if (most != least)
    expected += " to " + std::to_string(most);
  fail("'" + std::string(current->opcode) + "' takes " + expected + " operands, found " +
       std::to_string(count));
}

Type Decoder::takeType() {
  if (std::optional<Type> type = opcode.takeType())
    return *type;
  unknown("form without a type");
}

void Decoder::finish(Handler handler, Flow flow) {
  if (!opcode.modifiers.empty())
    unknown("modifier '." + std::string(opcode.modifiers.front()) + "'");
  instruction().execute = handler;
  instruction().flow = flow;
}

void Decoder::fail(std::string text) const { throw SyntaxError{current->line, std::move(text)}; }

void Decoder::unknown(std::string reason) const { throw UnknownForm{std::move(reason)}; }

void Decoder::write(const Operand &operand, Type type) { writeRegister(operand, type, true); }

unsigned Decoder::writeWide(const Operand &operand, Type type) {
  return writeRegister(operand, type, false);
}

void Decoder::writePredicate(const Operand &operand) { writeRegister(operand, Type::Pred, true); }

void Decoder::read(const Operand &operand, Type type) { readSource(operand, type, true); }

unsigned Decoder::readWide(const Operand &operand, Type type) {
  return readSource(operand, type, false);
}

bool Decoder::readPredicate(const Operand &operand) {
  readSource(operand, Type::Pred, true);
  return operand.negated;
}

void Decoder::readConstant(std::uint64_t bits, unsigned width) {
  appendSlot(constantSlot(bits, width), width);
}

unsigned Decoder::readAddress(const Operand &operand) {
  if (operand.kind != Operand::Kind::Address)
    fail("expected an address in brackets, found " + shown(operand));
  instruction().immediate = operand.offset;
  if (operand.name.empty()) {
    appendSlot(constantSlot(0, 64), 64);
    return 64;
  }
  if (Found found = find(operand.name); found.variable) {
    if (found.variable->space == Space::Register) {
      unsigned width = bitWidth(found.variable->type);
      if (width != 32 && width != 64)
        fail("expected a 32- or 64-bit address, '" + std::string(operand.name) + "' is " +
             bitsText(width));
      appendSlot(registerSlot(found), width);
      return width;
    }
    if (found.variable->space == Space::Parameter)
      unknown("parameter of a call");
  } else {
    for (const Parameter &parameter : program.parameters)
      if (parameter.name == operand.name) {
        instruction().immediate += static_cast<std::int64_t>(parameter.offset);
        return 0;
      }
  }
  std::optional<std::uint64_t> address = symbolAddress(operand.name);
  if (!address)
    fail("'" + std::string(operand.name) + "' is not declared");
  appendSlot(constantSlot(*address, 64), 64);
  return 64;
}

unsigned Decoder::registerWidth(const Operand &operand) {
  if (operand.kind != Operand::Kind::Name)
    return 0;
  Found found = find(operand.name);
  return found.variable && found.variable->space == Space::Register ? bitWidth(found.variable->type)
                                                                    : 0;
}

std::optional<Special> Decoder::dynamicSpecial(const Operand &operand) const {
  if (operand.kind == Operand::Kind::Name)
    if (const ptx::SpecialRow *row = ptx::findSpecialRegister(operand.name))
      if (row->special >= Special::Clock)
        return row->special;
  return std::nullopt;
}

void Decoder::branchTo(std::string_view label) {
  fixups.push_back({instruction().index, current->scope, label, current->line, false});
}

void Decoder::branchTable(std::string_view table) {
  fixups.push_back({instruction().index, current->scope, table, current->line, true});
}

MemoryAccess &Decoder::addAccess() {
  instruction().target = static_cast<std::uint32_t>(program.accesses.size());
  MemoryAccess &access = program.accesses.emplace_back();
  access.instruction = instruction().index;
  return access;
}

// ---- names, registers and literals ----

Decoder::Found Decoder::find(std::string_view name) const {
  // "%r12" is either a register of that name or the 13th of a range "%r<20>".
  std::size_t digits = 0;
  while (digits < name.size() && name[name.size() - 1 - digits] >= '0' &&
         name[name.size() - 1 - digits] <= '9')
    ++digits;
  for (std::uint32_t scope = current->scope;; scope = entry.scopes[scope].parent) {
    const auto &variables = entry.scopes[scope].variables;
    if (auto exact = variables.find(name); exact != variables.end())
      if (entry.variables[exact->second].count == 0)
        return {&entry.variables[exact->second], {exact->second, 0}};
    std::uint64_t index = 0, scale = 1;
    for (std::size_t taken = 1; taken <= digits && taken <= 9; ++taken, scale *= 10) {
      auto digit = static_cast<std::uint64_t>(name[name.size() - taken] - '0');
      index += digit * scale;
      if (digit == 0 && taken > 1 && taken == digits)
        break; // a leading zero names no register of a range
      auto range = variables.find(name.substr(0, name.size() - taken));
      if (range != variables.end() && index < entry.variables[range->second].count)
        return {&entry.variables[range->second], {range->second, index}};
    }
    if (scope == 0)
      return {};
  }
}

void Decoder::appendSlot(Slot slot, unsigned width) {
  program.slots.push_back(slot);
  program.slotBits.push_back(static_cast<std::uint8_t>(width));
}

Slot Decoder::allocate(unsigned width) {
  // Predicates take 16 bytes so that what follows stays aligned to them; vectors of 32 lanes are
  // aligned to 64 bytes.
  std::size_t words = width == 1 ? 4 : width <= 32 ? 32 : width <= 64 ? 64 : 128;
  std::size_t start = program.registerImage.size();
  if (width != 1)
    start = alignTo(start, 16);
  program.registerImage.resize(start + words, ~0u);
  return static_cast<Slot>(start * sizeof(std::uint32_t));
}

Slot Decoder::constantSlot(std::uint64_t bits, unsigned width) {
  if (width <= 32 && width > 1)
    bits &= width == 32 ? 0xffffffffu : (std::uint64_t{1} << width) - 1;
  unsigned storage = width == 1 ? 1 : width <= 32 ? 32 : 64;
  auto [entryFound, isNew] = constants.emplace(std::pair(bits, storage), 0);
  if (!isNew)
    return entryFound->second;
  Slot slot = allocate(storage);
  entryFound->second = slot;
  std::uint32_t *words = program.registerImage.data() + slot / sizeof(std::uint32_t);
  if (storage == 1)
    *words = bits & 1 ? allLanes : 0;
  else if (storage == 32)
    std::fill_n(words, lanesPerWarp, static_cast<std::uint32_t>(bits));
  else
    for (unsigned lane = 0; lane < lanesPerWarp; ++lane)
      std::memcpy(words + 2 * lane, &bits, sizeof bits);
  return slot;
}

Slot Decoder::registerSlot(const Found &found) {
  auto [entryFound, isNew] = registers.emplace(found.key, 0);
  if (isNew)
    entryFound->second = allocate(bitWidth(found.variable->type));
  return entryFound->second;
}

std::optional<std::uint64_t> Decoder::symbolAddress(std::string_view name) const {
  if (Found found = find(name); found.variable) {
    if (found.variable->space == Space::Parameter)
      unknown("parameter of a call");
    if (found.variable->space != Space::Register)
      return addresses[found.key.variable];
    return std::nullopt;
  }
  for (const Parameter &parameter : program.parameters)
    if (parameter.name == name)
      return parameter.offset;
  for (std::size_t i = 0; i < module.variables.size(); ++i)
    if (module.variables[i].name == name) {
      if (auto placed = placement.find(name); placed != placement.end())
        return placed->second;
      return moduleAddresses[i];
    }
  return std::nullopt;
}

std::uint64_t Decoder::literal(const Operand &operand, Type type) const {
  bool wide = bitWidth(type) == 64;
  if (operand.kind == Operand::Kind::Integer) {
    if (type == Type::F32 || type == Type::F64)
      fail("expected a floating-point literal such as 0f3F800000 for ." + std::string(name(type)) +
           ", found the integer " + shown(operand));
    return type == Type::Pred ? operand.bits != 0 : operand.bits;
  }
  bool takesBits = operand.kind == Operand::Kind::Float32 ? bitWidth(type) >= 32 : wide;
  if (type != Type::F32 && (!takesBits || type == Type::F16x2 || type == Type::BF16x2))
    fail("a floating-point literal does not fit ." + std::string(name(type)) +
         ": write its bits as 0x…");
  if (operand.kind == Operand::Kind::Float32)
    return wide ? std::bit_cast<std::uint64_t>(static_cast<double>(
                      std::bit_cast<float>(static_cast<std::uint32_t>(operand.bits))))
                : operand.bits;
  return wide ? operand.bits
              : std::bit_cast<std::uint32_t>(
                    static_cast<float>(std::bit_cast<double>(operand.bits)));
}

unsigned Decoder::readSource(const Operand &operand, Type type, bool exact) {
  unsigned width = bitWidth(type);
  if (operand.negated && type != Type::Pred)
    fail("'!' stands only before a predicate, found " + shown(operand));
  switch (operand.kind) {
  case Operand::Kind::Integer:
  case Operand::Kind::Float32:
  case Operand::Kind::Float64:
    appendSlot(constantSlot(literal(operand, type), width), width);
    return width;
  case Operand::Kind::Name:
    break;
  default:
    fail("expected a register or a literal of type ." + std::string(name(type)) + ", found " +
         shown(operand));
  }
  if (Found found = find(operand.name);
      found.variable && found.variable->space == Space::Register) {
    unsigned actual = bitWidth(found.variable->type);
    bool fits = exact || width == 1 ? actual == width : actual >= width && actual != 1;
    if (!fits)
      fail("'" + std::string(current->opcode) + "' reads ." + std::string(name(type)) + ", but '" +
           std::string(operand.name) + "' is " + bitsText(actual));
    appendSlot(registerSlot(found), actual);
    return actual;
  }
  if (operand.name == "WARP_SZ" && width >= 16) {
    appendSlot(constantSlot(lanesPerWarp, width), width);
    return width;
  }
  if (const ptx::SpecialRow *row = ptx::findSpecialRegister(operand.name)) {
    std::string opcodeName = "'" + std::string(current->opcode) + "'";
    std::string registerName = "'" + std::string(operand.name) + "'";
    if ((opcode.root != "mov" && opcode.root != "cvt") || row->special >= Special::Clock)
      fail(opcodeName + " cannot read " + registerName + ": copy it with mov first");
    if (row->width != width && !(row->width == 32 && width == 16) && exact)
      fail(opcodeName + " reads ." + std::string(name(type)) + ", but " + registerName + " is " +
           bitsText(row->width));
    auto [slot, isNew] = specials.emplace(row->special, 0);
    if (isNew) {
      slot->second = allocate(row->width);
      program.specials.push_back({row->special, slot->second});
    }
    appendSlot(slot->second, row->width);
    return row->width;
  }
  std::optional<std::uint64_t> address = symbolAddress(operand.name);
  if (!address)
    fail("'" + std::string(operand.name) + "' is not declared");
  if (width != 32 && width != 64)
    fail("'" + std::string(operand.name) + "' is an address and does not fit ." +
         std::string(name(type)));
  appendSlot(constantSlot(*address + static_cast<std::uint64_t>(operand.offset), width), width);
  return width;
}

unsigned Decoder::writeRegister(const Operand &operand, Type type, bool exact) {
  unsigned width = bitWidth(type);
  if (operand.kind == Operand::Kind::Sink) {
    auto [slot, isNew] = sinks.emplace(width == 1 ? 1 : width <= 32 ? 32 : width, 0);
    if (isNew)
      slot->second = allocate(slot->first);
    appendSlot(slot->second, slot->first);
    ++program.operands.back().destinations;
    return width == 1 ? 1 : slot->first;
  }
  if (operand.kind != Operand::Kind::Name || operand.negated)
    fail("expected a register to write ." + std::string(name(type)) + " to, found " +
         shown(operand));
  Found found = find(operand.name);
  if (!found.variable || found.variable->space != Space::Register) {
    bool exists = ptx::findSpecialRegister(operand.name) || symbolAddress(operand.name);
    fail("'" + std::string(operand.name) + (exists ? "' cannot be written" : "' is not declared"));
  }
  unsigned actual = bitWidth(found.variable->type);
  bool fits = exact || width == 1 ? actual == width : actual >= width && actual != 1;
  if (!fits)
    fail("'" + std::string(current->opcode) + "' writes ." + std::string(name(type)) + ", but '" +
         std::string(operand.name) + "' is " + bitsText(actual));
  appendSlot(registerSlot(found), actual);
  ++program.operands.back().destinations;
  return actual;
}

std::string Decoder::shown(const Operand &operand) const {
  switch (operand.kind) {
  case Operand::Kind::Name:
    return "'" + std::string(operand.negated ? "!" : "") + std::string(operand.name) + "'";
  case Operand::Kind::Integer:
    return "'" + std::to_string(static_cast<std::int64_t>(operand.bits)) + "'";
  case Operand::Kind::Float32:
  case Operand::Kind::Float64:
    return "a floating-point literal";
  case Operand::Kind::Sink:
    return "'_'";
  case Operand::Kind::Vector:
    return "a vector of " + std::to_string(operand.parts.size());
  case Operand::Kind::Address:
    return "an address in brackets";
  case Operand::Kind::Pair:
    return "a pair 'a|b'";
  case Operand::Kind::List:
    return "a list in parentheses";
  }
  return "an operand";
}

Result<Program> decode(const ptx::Module &module, const ptx::Function &entry,
                       const Placement &placement) {
  try {
    return Decoder(module, entry, placement).run();
  } catch (const SyntaxError &error) {
    return Failure{"PTX line " + std::to_string(error.line) + ": " + error.text};
  }
}

} // namespace trowel::sim
