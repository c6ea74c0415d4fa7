// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes a program as the C++ that a user would have written, for reports and for the test that a
// failure becomes. Buffers are x0, x1 … in the order of the parameters, arguments s0 …, variables
// v0 …; what the program was launched on stands above it as a comment.
#include "tests/support/programs/Elements.h"

#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

namespace trowel::programs {

namespace {

// In the order of ElementType.
constexpr const char *typeNames[] = {"bool",  "int8",   "uint8", "int16",  "uint16",
                                     "int32", "uint32", "int64", "uint64", "f16",
                                     "bf16",  "float",  "double"};
const char *nameOf(ElementType type) { return typeNames[static_cast<int>(type)]; }

// From Op::Negate on: an operator between or before its operands, or a function.
struct Spelling {
  const char *word;
  bool isFunction;
};
constexpr Spelling spellings[] = {
    {"-", false},   {"~", false},  {"!", false},   {"abs", true},  {"sqrt", true}, {"exp", true},
    {"tanh", true}, {"+", false},  {"-", false},   {"*", false},   {"/", false},   {"%", false},
    {"cdiv", true}, {"&", false},  {"|", false},   {"^", false},   {"<<", false},  {">>", false},
    {"min", true},  {"max", true}, {"fmin", true}, {"fmax", true}, {"==", false},  {"!=", false},
    {"<", false},   {"<=", false}, {">", false},   {">=", false},  {"fma", true},  {"where", true}};
static_assert(std::size(spellings) ==
              static_cast<int>(Op::Where) - static_cast<int>(Op::Negate) + 1);

class Printer {
public:
  explicit Printer(const Program &program) : program(program) {}

  std::string print() {
    std::string parameters;
    auto add = [&](const std::string &parameter) {
      parameters += (parameters.empty() ? "" : ", ") + parameter;
    };
    for (std::size_t i = 0; i < program.buffers.size(); ++i)
      add(fmt::format("Ptr<{}{}> x{}", program.buffers[i].readOnly ? "const " : "",
                      nameOf(program.buffers[i].type), i));
    for (std::size_t i = 0; i < program.arguments.size(); ++i)
      add(program.arguments[i].isIndex
              ? fmt::format("Index s{}", i)
              : fmt::format("Scalar<{}> s{}", nameOf(program.arguments[i].type), i));
    std::string text = fmt::format("// seed {}; grid {}x{}x{}; {} elements a buffer, {} a slice\n",
                                   program.seed, program.grid[0], program.grid[1], program.grid[2],
                                   program.bufferElements(), program.slice());
    for (std::size_t i = 0; i < program.arguments.size(); ++i)
      text += fmt::format("// s{} = {}\n", i, spell(program.arguments[i]));
    for (std::size_t i = 0; i < program.buffers.size(); ++i)
      if (program.buffers[i].misalignment)
        text += fmt::format("// x{} lies {} elements behind an aligned address\n", i,
                            program.buffers[i].misalignment);
    text += fmt::format("auto k = kernel(\"random\", [=]({}) {{\n", parameters);
    text += printBlock(program.statements, "  ");
    std::string options;
    if (program.warps)
      options = fmt::format(", Options{{.warps = {}}}", program.warps);
    if (program.elementsPerThread)
      options = fmt::format(", Options{{.elementsPerThread = {}}}", program.elementsPerThread);
    return text + "}" + options + ");\n";
  }

private:
  static std::string spell(const ArgumentInfo &argument) {
    if (isFloating(argument.type))
      return fmt::format("{} (0x{:x})", numberOf(argument.type, argument.value), argument.value);
    return isUnsigned(argument.type) ? fmt::format("{}", argument.value)
                                     : fmt::format("{}", integerOf(argument.type, argument.value));
  }

  static std::string integer(std::int64_t value) {
    if (value == std::numeric_limits<std::int64_t>::min())
      return "INT64_MIN";
    bool isLong = value > std::numeric_limits<std::int32_t>::max() ||
                  value < -std::numeric_limits<std::int32_t>::max();
    return fmt::format("{}{}", value, isLong ? "ll" : "");
  }
  static std::string host(const HostNumber &number) {
    if (number.kind == HostNumber::Kind::Bool)
      return number.integer ? "true" : "false";
    if (number.kind == HostNumber::Kind::Integer)
      return integer(number.integer);
    std::string text = fmt::format("{}", number.fraction);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
  }

  std::string print(const Expr &expr) {
    auto operand = [&](int i) { return print(expr.operands[i]); };
    const char *type = nameOf(expr.type);
    switch (expr.op) {
    case Op::Number:
      return host(expr.number);
    case Op::Size:
      return integer(program.valueOf(expr.size));
    case Op::Argument:
      return fmt::format("s{}", expr.which);
    case Op::ProgramId:
      return fmt::format("programId({})", expr.which);
    case Op::ProgramCount:
      return fmt::format("programCount({})", expr.which);
    case Op::Variable:
      return fmt::format("v{}", expr.which);
    case Op::Coordinate: {
      std::string text = fmt::format("iota({})", program.extents[expr.which]);
      for (int axis = 0; axis < expr.which; ++axis)
        text = fmt::format("expand({}, Axis{{{}}})", text, axis + 1);
      return text;
    }
    case Op::Scalar:
      return fmt::format("Scalar<{}>({})", type, operand(0));
    case Op::Full:
      return fmt::format("full<{}>({{{}}}, {})", type, extents(expr.shape), operand(0));
    case Op::Expand:
      return fmt::format("expand({}, Axis{{0}})", operand(0));
    case Op::Cast:
      return fmt::format("cast<{}>({})", type, operand(0));
    case Op::Bitcast:
      return fmt::format("bitcast<{}>({})", type, operand(0));
    case Op::Load: {
      std::string text = "load(" + pointer(expr.operands, expr.offsets, expr.which);
      for (std::size_t i = static_cast<std::size_t>(expr.offsets); i < expr.operands.size(); ++i)
        text += ", " + print(expr.operands[i]);
      return text + ")";
    }
    default:
      break;
    }
    const Spelling &spelling = spellings[static_cast<int>(expr.op) - static_cast<int>(Op::Negate)];
    std::vector<std::string> operands;
    for (const Expr &operand : expr.operands)
      operands.push_back(print(operand));
    if (spelling.isFunction)
      return fmt::format("{}({})", spelling.word, fmt::join(operands, ", "));
    if (operands.size() == 1)
      return spelling.word + operands[0];
    return fmt::format("({} {} {})", operands[0], spelling.word, operands[1]);
  }

  std::string extents(TileShape shape) const {
    std::string text;
    for (int axis = shape.rank - 1; axis >= 0; --axis)
      text +=
          fmt::format("{}{}", shape.axes >> axis & 1 ? program.extents[axis] : 1, axis ? ", " : "");
    return text;
  }

  std::string pointer(const std::vector<Expr> &operands, int offsets, int buffer) {
    std::string text = fmt::format("x{}", buffer);
    for (int i = 0; i < offsets; ++i)
      text += " + " + print(operands[i]);
    return text;
  }

  std::string printBlock(const std::vector<Statement> &block, const std::string &indent) {
    std::string text;
    for (const Statement &statement : block)
      text += print(statement, indent);
    return text;
  }

  std::string print(const Statement &statement, const std::string &indent) {
    auto operand = [&](int i) { return print(statement.operands[i]); };
    auto inner = [&](const std::vector<Statement> &block) {
      return printBlock(block, indent + "  ");
    };
    switch (statement.kind) {
    case Statement::Kind::Let:
      return fmt::format("{}{}<{}> v{} = {};\n", indent,
                         statement.operands[0].shape.rank ? "Tile" : "Scalar",
                         nameOf(statement.operands[0].type), statement.variable, operand(0));
    case Statement::Kind::Assign:
      return fmt::format("{}v{} = {};\n", indent, statement.variable, operand(0));
    case Statement::Kind::Store: {
      std::string mask = statement.hasMask ? ", " + operand(statement.offsets) : "";
      return fmt::format("{}store({}, {}{});\n", indent,
                         pointer(statement.operands, statement.offsets, statement.buffer),
                         print(statement.operands.back()), mask);
    }
    case Statement::Kind::For:
      return fmt::format("{0}for (Index v{1} : range({2}, {3}, {4})) {{\n{5}{0}}}\n", indent,
                         statement.variable, operand(0), operand(1), operand(2),
                         inner(statement.body));
    case Statement::Kind::If: {
      std::string otherwise =
          statement.otherwise.empty()
              ? ""
              : fmt::format(".else_([&] {{\n{}{}}})", inner(statement.otherwise), indent);
      return fmt::format("{0}if_({1}, [&] {{\n{2}{0}}}){3};\n", indent, operand(0),
                         inner(statement.body), otherwise);
    }
    case Statement::Kind::While:
      return fmt::format("{0}while_([&] {{ return {1}; }}, [&] {{\n{2}{0}}});\n", indent,
                         operand(0), inner(statement.body));
    case Statement::Kind::ReturnIf:
      return fmt::format("{}returnIf({});\n", indent, operand(0));
    }
    std::abort();
  }

  const Program &program;
};

} // namespace

std::string sourceOf(const Program &program) { return Printer(program).print(); }

} // namespace trowel::programs
