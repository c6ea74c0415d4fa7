// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What PTX of a user may say.
//
// The text is put into a kernel as it is, once for each element, and the assembler that reads the
// kernel is far away: on a GPU it is the driver's. A text that is wrong by itself is its author's
// affair and is reported when the kernel is loaded. A text that reaches beyond itself would break
// the kernel instead: a closing brace too many, a register of the kernel's own, a jump out, an
// instruction for which all lanes of a warp must meet. So the rule is that a text is closed: every
// name in it is a placeholder, declared in it, or one of the few that mean the same everywhere.
//
// Not allowed besides: registers that tell threads apart, since an element does not know its
// thread, and a scalar is one number for all of them; and memory, since the order of a program's
// accesses is kept by loads and stores of the language alone.
//
// Which modifiers, types and operands an instruction takes is not looked at. The table of roots
// below names what is refused, so that instructions of years to come pass.

#include "dialect/PtxText.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace trowel::tile {

namespace {

struct Refusal {
  std::string text;
};

struct RefusedRoot {
  std::string_view root;
  std::string_view why;
};

constexpr std::string_view endsThread = "would end or leave the thread in the middle of its tiles";
constexpr std::string_view meetsLanes =
    "works on several threads, but the text is for one element, which any thread may hold";
constexpr std::string_view touchesMemory =
    "touches memory, whose order only load and store of the language keep: load the elements and "
    "hand them over";

constexpr RefusedRoot refusedRoots[] = {
    {"ret", endsThread},
    {"exit", endsThread},
    {"trap", endsThread},
    {"brkpt", endsThread},
    {"call", endsThread},
    {"brx", endsThread},
    {"bar", meetsLanes},
    {"barrier", meetsLanes},
    {"mbarrier", meetsLanes},
    {"shfl", meetsLanes},
    {"vote", meetsLanes},
    {"match", meetsLanes},
    {"activemask", meetsLanes},
    {"redux", meetsLanes},
    {"elect", meetsLanes},
    {"mma", meetsLanes},
    {"wmma", meetsLanes},
    {"wgmma", meetsLanes},
    {"tcgen05", meetsLanes},
    {"ldmatrix", meetsLanes},
    {"stmatrix", meetsLanes},
    {"movmatrix", meetsLanes},
    {"setmaxnreg", meetsLanes},
    {"griddepcontrol", meetsLanes},
    {"ld", touchesMemory},
    {"ldu", touchesMemory},
    {"st", touchesMemory},
    {"atom", touchesMemory},
    {"red", touchesMemory},
    {"cp", touchesMemory},
    {"prefetch", touchesMemory},
    {"prefetchu", touchesMemory},
    {"multimem", touchesMemory},
    {"tex", touchesMemory},
    {"tld4", touchesMemory},
    {"suld", touchesMemory},
    {"sust", touchesMemory},
    {"sured", touchesMemory},
    {"discard", touchesMemory},
    {"applypriority", touchesMemory},
    {"alloca", touchesMemory},
    {"stacksave", touchesMemory},
    {"stackrestore", touchesMemory},
    {"clusterlaunchcontrol", meetsLanes},
    {"fence", touchesMemory},
    {"membar", touchesMemory},
    {"mapa", touchesMemory},
    {"tensormap", touchesMemory},
    {"st_bulk", touchesMemory},
};

/// Their first operand is read; that of all others is what they write.
constexpr std::string_view rootsWithoutResult[] = {"bra", "nanosleep", "pmevent"};

/// What is the same in all threads of a program.
constexpr std::string_view allowedSpecials[] = {
    "%ctaid", "%nctaid", "%ntid", "%smid", "%nsmid", "%gridid", "%nwarpid",
};

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool isNameStart(char c) { return isLetter(c) || c == '_' || c == '%'; }
bool isNamePart(char c) { return isLetter(c) || isDigit(c) || c == '_'; }
bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// Blanks for comments, and one sentence for each character that no statement has.
std::string withoutComments(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    if (text.substr(at, 2) == "//") {
      at = std::min(text.find('\n', at), text.size());
    } else if (text.substr(at, 2) == "/*") {
      std::size_t end = text.find("*/", at + 2);
      if (end == std::string_view::npos)
        throw Refusal{"the text has a comment '/*' that is never closed"};
      at = end + 2;
      result += ' ';
    } else {
      char c = text[at++];
      if (isBlank(c))
        c = ' ';
      else if (c < ' ' || c > '~')
        throw Refusal{fmt::format("the text has the byte {:#04x}, which PTX does not know",
                                  static_cast<unsigned char>(c))};
      else if (c == '"' || c == '\\')
        throw Refusal{fmt::format("the text has a {}, which no instruction takes", c)};
      result += c;
    }
  }
  return result;
}

class Checker {
public:
  Checker(std::string_view source, unsigned operands)
      : text(withoutComments(source)), seen(operands + 1, false) {}

  std::string run() {
    split();
    for (const std::string &statement : statements)
      collectNames(statement);
    for (const std::string &statement : statements)
      check(statement);
    if (!hasInstruction)
      throw Refusal{"the text has no instruction"};
    for (std::size_t i = 0; i < seen.size(); ++i)
      if (!seen[i])
        throw Refusal{i == 0 ? "the text never names $0, the result"
                             : fmt::format("the text never names ${}, operand {} of {}", i, i,
                                           seen.size() - 1)};
    return clean;
  }

private:
  std::string text, clean;
  std::vector<bool> seen;
  std::vector<std::string> statements;
  std::vector<std::string> registers, labels;
  /// Ranges such as %t<4>: the name and how many there are.
  std::vector<std::pair<std::string, std::uint64_t>> ranges;
  bool hasInstruction = false;

  /// Cuts the text at ';' and at braces that open or close a scope (those of a vector stand in the
  /// middle of a statement).
  void split() {
    int scopes = 0, vectors = 0;
    std::string current;
    auto line = [&](const std::string &what) { clean += (clean.empty() ? "" : "\n") + what; };
    for (char c : text) {
      bool isFresh = current.empty();
      if (c == ' ') {
        if (!isFresh && current.back() != ' ')
          current += c;
      } else if (c == '{' && isFresh) {
        ++scopes;
        line("{");
      } else if (c == '}' && isFresh) {
        if (--scopes < 0)
          throw Refusal{"the text has a '}' without a '{' before it"};
        line("}");
      } else if (c == ';') {
        if (vectors != 0)
          throw Refusal{fmt::format("the '{{' of a vector is not closed in '{}'", current)};
        if (!isFresh) {
          statements.push_back(current);
          line(current + ";");
        }
        current.clear();
      } else if (c == ':' && isLabel(current)) {
        while (!current.empty() && current.back() == ' ')
          current.pop_back();
        labels.push_back(current);
        line(current + ":");
        current.clear();
      } else {
        vectors += c == '{' ? 1 : c == '}' ? -1 : 0;
        if (vectors < 0)
          throw Refusal{fmt::format("the instruction '{}' is not closed by a ';'", current)};
        current += c;
      }
    }
    if (!current.empty())
      throw Refusal{fmt::format("the instruction '{}' is not closed by a ';'",
                                current.substr(0, current.find_last_not_of(' ') + 1))};
    if (scopes != 0)
      throw Refusal{"the text has a '{' that is never closed"};
  }

  static bool isLabel(std::string_view current) {
    while (!current.empty() && current.back() == ' ')
      current.remove_suffix(1);
    return !current.empty() && isLetter(current[0]) &&
           std::all_of(current.begin(), current.end(), isNamePart);
  }

  /// Remembers the registers that a ".reg" statement declares.
  void collectNames(std::string_view statement) {
    if (statement[0] != '.')
      return;
    std::size_t afterWord = std::min(statement.find(' '), statement.size());
    // ".reg.b32" is a declaration too.
    std::string_view word = statement.substr(0, std::min(statement.find('.', 1), afterWord));
    if (word != ".reg")
      throw Refusal{fmt::format("the text has the directive '{}'; registers (.reg) are all that it "
                                "may declare",
                                word)};
    for (std::size_t at = word.size(); at < statement.size();) {
      char c = statement[at];
      if (c == '.') {
        for (++at; at < statement.size() && isNamePart(statement[at]);)
          ++at;
      } else if (isNameStart(c)) {
        std::string name = takeName(statement, at);
        if (name[0] == '%')
          throw Refusal{fmt::format("the text declares '{}'; names that begin with % are the "
                                    "kernel's own: call it '{}'",
                                    name, name.substr(1))};
        if (at < statement.size() && statement[at] == '<') {
          std::uint64_t count = 0;
          for (++at; at < statement.size() && isDigit(statement[at]) && count < 1000; ++at)
            count = 10 * count + (statement[at] - '0');
          if (at == statement.size() || statement[at] != '>' || count == 0 || count > 1000)
            throw Refusal{fmt::format("'{}' does not say how many registers it declares, from 1 "
                                      "to 1000",
                                      statement)};
          ++at;
          ranges.push_back({name, count});
        } else {
          registers.push_back(name);
        }
      } else if (c == ' ' || c == ',') {
        ++at;
      } else {
        throw Refusal{fmt::format("'{}' declares no registers: write .reg .b32 a, b", statement)};
      }
    }
  }

  static std::string takeName(std::string_view from, std::size_t &at) {
    std::size_t begin = at;
    for (++at; at < from.size() && isNamePart(from[at]);)
      ++at;
    return std::string(from.substr(begin, at - begin));
  }

  bool isDeclared(const std::string &name) const {
    if (std::ranges::find(registers, name) != registers.end())
      return true;
    for (const auto &[prefix, count] : ranges) {
      std::string_view digits = std::string_view(name).substr(std::min(prefix.size(), name.size()));
      bool isNumber = name.starts_with(prefix) && !digits.empty() && digits.size() <= 4 &&
                      std::ranges::all_of(digits, isDigit) &&
                      (digits[0] != '0' || digits.size() == 1);
      if (isNumber && std::stoull(std::string(digits)) < count)
        return true;
    }
    return false;
  }

  void check(std::string_view rest) {
    if (rest[0] == '.')
      return;
    hasInstruction = true;
    std::size_t at = 0;
    if (rest[0] == '@') { // a guard
      for (++at; at < rest.size() && (rest[at] == '!' || rest[at] == ' ');)
        ++at;
      std::size_t begin = at;
      while (at < rest.size() && rest[at] != ' ')
        ++at;
      checkOperands(rest.substr(begin, at - begin), {});
      while (at < rest.size() && rest[at] == ' ')
        ++at;
    }
    std::size_t begin = at;
    while (at < rest.size() && (isNamePart(rest[at]) || rest[at] == '.' || rest[at] == ':'))
      ++at;
    std::string_view opcode = rest.substr(begin, at - begin);
    std::string_view root = opcode.substr(0, opcode.find('.'));
    if (root.empty() || !isLetter(root[0]) || (at < rest.size() && rest[at] != ' '))
      throw Refusal{fmt::format("'{}' does not begin with an instruction", rest)};
    for (const RefusedRoot &refused : refusedRoots)
      if (refused.root == root)
        throw Refusal{fmt::format("'{}' {}", opcode, refused.why)};
    checkOperands(rest.substr(at), root);
    if (std::ranges::find(rootsWithoutResult, root) == std::end(rootsWithoutResult))
      checkDestination(opcode, rest.substr(at));
  }

  /// What an instruction writes stands before the first comma: a register, "p|q" or "{lo, hi}". An
  /// operand's register is the kernel's, which reads it again.
  void checkDestination(std::string_view opcode, std::string_view operands) {
    std::size_t begin = std::min(operands.find_first_not_of(' '), operands.size());
    bool isVector = begin < operands.size() && operands[begin] == '{';
    std::string_view written =
        operands.substr(begin, operands.find(isVector ? '}' : ',', begin) - begin);
    for (std::size_t at = written.find('$'); at != std::string_view::npos;
         at = written.find('$', at + 1)) {
      std::size_t end = std::min(written.find_first_not_of("0123456789", at + 1), written.size());
      std::string_view number = written.substr(at + 1, end - at - 1);
      if (number.find_first_not_of('0') != std::string_view::npos)
        throw Refusal{
            fmt::format("'{}' writes ${}, an operand, whose register is the kernel's: "
                        "write $0 or a register that the text declares, as in .reg .b32 t",
                        opcode, number)};
    }
  }

  void checkOperands(std::string_view operands, std::string_view root) {
    for (std::size_t at = 0; at < operands.size();) {
      char c = operands[at];
      if (c == '$') {
        ++at;
        if (at < operands.size() && operands[at] == '$')
          throw Refusal{"the text has a '$$': name registers and labels without '$'"};
        if (at == operands.size() || !isDigit(operands[at]))
          throw Refusal{"a '$' begins a placeholder and is followed by a number, as in $0"};
        std::size_t begin = at;
        while (at < operands.size() && isDigit(operands[at]))
          ++at;
        std::string_view number = operands.substr(begin, at - begin);
        std::uint64_t index = number.size() > 4 ? 9999 : std::stoull(std::string(number));
        if (index >= seen.size())
          throw Refusal{fmt::format("the text names ${}, but there {}", number,
                                    seen.size() == 1 ? "is no operand: $0 is the result"
                                    : seen.size() == 2
                                        ? "is one operand: $0 is the result, $1 the operand"
                                        : fmt::format("are {} operands: $0 is the "
                                                      "result, $1 to ${} the operands",
                                                      seen.size() - 1, seen.size() - 1))};
        seen[index] = true;
      } else if (isNameStart(c)) {
        checkName(takeName(operands, at), root);
      } else if (isDigit(c)) { // 0x10, 0f3F800000, 1.5
        while (at < operands.size() && (isNamePart(operands[at]) || operands[at] == '.'))
          ++at;
      } else if (c == '.') { // the part of a register, %ctaid.x
        for (++at; at < operands.size() && isNamePart(operands[at]);)
          ++at;
      } else if (c == '[' || c == ']') {
        throw Refusal{"the text has an address in brackets, but an element has none"};
      } else {
        ++at;
      }
    }
  }

  void checkName(const std::string &name, std::string_view root) {
    if (root == "bra") {
      if (name != "uni" && std::ranges::find(labels, name) == labels.end())
        throw Refusal{fmt::format("'bra {}' leaves the text: it has no label of that name", name)};
      return;
    }
    if (isDeclared(name) || name == "_" || name == "WARP_SZ" ||
        std::ranges::find(allowedSpecials, name) != std::end(allowedSpecials))
      return;
    if (name[0] == '%')
      throw Refusal{fmt::format("the text names '{}'; of the names that begin with % it may use "
                                "those of numbers that are the same in all threads: {}",
                                name, fmt::join(allowedSpecials, ", "))};
    throw Refusal{fmt::format("the text names '{}', which it does not declare: operands are $1, $2 "
                              "…, other registers are declared in the text, as in .reg .b32 t",
                              name)};
  }
};

} // namespace

Result<std::string> checkPtx(std::string_view text, unsigned operands) {
  try {
    return Checker(text, operands).run();
  } catch (const Refusal &refusal) {
    return Failure{refusal.text};
  }
}

} // namespace trowel::tile
