// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cursor over tokens with the checks that every part of the parser needs.
#pragma once

#include "runtime/sim/ptx/Lexer.h"

#include <algorithm>

namespace trowel::sim::ptx {

class TokenStream {
public:
  explicit TokenStream(std::vector<Token> tokens) : tokens(std::move(tokens)) {}

  const Token &peek(std::size_t ahead = 0) const {
    return tokens[std::min(at + ahead, tokens.size() - 1)];
  }
  const Token &take() {
    const Token &token = peek();
    at += at + 1 < tokens.size();
    return token;
  }
  bool atEnd() const { return peek().kind == TokenKind::End; }
  bool is(TokenKind kind, std::size_t ahead = 0) const { return peek(ahead).kind == kind; }
  bool is(char punctuation, std::size_t ahead = 0) const {
    const Token &token = peek(ahead);
    return token.kind == TokenKind::Punctuation && token.text[0] == punctuation;
  }
  bool isDirective(std::string_view text) const {
    return is(TokenKind::Directive) && peek().text == text;
  }
  bool takeIf(char punctuation) {
    bool found = is(punctuation);
    if (found)
      take();
    return found;
  }
  bool takeIf(std::string_view directive) {
    bool found = isDirective(directive);
    if (found)
      take();
    return found;
  }
  void expect(char punctuation) {
    if (!takeIf(punctuation))
      failExpected(std::string("'") + punctuation + "'");
  }
  const Token &expect(TokenKind kind, std::string_view description) {
    if (!is(kind))
      failExpected(description);
    return take();
  }

  [[noreturn]] void failExpected(std::string_view what) const {
    throw SyntaxError{peek().line, "expected " + std::string(what) + ", found " + shown(peek())};
  }
  static std::string shown(const Token &token) {
    if (token.kind == TokenKind::End)
      return "the end of the text";
    return "'" + std::string(token.text) + "'";
  }

private:
  std::vector<Token> tokens;
  std::size_t at = 0;
};

} // namespace trowel::sim::ptx
