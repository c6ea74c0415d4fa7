// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What PTX of a user may say and what it may not, with the sentence that answers.
#include "dialect/PtxText.h"

#include <gtest/gtest.h>

#include <random>

namespace trowel::tile {
namespace {

void expectClean(std::string_view text, unsigned operands, const std::string &clean) {
  Result<std::string> result = checkPtx(text, operands);
  ASSERT_TRUE(result) << text << ": " << result.error();
  EXPECT_EQ(*result, clean);
  // What was passed once passes again, as it is.
  Result<std::string> again = checkPtx(*result, operands);
  ASSERT_TRUE(again) << again.error();
  EXPECT_EQ(*again, clean);
}

void expectRefused(std::string_view text, unsigned operands, const std::string &sentence) {
  Result<std::string> result = checkPtx(text, operands);
  ASSERT_FALSE(result) << text << " became " << *result;
  EXPECT_EQ(result.error(), sentence) << text;
}

TEST(PtxText, OfOneInstructionPasses) {
  expectClean("add.s32 $0, $1, $2;", 2, "add.s32 $0, $1, $2;");
  expectClean("  mov.b32   $0,0x10;  ", 0, "mov.b32 $0,0x10;");
  expectClean("add.rn.f32 $0, $1, 0f3F800000;", 1, "add.rn.f32 $0, $1, 0f3F800000;");
  expectClean("mov.u32 $0, %ctaid.x;", 0, "mov.u32 $0, %ctaid.x;");
  expectClean("mov.b32 {$0, _}, $1;", 1, "mov.b32 {$0, _}, $1;");
  expectClean("mov.u32 $0, WARP_SZ;", 0, "mov.u32 $0, WARP_SZ;");
  // Operands beyond the ninth have two digits.
  expectClean(
      "add.s32 $0, $1, $10; add.s32 $0, $2, $3; add.s32 $0, $4, $5; add.s32 $0, $6, $7; "
      "add.s32 $0, $8, $9;",
      10,
      "add.s32 $0, $1, $10;\nadd.s32 $0, $2, $3;\nadd.s32 $0, $4, $5;\nadd.s32 $0, $6, $7;\n"
      "add.s32 $0, $8, $9;");
}

TEST(PtxText, MayDeclareBranchAndComment) {
  expectClean("{.reg .b32 t, u<3>; .reg .pred p; // a comment; }\n"
              "again: @!p bra done; /* ; } */ mov.b32 t, u2; bra.uni again;\ndone: mov.b32 $0, t;}",
              0,
              "{\n.reg .b32 t, u<3>;\n.reg .pred p;\nagain:\n@!p bra done;\nmov.b32 t, u2;\n"
              "bra.uni again;\ndone:\nmov.b32 $0, t;\n}");
}

TEST(PtxText, ThatSaysNothingIsRefused) {
  expectRefused("", 0, "the text has no instruction");
  expectRefused("  // nothing", 0, "the text has no instruction");
  expectRefused(";;", 0, "the text has no instruction");
  expectRefused(".reg .b32 t;", 0, "the text has no instruction");
}

TEST(PtxText, PlaceholdersAreThoseOfTheOperands) {
  expectRefused("mov.b32 $0, $1;", 0,
                "the text names $1, but there is no operand: $0 is the result");
  expectRefused("add.s32 $0, $1, $2;", 1,
                "the text names $2, but there is one operand: $0 is the result, $1 the operand");
  expectRefused("add.s32 $0, $1, $99999999999;", 2,
                "the text names $99999999999, but there are 2 operands: $0 is the result, $1 to $2 "
                "the operands");
  expectRefused("mov.b32 $0, 1;", 2, "the text never names $1, operand 1 of 2");
  expectRefused("nanosleep.u32 $1;", 1, "the text never names $0, the result");
  expectRefused("mov.b32 $0, $x;", 0,
                "a '$' begins a placeholder and is followed by a number, as in $0");
  expectRefused("mov.b32 $0, $$L;", 0,
                "the text has a '$$': name registers and labels without '$'");
  expectRefused("mov.b32 $0, ${1:x};", 1,
                "a '$' begins a placeholder and is followed by a number, as in $0");
}

TEST(PtxText, ThatIsNotClosedIsRefused) {
  expectRefused("mov.b32 $0, 1", 0, "the instruction 'mov.b32 $0, 1' is not closed by a ';'");
  expectRefused("{ mov.b32 $0, 1;", 0, "the text has a '{' that is never closed");
  expectRefused("mov.b32 $0, 1; }", 0, "the text has a '}' without a '{' before it");
  expectRefused("mov.b32 $0, 1; } {", 0, "the text has a '}' without a '{' before it");
  expectRefused("mov.b32 $0, 1 } ;", 0, "the instruction 'mov.b32 $0, 1 ' is not closed by a ';'");
  expectRefused("mov.b32 {$0, $1; }", 1, "the '{' of a vector is not closed in 'mov.b32 {$0, $1'");
  expectRefused("mov.b32 $0, 1; /* never", 0, "the text has a comment '/*' that is never closed");
  expectRefused("mov.b32 $0, 1; .pragma \"x\";", 0,
                "the text has a \", which no instruction takes");
  expectRefused("mov.b32 $0, \\1;", 0, "the text has a \\, which no instruction takes");
  expectRefused("mov.b32 $0, \x01;", 0, "the text has the byte 0x01, which PTX does not know");
}

TEST(PtxText, ThatReachesBeyondItsElementIsRefused) {
  const std::string ends = " would end or leave the thread in the middle of its tiles";
  expectRefused("ret;", 0, "'ret'" + ends);
  expectRefused("{exit;}", 0, "'exit'" + ends);
  expectRefused("@p trap;", 0,
                "the text names 'p', which it does not declare: operands are $1, $2 …, other "
                "registers are declared in the text, as in .reg .b32 t");
  expectRefused("call (t), f, (x);", 0, "'call'" + ends);
  const std::string meets = " works on several threads, but the text is for one element, which any "
                            "thread may hold";
  expectRefused("bar.sync 0;", 0, "'bar.sync'" + meets);
  expectRefused("shfl.sync.idx.b32 $0, $1, 0, 31, -1;", 1, "'shfl.sync.idx.b32'" + meets);
  const std::string memory =
      " touches memory, whose order only load and store of the language keep: "
      "load the elements and hand them over";
  expectRefused("ld.global.b32 $0, [$1];", 1, "'ld.global.b32'" + memory);
  expectRefused("atom.global.add.u32 $0, [$1], 1;", 1, "'atom.global.add.u32'" + memory);
  expectRefused("cp.async.wait_all;", 0, "'cp.async.wait_all'" + memory);
  expectRefused("istypep.texref $0, [$1];", 1,
                "the text has an address in brackets, but an element has none");
  expectRefused("bra $L__BB0_1;", 0,
                "a '$' begins a placeholder and is followed by a number, as in $0");
  expectRefused("bra out;", 0, "'bra out' leaves the text: it has no label of that name");
}

TEST(PtxText, ThatWritesAnOperandIsRefused) {
  auto writes = [](const std::string &opcode, const std::string &operand) {
    return "'" + opcode + "' writes " + operand +
           ", an operand, whose register is the kernel's: write $0 or a register that the text "
           "declares, as in .reg .b32 t";
  };
  expectRefused("add.s32 $1, $1, 1; mov.b32 $0, $1;", 1, writes("add.s32", "$1"));
  expectRefused("mov.b32 $0, $1; @$2 mov.b32   $10, 0;", 10, writes("mov.b32", "$10"));
  expectRefused("setp.lt.s32 $0|$2, $1, 0;", 2, writes("setp.lt.s32", "$2"));
  expectRefused("mov.b32 {$0, $2}, $1;", 2, writes("mov.b32", "$2"));
  expectRefused("mov.b32 {$01, $0}, 7;", 1, writes("mov.b32", "$01"));
  // Vectors that are read, and instructions that write nothing.
  expectClean("mov.b32 $0, {$1, $2};", 2, "mov.b32 $0, {$1, $2};");
  expectClean("mov.b32 $00, $1;", 1, "mov.b32 $00, $1;");
  expectClean("nanosleep.u32 $1; mov.b32 $0, $1;", 1, "nanosleep.u32 $1;\nmov.b32 $0, $1;");
}

TEST(PtxText, NamesOfTheKernelAreRefused) {
  auto undeclared = [](const std::string &name) {
    return "the text names '" + name +
           "', which it does not declare: operands are $1, $2 …, other registers are declared in "
           "the text, as in .reg .b32 t";
  };
  auto percent = [](const std::string &name) {
    return "the text names '" + name +
           "'; of the names that begin with % it may use those of numbers that are the same in all "
           "threads: %ctaid, %nctaid, %ntid, %smid, %nsmid, %gridid, %nwarpid";
  };
  expectRefused("mov.b32 $0, %r1;", 0, percent("%r1"));
  expectRefused("mov.b32 %r1, $1;", 1, percent("%r1"));
  expectRefused("mov.u32 $0, %tid.x;", 0, percent("%tid"));
  expectRefused("mov.u32 $0, %laneid;", 0, percent("%laneid"));
  expectRefused("mov.u64 $0, %clock64;", 0, percent("%clock64"));
  expectRefused("mov.u64 $0, k_param_0;", 0, undeclared("k_param_0"));
  expectRefused(".reg .b32 t<3>; mov.b32 $0, t3;", 0, undeclared("t3"));
  expectRefused(".reg .b32 t<3>; mov.b32 $0, t01;", 0, undeclared("t01"));
  expectRefused(
      ".reg .b32 %t; mov.b32 $0, %t;", 0,
      "the text declares '%t'; names that begin with % are the kernel's own: call it 't'");
  const std::string directive = "'; registers (.reg) are all that it may declare";
  expectRefused(".shared .b32 s; mov.b32 $0, s;", 0,
                "the text has the directive '.shared" + directive);
  expectRefused(".version 9.0; mov.b32 $0, 1;", 0,
                "the text has the directive '.version" + directive);
  expectRefused(".loc 1 2 3; mov.b32 $0, 1;", 0, "the text has the directive '.loc" + directive);
}

TEST(PtxText, OfAnyBytesIsPassedOrRefused) {
  // Whatever passes is closed: braces match at every place, and no line is a comment.
  const std::string parts[] = {"mov.b32 ", "$0", "$1",  ", ", ";",    "{",    "}",  "//",  "/*",
                               "*/",       "\n", "@p",  ":",  ".reg", ".b32", " t", "<9>", "L",
                               "bra ",     "$",  "%r1", "[",  "]",    "\"",   "\\", "9",   "!"};
  std::mt19937 random(1);
  for (int round = 0; round < 100000; ++round) {
    std::string text;
    for (int i = random() % 14; i >= 0; --i)
      text += parts[random() % std::size(parts)];
    Result<std::string> result = checkPtx(text, random() % 2);
    if (!result) {
      ASSERT_FALSE(result.error().empty());
      continue;
    }
    int open = 0;
    for (char c : *result) {
      open += c == '{' ? 1 : c == '}' ? -1 : 0;
      ASSERT_GE(open, 0) << *result;
    }
    ASSERT_EQ(open, 0) << *result;
    ASSERT_EQ(result->find("//"), std::string::npos) << *result;
    ASSERT_EQ(result->find("/*"), std::string::npos) << *result;
  }
}

} // namespace
} // namespace trowel::tile
