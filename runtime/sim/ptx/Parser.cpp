// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a PTX text into its syntax.
//
// The grammar is LLVM's and that of hand-written inline assembly: header, variables, functions with
// declarations, labels, instructions and nested blocks. An instruction is an opcode word and a list
// of operands of a few shapes; no rule here knows any opcode, so an instruction that the device
// lacks still parses, and only becomes an error when it is executed.
//
// Names are not resolved while reading: labels may follow their use, and inline assembly repeats
// the same label in each of its blocks. Each statement remembers its scope; the decoder looks names
// up from the innermost one outwards. Debug sections are skipped, ".loc" and ".file" are kept.
//
// Nothing recurses without a bound: blocks are kept on an explicit stack, operands nest 4 deep. A
// mistake throws SyntaxError, which `parse` turns into "PTX line N: expected …, found …".

#include "runtime/sim/ptx/Parser.h"

#include "runtime/sim/ptx/Declarations.h"

#include <utility>

namespace trowel::sim::ptx {

namespace {

class Parser {
public:
  explicit Parser(Module &module) : module(module), tokens(tokenize(*module.text)) {}

  void run() {
    header();
    while (!tokens.atEnd())
      item();
  }

private:
  Module &module;
  TokenStream tokens;
  // The function being read.
  Function *function = nullptr;
  std::uint32_t scope = 0;
  std::uint32_t location = 0;

  // ---- module level ----

  void header() {
    if (!tokens.takeIf(".version"))
      tokens.failExpected("'.version'");
    version();
    if (!tokens.takeIf(".target"))
      tokens.failExpected("'.target'");
    module.target = tokens.expect(TokenKind::Word, "a target such as sm_90a").text;
    while (tokens.takeIf(','))
      tokens.expect(TokenKind::Word, "a target option such as debug");
    if (tokens.takeIf(".address_size")) {
      const Token &size = tokens.expect(TokenKind::Integer, "an address size");
      if (size.bits != 64)
        throw SyntaxError{size.line,
                          "expected an address size of 64, found '" + std::string(size.text) + "'"};
    }
  }

  void version() {
    const Token &token = tokens.peek();
    std::size_t dot = token.text.find('.');
    if (token.kind != TokenKind::Float64 || dot == 0 || dot == std::string_view::npos || dot > 3 ||
        token.text.size() > 8)
      tokens.failExpected("a version such as 8.0");
    for (char digit : token.text.substr(0, dot))
      module.versionMajor = module.versionMajor * 10 + static_cast<unsigned>(digit - '0');
    for (char digit : token.text.substr(dot + 1))
      module.versionMinor = module.versionMinor * 10 + static_cast<unsigned>(digit - '0');
    tokens.take();
  }

  void item() {
    if (tokens.takeIf(';'))
      return;
    if (takeFileOrSectionOrPragma())
      return;
    bool isExtern = false;
    while (tokens.isDirective(".visible") || tokens.isDirective(".extern") ||
           tokens.isDirective(".weak") || tokens.isDirective(".common"))
      isExtern |= tokens.take().text == ".extern";
    if (tokens.takeIf(".entry")) {
      parseFunction(true);
    } else if (tokens.takeIf(".func")) {
      parseFunction(false);
    } else if (std::optional<Space> space = spaceOf(tokens.peek());
               space && *space != Space::Register && *space != Space::Parameter) {
      tokens.take();
      for (Variable &variable : parseVariables(tokens, *space, isExtern))
        addModuleVariable(std::move(variable));
    } else {
      tokens.failExpected("a variable, a function or an entry");
    }
  }

  void addModuleVariable(Variable variable) {
    for (Variable &other : module.variables)
      if (other.name == variable.name) {
        if (other.isExtern)
          other = std::move(variable);
        else if (!variable.isExtern)
          throw SyntaxError{variable.line,
                            "'" + std::string(variable.name) +
                                "' is declared a second time; the first is in line " +
                                std::to_string(other.line)};
        return;
      }
    module.variables.push_back(std::move(variable));
  }

  bool takeFileOrSectionOrPragma() {
    if (tokens.takeIf(".file")) {
      auto index = static_cast<std::uint32_t>(parseCount(tokens, "a file number", 1u << 24));
      module.files[index] = tokens.expect(TokenKind::String, "a file name in quotes").text;
      while (tokens.takeIf(','))
        parseInteger(tokens, "a time or size of the file");
      return true;
    }
    if (tokens.takeIf(".section")) {
      tokens.expect(TokenKind::Directive, "a section such as .debug_str");
      std::uint32_t opened = tokens.peek().line;
      tokens.expect('{');
      while (!tokens.takeIf('}')) {
        if (tokens.atEnd())
          throw SyntaxError{opened, "this section is never closed: expected '}', found the end of "
                                    "the text"};
        tokens.take();
      }
      return true;
    }
    if (tokens.takeIf(".pragma")) {
      do
        tokens.expect(TokenKind::String, "a pragma in quotes");
      while (tokens.takeIf(','));
      tokens.expect(';');
      return true;
    }
    return false;
  }

  // ---- functions ----

  void parseFunction(bool isEntry) {
    Function parsed;
    parsed.isEntry = isEntry;
    if (!isEntry && tokens.is('('))
      parsed.results = parseParameters(tokens);
    const Token &name = tokens.expect(TokenKind::Word, "the name of a function");
    parsed.name = name.text;
    parsed.line = name.line;
    if (tokens.is('('))
      parsed.parameters = parseParameters(tokens);
    for (const Function &other : module.functions)
      if (other.name == parsed.name && other.hasBody && isEntry)
        throw SyntaxError{name.line, "the entry '" + std::string(name.text) +
                                         "' is defined a second time; the first is in line " +
                                         std::to_string(other.line)};
    directives(parsed);
    parsed.scopes.emplace_back();
    parsed.locations.emplace_back();
    if (tokens.is('{')) {
      parsed.hasBody = true;
      function = &parsed;
      body();
      function = nullptr;
    } else if (isEntry) {
      tokens.failExpected("the entry's body, '{'");
    } else {
      tokens.expect(';');
    }
    module.functions.push_back(std::move(parsed));
  }

  void directives(Function &parsed) {
    while (tokens.is(TokenKind::Directive)) {
      std::string_view directive = tokens.take().text;
      if (directive == ".reqntid")
        extents(parsed.requiredThreads);
      else if (directive == ".maxntid")
        extents(parsed.maximumThreads);
      else if (directive == ".reqnctapercluster")
        extents(parsed.requiredCluster);
      else if (directive == ".minnctapersm" || directive == ".maxnctapersm" ||
               directive == ".maxnreg" || directive == ".maxclusterrank")
        parseCount(tokens, "a number", 1u << 30);
      else if (directive == ".pragma")
        tokens.expect(TokenKind::String, "a pragma in quotes"), tokens.takeIf(';');
      else if (directive != ".noreturn" && directive != ".explicitcluster" &&
               directive != ".blocksareclusters")
        throw SyntaxError{tokens.peek().line, "expected a performance directive or '{', found '" +
                                                  std::string(directive) + "'"};
    }
  }

  void extents(std::array<std::uint32_t, 3> &result) {
    result = {1, 1, 1};
    for (std::uint32_t &extent : result) {
      extent = static_cast<std::uint32_t>(parseCount(tokens, "a number of threads", 1u << 20));
      if (!tokens.takeIf(','))
        break;
    }
  }

  void body() {
    std::uint32_t opened = tokens.peek().line;
    tokens.expect('{');
    scope = 0;
    location = 0;
    std::vector<std::uint32_t> openLines{opened};
    while (!openLines.empty()) {
      if (tokens.atEnd())
        throw SyntaxError{tokens.peek().line, "expected '}' for the '{' of line " +
                                                  std::to_string(openLines.back()) +
                                                  ", found the end of the text"};
      if (tokens.is('{')) {
        openLines.push_back(tokens.take().line);
        Scope inner;
        inner.parent = scope;
        scope = static_cast<std::uint32_t>(function->scopes.size());
        function->scopes.push_back(std::move(inner));
      } else if (tokens.takeIf('}')) {
        openLines.pop_back();
        scope = function->scopes[scope].parent;
      } else {
        bodyItem();
      }
    }
  }

  void bodyItem() {
    if (tokens.takeIf(';') || takeFileOrSectionOrPragma())
      return;
    if (tokens.takeIf(".loc")) {
      locationDirective();
      return;
    }
    bool isExtern = tokens.takeIf(".extern");
    if (std::optional<Space> space = spaceOf(tokens.peek())) {
      tokens.take();
      std::vector<Variable> declared = *space == Space::Register
                                           ? parseRegisters(tokens)
                                           : parseVariables(tokens, *space, isExtern);
      for (Variable &variable : declared)
        addVariable(std::move(variable));
      return;
    }
    if (tokens.is(TokenKind::Word) && tokens.is(':', 1)) {
      label();
      return;
    }
    instruction();
  }

  void addVariable(Variable variable) {
    auto index = static_cast<std::uint32_t>(function->variables.size());
    auto [entry, isNew] = function->scopes[scope].variables.emplace(variable.name, index);
    if (!isNew)
      throw SyntaxError{variable.line, "'" + std::string(variable.name) +
                                           "' is declared a second time; the first is in line " +
                                           std::to_string(function->variables[entry->second].line)};
    function->variables.push_back(std::move(variable));
  }

  void locationDirective() {
    Location parsed;
    parsed.file = static_cast<std::uint32_t>(parseCount(tokens, "a file number", 1u << 24));
    parsed.line = static_cast<std::uint32_t>(parseCount(tokens, "a line", 1u << 30));
    parseInteger(tokens, "a column");
    while (tokens.takeIf(',')) { // "function_name $x" and "inlined_at 1 2 3"
      std::string_view word = tokens.expect(TokenKind::Word, "function_name or inlined_at").text;
      if (word == "function_name") {
        tokens.expect(TokenKind::Word, "a label");
        if (tokens.takeIf('+'))
          parseInteger(tokens, "an offset");
      } else if (word == "inlined_at") {
        for (int field = 0; field < 3; ++field)
          parseInteger(tokens, "a file, line and column");
      }
    }
    location = static_cast<std::uint32_t>(function->locations.size());
    function->locations.push_back(parsed);
  }

  void label() {
    const Token &name = tokens.take();
    tokens.expect(':');
    Scope &current = function->scopes[scope];
    if (tokens.takeIf(".branchtargets")) {
      std::vector<std::string_view> targets;
      do
        targets.push_back(tokens.expect(TokenKind::Word, "a label").text);
      while (tokens.takeIf(','));
      tokens.expect(';');
      current.branchTargets[name.text] = std::move(targets);
      return;
    }
    if (tokens.takeIf(".callprototype") || tokens.takeIf(".calltargets")) {
      while (!tokens.takeIf(';')) {
        if (tokens.atEnd())
          tokens.failExpected("';'");
        tokens.take();
      }
      return;
    }
    auto next = static_cast<std::uint32_t>(function->statements.size());
    if (!current.labels.emplace(name.text, next).second)
      throw SyntaxError{name.line, "the label '" + std::string(name.text) +
                                       "' is set a second time in one block"};
  }

  void instruction() {
    Statement statement;
    statement.scope = scope;
    statement.location = location;
    if (tokens.takeIf('@')) {
      statement.guardNegated = tokens.takeIf('!');
      statement.guard = tokens.expect(TokenKind::Word, "a predicate").text;
    }
    const Token &opcode = tokens.expect(TokenKind::Word, "an instruction, a declaration or '}'");
    statement.opcode = opcode.text;
    statement.line = opcode.line;
    if (tokens.is('}') || tokens.atEnd())
      tokens.failExpected("';'");
    if (!tokens.is(';')) {
      do
        statement.operands.push_back(operand(0));
      while (tokens.takeIf(','));
    }
    if (!tokens.is(';'))
      tokens.failExpected("',' or ';'");
    tokens.take();
    function->statements.push_back(std::move(statement));
  }

  // ---- operands ----

  Operand operand(int depth) {
    if (depth > 4)
      tokens.failExpected("an operand (operands nest at most 4 deep)");
    if (tokens.is('{'))
      return sequence(Operand::Kind::Vector, '{', '}', depth);
    if (tokens.is('('))
      return sequence(Operand::Kind::List, '(', ')', depth);
    if (tokens.is('['))
      return address(depth);
    Operand result = simple();
    if (tokens.takeIf('|')) {
      Operand pair;
      pair.kind = Operand::Kind::Pair;
      pair.parts.push_back(std::move(result));
      pair.parts.push_back(simple());
      return pair;
    }
    return result;
  }

  Operand simple() {
    Operand result;
    if (tokens.is('!')) {
      tokens.take();
      result.negated = true;
      result.name = tokens.expect(TokenKind::Word, "a predicate").text;
      return result;
    }
    if (tokens.is(TokenKind::Word)) {
      result.name = tokens.take().text;
      if (result.name == "_")
        result.kind = Operand::Kind::Sink;
      else
        result.offset = plusOffset();
      return result;
    }
    if (tokens.is(TokenKind::Float32) || tokens.is(TokenKind::Float64)) {
      const Token &literal = tokens.take();
      result.kind =
          literal.kind == TokenKind::Float32 ? Operand::Kind::Float32 : Operand::Kind::Float64;
      result.bits = literal.bits;
      return result;
    }
    result.kind = Operand::Kind::Integer;
    result.bits = parseInteger(tokens, "an operand");
    return result;
  }

  /// "+16", "+-16" or "-16" behind a name.
  std::int64_t plusOffset() {
    if (tokens.takeIf('+') || (tokens.is('-') && tokens.is(TokenKind::Integer, 1)))
      return static_cast<std::int64_t>(parseInteger(tokens, "an offset"));
    return 0;
  }

  Operand sequence(Operand::Kind kind, char open, char close, int depth) {
    Operand result;
    result.kind = kind;
    tokens.expect(open);
    if (tokens.takeIf(close))
      return result;
    do
      result.parts.push_back(operand(depth + 1));
    while (tokens.takeIf(','));
    if (!tokens.is(close))
      tokens.failExpected(std::string("',' or '") + close + "'");
    tokens.take();
    return result;
  }

  Operand address(int depth) {
    tokens.expect('[');
    Operand result;
    result.kind = Operand::Kind::Address;
    if (tokens.is(TokenKind::Word)) {
      result.name = tokens.take().text;
      result.offset = plusOffset();
    } else {
      result.offset = static_cast<std::int64_t>(parseInteger(tokens, "an address"));
    }
    while (tokens.takeIf(','))
      result.parts.push_back(operand(depth + 1));
    if (!tokens.is(']'))
      tokens.failExpected("']'");
    tokens.take();
    return result;
  }
};

} // namespace

const Function *Module::findEntry(std::string_view name) const {
  for (const Function &function : functions)
    if (function.isEntry && function.name == name)
      return &function;
  return nullptr;
}

const Variable *Module::findVariable(std::string_view name) const {
  for (const Variable &variable : variables)
    if (variable.name == name)
      return &variable;
  return nullptr;
}

Result<Module> parse(std::string text) {
  Module module;
  module.text = std::make_shared<const std::string>(std::move(text));
  try {
    Parser(module).run();
  } catch (const SyntaxError &error) {
    return Failure{"PTX line " + std::to_string(error.line) + ": " + error.text};
  }
  return module;
}

} // namespace trowel::sim::ptx
