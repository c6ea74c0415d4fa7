// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/sim/ptx/Lexer.h"

#include <gmock/gmock.h>

namespace trowel::sim::ptx {
namespace {

using testing::ElementsAre;

std::vector<std::string> texts(std::string_view source) {
  std::vector<std::string> result;
  for (const Token &token : tokenize(source))
    if (token.kind != TokenKind::End)
      result.emplace_back(token.text);
  return result;
}

std::string errorOf(std::string_view source) {
  try {
    tokenize(source);
  } catch (const SyntaxError &error) {
    return std::to_string(error.line) + ": " + error.text;
  }
  return "";
}

TEST(Lexer, OpcodeWithModifiersIsOneToken) {
  EXPECT_THAT(texts("ld.global.L1::no_allocate.v4.b32 {%r1,%r2},[%rd1+-16];"),
              ElementsAre("ld.global.L1::no_allocate.v4.b32", "{", "%r1", ",", "%r2", "}", ",", "[",
                          "%rd1", "+", "-", "16", "]", ";"));
}

TEST(Lexer, DirectivesEndBeforeTheNextDot) {
  EXPECT_THAT(texts(".param.u64 .shared::cluster.b32"),
              ElementsAre(".param", ".u64", ".shared::cluster", ".b32"));
}

TEST(Lexer, LabelIsSeparateFromItsColon) {
  EXPECT_THAT(texts("$L__BB0_2: x:y"), ElementsAre("$L__BB0_2", ":", "x", ":", "y"));
}

TEST(Lexer, NumbersHaveTheirValues) {
  std::vector<Token> tokens =
      tokenize("12 0x1F 017 0b101 7U 0xffU 0f3F800000 0d3FF0000000000000 1.5");
  std::vector<std::uint64_t> bits;
  for (const Token &token : tokens)
    bits.push_back(token.bits);
  EXPECT_THAT(bits, ElementsAre(12, 31, 15, 5, 7, 255, 0x3f800000, 0x3ff0000000000000,
                                0x3ff8000000000000, 0));
  EXPECT_EQ(tokens[6].kind, TokenKind::Float32);
  EXPECT_EQ(tokens[7].kind, TokenKind::Float64);
}

TEST(Lexer, CommentsCountLines) {
  std::vector<Token> tokens = tokenize("// one\n/* two\nthree */ a\nb");
  EXPECT_EQ(tokens[0].line, 3u);
  EXPECT_EQ(tokens[1].line, 4u);
}

TEST(Lexer, MistakesNameTheirLine) {
  EXPECT_EQ(errorOf("a\n/* b"), "2: this '/*' comment is never closed");
  EXPECT_EQ(errorOf("a\n\"b\nc\""), "2: this string is never closed");
  EXPECT_EQ(errorOf("0f3F8"), "1: expected 8 hexadecimal digits, found '0f3F8'");
  EXPECT_EQ(errorOf("0d3FF00000000000001"),
            "1: expected 16 hexadecimal digits, found '0d3FF00000000000001'");
  EXPECT_EQ(errorOf("99999999999999999999"),
            "1: the number '99999999999999999999' does not fit in 64 bits");
  EXPECT_EQ(errorOf("12ab"), "1: expected a number, found '12ab'");
  EXPECT_EQ(errorOf("a\n\n#"),
            "3: expected an instruction, a name, a number or a directive, found '#'");
  EXPECT_EQ(errorOf("\x01"),
            "1: expected an instruction, a name, a number or a directive, found byte 0x01");
}

} // namespace
} // namespace trowel::sim::ptx
