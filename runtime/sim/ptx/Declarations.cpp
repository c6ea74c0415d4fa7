// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads what PTX declares: variables, parameters and registers.
//
//   .global .align 4 .b8 table[8] = {1, 2, 3};        a variable with its bytes
//   .global .align 8 .u64 p = generic(table);          and one with another's address
//   .reg .b32 %r<29>;                                  29 registers by one name
//   .param .u64 .ptr .global .align 16 k_param_0       a pointer parameter
//
// Initial values are stored as the bytes that memory will hold, little-endian; addresses are left
// as relocations because only the device knows where a variable comes to lie. Sizes are checked
// against 2^40 bytes here, so that later sums of sizes cannot wrap.

#include "runtime/sim/ptx/Declarations.h"

#include <cstring>

namespace trowel::sim::ptx {

namespace {

constexpr std::uint64_t maximumBytes = std::uint64_t{1} << 40;

Type parseTypeDirective(TokenStream &tokens) {
  if (tokens.is(TokenKind::Directive))
    if (std::optional<Type> type = parseType(tokens.peek().text.substr(1))) {
      tokens.take();
      return *type;
    }
  tokens.failExpected("a type such as .b32");
}

std::uint64_t parseAlignment(TokenStream &tokens) {
  std::uint32_t line = tokens.peek().line;
  std::uint64_t alignment = parseCount(tokens, "an alignment", 1 << 20);
  if (alignment == 0 || (alignment & (alignment - 1)) != 0)
    throw SyntaxError{line,
                      "the alignment " + std::to_string(alignment) + " is not a power of two"};
  return alignment;
}

/// "[4][8]" or "[]"; the number of elements, 0 where an extent is left open.
std::uint64_t parseExtents(TokenStream &tokens, unsigned elementBytes) {
  std::uint64_t elements = 1;
  bool open = false;
  while (tokens.takeIf('[')) {
    if (tokens.takeIf(']')) {
      open = true;
      continue;
    }
    std::uint32_t line = tokens.peek().line;
    std::uint64_t extent = parseCount(tokens, "an array extent", maximumBytes);
    if (extent != 0 && elements > maximumBytes / extent / elementBytes)
      throw SyntaxError{line, "the array is larger than 2^40 bytes"};
    elements *= extent;
    tokens.expect(']');
  }
  return open ? 0 : elements;
}

class Initializer {
public:
  Initializer(TokenStream &tokens, Variable &variable)
      : tokens(tokens), variable(variable), elementBytes((bitWidth(variable.type) + 7) / 8) {}

  void parse() {
    if (!tokens.is('{')) {
      element();
      return;
    }
    list(0);
  }

private:
  TokenStream &tokens;
  Variable &variable;
  unsigned elementBytes;

  void list(int depth) {
    if (depth > 8)
      tokens.failExpected("a value (initial values nest at most 8 deep)");
    tokens.expect('{');
    if (tokens.takeIf('}'))
      return;
    do {
      if (tokens.is('{'))
        list(depth + 1);
      else
        element();
    } while (tokens.takeIf(','));
    tokens.expect('}');
  }

  void element() {
    if (tokens.is(TokenKind::Word)) {
      symbol();
      return;
    }
    if (tokens.is(TokenKind::Float32) || tokens.is(TokenKind::Float64)) {
      const Token &literal = tokens.take();
      append(convert(literal));
      return;
    }
    append(parseInteger(tokens, "an initial value"));
  }

  /// "1.5" for an .f32 variable is rounded to it.
  std::uint64_t convert(const Token &literal) const {
    if (literal.kind == TokenKind::Float32 || variable.type != Type::F32)
      return literal.bits;
    double wide;
    std::memcpy(&wide, &literal.bits, sizeof wide);
    auto narrow = static_cast<float>(wide);
    std::uint32_t bits;
    std::memcpy(&bits, &narrow, sizeof bits);
    return bits;
  }

  void symbol() {
    Relocation relocation;
    relocation.at = variable.initial.size();
    relocation.bytes = elementBytes;
    bool generic = tokens.peek().text == "generic" && tokens.is('(', 1);
    if (generic) {
      tokens.take();
      tokens.expect('(');
    }
    relocation.symbol = tokens.expect(TokenKind::Word, "the name of a variable").text;
    if (generic)
      tokens.expect(')');
    if (tokens.takeIf('+'))
      relocation.offset = static_cast<std::int64_t>(parseInteger(tokens, "an offset"));
    variable.relocations.push_back(relocation);
    append(0);
  }

  void append(std::uint64_t value) {
    if (variable.bytes != 0 && variable.initial.size() + elementBytes > variable.bytes)
      throw SyntaxError{variable.line, "'" + std::string(variable.name) + "' has " +
                                           std::to_string(variable.bytes) +
                                           " bytes and more initial values than fit"};
    for (unsigned byte = 0; byte < elementBytes; ++byte)
      variable.initial.push_back(byte < 8 ? static_cast<std::uint8_t>(value >> (8 * byte)) : 0);
  }
};

} // namespace

std::uint64_t parseInteger(TokenStream &tokens, std::string_view what) {
  bool negative = tokens.takeIf('-');
  std::uint64_t value = tokens.expect(TokenKind::Integer, what).bits;
  return negative ? 0 - value : value;
}

std::uint64_t parseCount(TokenStream &tokens, std::string_view what, std::uint64_t limit) {
  const Token &token = tokens.expect(TokenKind::Integer, what);
  if (token.bits > limit)
    throw SyntaxError{token.line, std::string(what) + " of " + std::to_string(token.bits) +
                                      " is more than the limit of " + std::to_string(limit)};
  return token.bits;
}

namespace {
struct SpaceRow {
  std::string_view directive;
  Space space;
};
constexpr SpaceRow spaceRows[] = {
    {".reg", Space::Register},  {".global", Space::Global}, {".const", Space::Constant},
    {".shared", Space::Shared}, {".local", Space::Local},   {".param", Space::Parameter},
};
} // namespace

std::optional<Space> spaceOf(const Token &token) {
  if (token.kind == TokenKind::Directive)
    for (const SpaceRow &row : spaceRows)
      if (row.directive == token.text)
        return row.space;
  return std::nullopt;
}

std::string_view name(Space space) {
  for (const SpaceRow &row : spaceRows)
    if (row.space == space)
      return row.directive.substr(1);
  return "generic";
}

std::vector<Variable> parseVariables(TokenStream &tokens, Space space, bool isExtern) {
  Variable common;
  common.space = space;
  common.isExtern = isExtern;
  std::uint64_t alignment = 0;
  if (tokens.takeIf(".align"))
    alignment = parseAlignment(tokens);
  common.type = parseTypeDirective(tokens);
  unsigned elementBytes = (bitWidth(common.type) + 7) / 8;
  common.alignment = alignment ? alignment : elementBytes;
  std::vector<Variable> variables;
  do {
    Variable variable = common;
    const Token &name = tokens.expect(TokenKind::Word, "the name of a variable");
    variable.name = name.text;
    variable.line = name.line;
    variable.bytes = parseExtents(tokens, elementBytes) * elementBytes;
    if (tokens.takeIf('=')) {
      Initializer(tokens, variable).parse();
      if (variable.bytes == 0)
        variable.bytes = variable.initial.size();
    }
    variables.push_back(std::move(variable));
  } while (tokens.takeIf(','));
  tokens.expect(';');
  return variables;
}

std::vector<Variable> parseRegisters(TokenStream &tokens) {
  Variable common;
  common.space = Space::Register;
  common.type = parseTypeDirective(tokens);
  std::vector<Variable> registers;
  do {
    Variable variable = common;
    const Token &name = tokens.expect(TokenKind::Word, "the name of a register");
    variable.name = name.text;
    variable.line = name.line;
    if (tokens.takeIf('<')) {
      variable.count = parseCount(tokens, "a number of registers", 1u << 24);
      tokens.expect('>');
      if (variable.count == 0)
        throw SyntaxError{name.line,
                          "expected at least one register in '" + std::string(name.text) + "<0>'"};
    }
    registers.push_back(variable);
  } while (tokens.takeIf(','));
  tokens.expect(';');
  return registers;
}

std::vector<Variable> parseParameters(TokenStream &tokens) {
  std::vector<Variable> parameters;
  tokens.expect('(');
  if (tokens.takeIf(')'))
    return parameters;
  do {
    Variable parameter;
    parameter.space = Space::Parameter;
    if (!tokens.takeIf(".param") && !tokens.takeIf(".reg"))
      tokens.failExpected("'.param' or ')'");
    std::uint64_t alignment = 0;
    if (tokens.takeIf(".align"))
      alignment = parseAlignment(tokens);
    parameter.type = parseTypeDirective(tokens);
    if (tokens.takeIf(".ptr")) {
      if (spaceOf(tokens.peek()))
        tokens.take();
      if (tokens.takeIf(".align"))
        parseAlignment(tokens); // of what it points to
    }
    const Token &name = tokens.expect(TokenKind::Word, "the name of a parameter");
    parameter.name = name.text;
    parameter.line = name.line;
    unsigned elementBytes = (bitWidth(parameter.type) + 7) / 8;
    parameter.alignment = alignment ? alignment : elementBytes;
    parameter.bytes = parseExtents(tokens, elementBytes) * elementBytes;
    parameters.push_back(std::move(parameter));
  } while (tokens.takeIf(','));
  tokens.expect(')');
  return parameters;
}

} // namespace trowel::sim::ptx
