// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cuts a PTX text into tokens.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trowel::sim::ptx {

/// A PTX text that cannot be loaded. It travels as an exception inside `ptx` and the decoder only;
/// `parse` and `decode` turn it into a Result at their boundary.
struct SyntaxError {
  std::uint32_t line = 0;
  std::string text;
};

enum class TokenKind : std::uint8_t {
  Word,        // add.rn.f32  %r1  %tid.x  $L__BB0_1  foo
  Directive,   // .reg  .b32  .shared::cluster
  Integer,     // 12  0x1f  (no sign)
  Float32,     // 0f3F800000
  Float64,     // 0d3FF0000000000000  1.5
  String,      // "..." without the quotes
  Punctuation, // one character
  End,
};

struct Token {
  TokenKind kind = TokenKind::End;
  std::uint32_t line = 0;
  std::string_view text;
  /// Value of a literal, floats as their bits.
  std::uint64_t bits = 0;
};

/// The tokens of `source`, closed by one of kind End. They point into `source`. Throws SyntaxError.
std::vector<Token> tokenize(std::string_view source);

} // namespace trowel::sim::ptx
