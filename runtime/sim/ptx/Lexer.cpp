// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cuts a PTX text into tokens.
//
// An opcode with its modifiers is one token: "ld.global.L1::no_allocate.v4.b32" is a Word, and so
// are the register "%tid.x" and the dotted names of functions that LLVM prints, such as
// "llvm.nvvm.tanh.approx.f". What begins with a dot is a Directive and ends before the next dot, so
// ".param.u64" is two tokens, as it is with a blank between. With this rule the grammar needs no
// white space, and the parser never has to glue an opcode together.
//
// Literals carry their value: integers modulo 2^64 (a sign is the parser's affair), 0f and 0d forms
// as their bits. A decimal fraction such as 1.5 is a Float64; ".version 8.0" is read from the text
// of such a token. Comments vanish here; the "// trowel:" lines among them are read from the text
// by whoever wants the manifest. What follows "//@sim " in a line is no comment: these are checks
// that the compiler wrote for this device alone.

#include "runtime/sim/ptx/Lexer.h"

#include <cstring>

#include <charconv>

namespace trowel::sim::ptx {

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isNameStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%';
}
bool isNamePart(char c) { return (isNameStart(c) && c != '%') || isDigit(c); }

int hexValue(char c) {
  if (isDigit(c))
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return -1;
}

/// A character as a message shows it.
std::string shown(char c) {
  auto byte = static_cast<unsigned char>(c);
  if (byte >= 0x20 && byte < 0x7f)
    return std::string("'") + c + "'";
  static const char digits[] = "0123456789abcdef";
  return std::string("byte 0x") + digits[byte >> 4] + digits[byte & 15];
}

class Lexer {
public:
  explicit Lexer(std::string_view source) : source(source) {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    tokens.reserve(source.size() / 4 + 1);
    for (;;) {
      skipBlanks();
      tokens.push_back(next());
      if (tokens.back().kind == TokenKind::End)
        return tokens;
    }
  }

private:
  static constexpr std::string_view onlyHere = "//@sim ";

  std::string_view source;
  std::size_t at = 0;
  std::uint32_t line = 1;

  char peek(std::size_t ahead = 0) const {
    return at + ahead < source.size() ? source[at + ahead] : '\0';
  }
  bool atEnd() const { return at >= source.size(); }
  [[noreturn]] void fail(std::string text) const { throw SyntaxError{line, std::move(text)}; }

  void skipBlanks() {
    while (!atEnd()) {
      char c = peek();
      if (c == '\n') {
        ++line;
        ++at;
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
        ++at;
      } else if (source.substr(at, onlyHere.size()) == onlyHere) {
        at += onlyHere.size();
      } else if (c == '/' && peek(1) == '/') {
        while (!atEnd() && peek() != '\n')
          ++at;
      } else if (c == '/' && peek(1) == '*') {
        std::uint32_t opened = line;
        at += 2;
        while (!(peek() == '*' && peek(1) == '/')) {
          if (atEnd())
            throw SyntaxError{opened, "this '/*' comment is never closed"};
          line += peek() == '\n';
          ++at;
        }
        at += 2;
      } else {
        return;
      }
    }
  }

  Token token(TokenKind kind, std::size_t begin, std::uint64_t bits = 0) const {
    return {kind, line, source.substr(begin, at - begin), bits};
  }

  Token next() {
    std::size_t begin = at;
    if (atEnd())
      return {TokenKind::End, line, "end of file", 0};
    char c = peek();
    if (isNameStart(c) && (c != '%' || isNamePart(peek(1))))
      return word();
    if (isDigit(c))
      return number();
    if (c == '.' && isNamePart(peek(1))) {
      ++at;
      namePart();
      return token(TokenKind::Directive, begin);
    }
    if (c == '"')
      return string();
    if (c != '\0' && std::strchr("{}()[]<>,;:|@!=+-*&~", c)) {
      ++at;
      return token(TokenKind::Punctuation, begin);
    }
    fail("expected an instruction, a name, a number or a directive, found " + shown(c));
  }

  /// A run of name characters with the "::" that spaces and cache levels contain.
  void namePart() {
    for (;;) {
      while (isNamePart(peek()))
        ++at;
      if (peek() == ':' && peek(1) == ':' && isNamePart(peek(2)))
        at += 2;
      else
        return;
    }
  }

  Token word() {
    std::size_t begin = at;
    ++at;
    while (isNamePart(peek()))
      ++at;
    while (peek() == '.' && isNamePart(peek(1))) {
      ++at;
      namePart();
    }
    return token(TokenKind::Word, begin);
  }

  Token number() {
    std::size_t begin = at;
    char second = peek(1);
    if (peek() == '0' && (second == 'f' || second == 'F'))
      return hexadecimal(begin, TokenKind::Float32, 8);
    if (peek() == '0' && (second == 'd' || second == 'D'))
      return hexadecimal(begin, TokenKind::Float64, 16);
    if (peek() == '0' && (second == 'x' || second == 'X'))
      return hexadecimal(begin, TokenKind::Integer, 0);
    if (peek() == '0' && (second == 'b' || second == 'B')) {
      at += 2;
      return digits(begin, 2);
    }
    std::size_t end = at;
    while (end < source.size() && isDigit(source[end]))
      ++end;
    if (end + 1 < source.size() && source[end] == '.' && isDigit(source[end + 1]))
      return fraction();
    return digits(begin, peek() == '0' ? 8 : 10);
  }

  Token hexadecimal(std::size_t begin, TokenKind kind, int exactDigits) {
    at += 2;
    std::uint64_t bits = 0;
    int count = 0;
    for (; hexValue(peek()) >= 0; ++at, ++count)
      bits = bits << 4 | static_cast<std::uint64_t>(hexValue(peek()));
    if (exactDigits == 0 && peek() == 'U')
      ++at;
    bool fits = exactDigits ? count == exactDigits : count >= 1 && count <= 16;
    if (!fits || isNamePart(peek())) {
      while (isNamePart(peek()))
        ++at;
      fail("expected " + (exactDigits ? std::to_string(exactDigits) : std::string("1 to 16")) +
           " hexadecimal digits, found '" + std::string(source.substr(begin, at - begin)) + "'");
    }
    return token(kind, begin, bits);
  }

  Token digits(std::size_t begin, unsigned base) {
    std::uint64_t value = 0;
    bool overflow = false;
    std::size_t first = at;
    for (; isDigit(peek()) && static_cast<unsigned>(peek() - '0') < base; ++at) {
      auto digit = static_cast<std::uint64_t>(peek() - '0');
      overflow |= value > (~std::uint64_t{0} - digit) / base;
      value = value * base + digit;
    }
    bool empty = at == first;
    if (peek() == 'U')
      ++at;
    if (empty || isNamePart(peek())) {
      while (isNamePart(peek()))
        ++at;
      fail("expected a number, found '" + std::string(source.substr(begin, at - begin)) + "'");
    }
    if (overflow)
      fail("the number '" + std::string(source.substr(begin, at - begin)) +
           "' does not fit in 64 bits");
    return token(TokenKind::Integer, begin, value);
  }

  Token fraction() {
    std::size_t begin = at;
    double value = 0;
    auto [end, error] = std::from_chars(source.data() + at, source.data() + source.size(), value);
    if (error != std::errc() || end == source.data() + at)
      fail("expected a number, found '" + std::string(source.substr(at, 24)) + "'");
    at = static_cast<std::size_t>(end - source.data());
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return token(TokenKind::Float64, begin, bits);
  }

  Token string() {
    std::size_t begin = ++at;
    while (peek() != '"') {
      if (atEnd() || peek() == '\n')
        fail("this string is never closed");
      at += peek() == '\\' && at + 1 < source.size() && source[at + 1] != '\n' ? 2 : 1;
    }
    Token result = token(TokenKind::String, begin);
    ++at;
    return result;
  }
};

} // namespace

std::vector<Token> tokenize(std::string_view source) { return Lexer(source).run(); }

} // namespace trowel::sim::ptx
