// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Programs.h"

#include "runtime/sim/ptx/Parser.h"

#include <gmock/gmock.h>

namespace trowel::sim {
namespace {

using testing::HasSubstr;

std::string bodyError(const std::string &body) { return loadError(kernelText("", body)); }

TEST(Parser, ReadsWhatLlvmPrints) {
  Result<ptx::Module> module = ptx::parse(llvmText());
  ASSERT_TRUE(module) << module.error();
  EXPECT_EQ(module->versionMajor, 8u);
  EXPECT_EQ(module->target, "sm_90a");
  EXPECT_EQ(module->files.at(1), "a.cpp");
  const ptx::Function *entry = module->findEntry("k");
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(entry->requiredThreads[0], 32u);
  ASSERT_EQ(entry->parameters.size(), 3u);
  EXPECT_EQ(entry->parameters[2].bytes, 128u);
  EXPECT_EQ(entry->parameters[2].alignment, 64u);
  EXPECT_EQ(module->findVariable("tab")->initial.size(), 16u);
  EXPECT_EQ(module->findVariable("p")->relocations.at(0).symbol, "cell");
}

TEST(Parser, ParametersFollowSizeAndAlignment) {
  Program program = decoded(
      kernelText(".param .u8 a, .param .u64 b, .param .align 64 .b8 c[3], .param .u16 d", "ret;"));
  ASSERT_EQ(program.parameters.size(), 4u);
  EXPECT_EQ(program.parameters[1].offset, 8u);
  EXPECT_EQ(program.parameters[2].offset, 64u);
  EXPECT_EQ(program.parameters[3].offset, 68u);
  EXPECT_EQ(program.parameterBytes, 70u);
}

TEST(Parser, LinesAndFilesComeFromLoc) {
  Program program = decoded(llvmText());
  const InstructionInfo &first = program.infos.front();
  EXPECT_EQ(first.opcode, "mov.b64");
  EXPECT_EQ(first.file, "a.cpp");
  EXPECT_EQ(first.line, 3);
  const InstructionInfo &store = program.infos[program.infos.size() - 3];
  EXPECT_EQ(store.opcode, "st.global.v4.b32");
  EXPECT_EQ(store.line, 4);
}

TEST(Parser, UnknownOpcodesOfAnyShapeParse) {
  Program program = decoded(kernelText("", R"(
    wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%r0, %r1}, %d0, %d1, p, 1, -1;
    cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r0], [%d0, {%r1, %r2}], [%r3];
    istypep.b32 %r5|%p2, -1;
    setmaxnreg.inc.sync.aligned.u32 232;
    ret;)"));
  EXPECT_EQ(program.infos[0].unknown, "opcode");
  EXPECT_EQ(program.infos[2].unknown, "opcode");
}

TEST(Parser, MissingSemicolonIsFoundAtTheNextToken) {
  EXPECT_EQ(bodyError("add.s32 %r0, %r1, %r2\n  ret;"),
            "PTX line 10: expected ',' or ';', found 'ret'");
  EXPECT_EQ(bodyError("ret"), "PTX line 10: expected ';', found '}'");
}

TEST(Parser, HeaderIsRequired) {
  EXPECT_EQ(loadError("ret;"), "PTX line 1: expected '.version', found 'ret'");
  EXPECT_EQ(loadError(""), "PTX line 1: expected '.version', found the end of the text");
  EXPECT_EQ(loadError(".version eight"),
            "PTX line 1: expected a version such as 8.0, found 'eight'");
  EXPECT_EQ(loadError(".version 8.0\n.target sm_80\n.address_size 32\n"),
            "PTX line 3: expected an address size of 64, found '32'");
}

TEST(Parser, OpenBracesAndParenthesesAreNamed) {
  EXPECT_EQ(bodyError("{ ret; {"),
            "PTX line 11: expected '}' for the '{' of line 9, found the end of the text");
  EXPECT_EQ(bodyError("ld.global.b32 %r0, [%d0;"), "PTX line 9: expected ']', found ';'");
  EXPECT_EQ(bodyError("mov.b64 {%r0, %r1, %d0;"), "PTX line 9: expected ',' or '}', found ';'");
}

TEST(Parser, DeclarationsAreChecked) {
  EXPECT_EQ(bodyError(".reg .b33 x;"), "PTX line 9: expected a type such as .b32, found '.b33'");
  EXPECT_EQ(bodyError(".reg .b32 x, x;"),
            "PTX line 9: 'x' is declared a second time; the first is in line 9");
  EXPECT_EQ(bodyError(".shared .align 3 .b8 x[4];"),
            "PTX line 9: the alignment 3 is not a power of two");
  EXPECT_EQ(
      bodyError(".shared .b32 x[99999999999999][4];"),
      "PTX line 9: an array extent of 99999999999999 is more than the limit of 1099511627776");
  EXPECT_EQ(bodyError(".shared .b32 x[999999999999][999999999];"),
            "PTX line 9: the array is larger than 2^40 bytes");
  EXPECT_EQ(bodyError(".shared .b8 x[49153];"),
            "PTX line 9: the .shared variables take 49153 bytes, the limit is 49152; more is "
            "possible only as dynamic shared memory, a .extern array without an extent");
  EXPECT_EQ(bodyError(".local .b8 x[524289];"),
            "PTX line 9: the .local variables take 524289 bytes, the limit is 524288");
  EXPECT_EQ(loadError(".version 8.0\n.target sm_80\n.global .b8 x[2] = {1, 2, 3};\n"),
            "PTX line 3: 'x' has 2 bytes and more initial values than fit");
}

TEST(Parser, LabelsAreUniqueInTheirBlock) {
  EXPECT_EQ(bodyError("A: ret;\nA: ret;"),
            "PTX line 10: the label 'A' is set a second time in one block");
  EXPECT_EQ(bodyError("A: { A: ret; } { A: ret; }"), "");
}

TEST(Decoder, NamesMustBeDeclared) {
  EXPECT_EQ(bodyError("add.s32 %r0, %r1, %x;"), "PTX line 9: '%x' is not declared");
  EXPECT_EQ(bodyError("add.s32 %r16, %r1, %r2;"), "PTX line 9: '%r16' is not declared");
  EXPECT_EQ(bodyError("add.s32 %r01, %r1, %r2;"), "PTX line 9: '%r01' is not declared");
  EXPECT_EQ(bodyError("@%q ret;"), "PTX line 9: '%q' is not a declared predicate");
  EXPECT_EQ(bodyError("@%r1 ret;"), "PTX line 9: '%r1' is not a declared predicate");
  EXPECT_EQ(bodyError("bra NOWHERE;"), "PTX line 9: there is no label 'NOWHERE' in this function");
  EXPECT_EQ(bodyError("brx.idx %r0, LIST;"),
            "PTX line 9: there is no .branchtargets list 'LIST' in this function");
  EXPECT_EQ(bodyError("ld.param.b32 %r0, [k_param_0];"), "PTX line 9: 'k_param_0' is not declared");
  EXPECT_EQ(bodyError("{ .reg .b32 inner; } mov.b32 inner, 1;"),
            "PTX line 9: 'inner' is not declared");
}

TEST(Decoder, OperandsMustFitTheOpcode) {
  EXPECT_EQ(bodyError("add.s32 %r0, %r1;"), "PTX line 9: 'add.s32' takes 3 operands, found 2");
  EXPECT_EQ(bodyError("add.s32 %r0, %r1, %d1;"),
            "PTX line 9: 'add.s32' reads .s32, but '%d1' is 64 bits wide");
  EXPECT_EQ(bodyError("add.s64 %r0, %d1, %d1;"),
            "PTX line 9: 'add.s64' writes .s64, but '%r0' is 32 bits wide");
  EXPECT_EQ(bodyError("add.s32 5, %r1, %r2;"),
            "PTX line 9: expected a register to write .s32 to, found '5'");
  EXPECT_EQ(bodyError("selp.b32 %r0, %r1, %r2, %r3;"),
            "PTX line 9: 'selp.b32' reads .pred, but '%r3' is 32 bits wide");
  EXPECT_EQ(bodyError("add.f32 %r0, %r1, 1;"),
            "PTX line 9: expected a floating-point literal such as 0f3F800000 for .f32, found the "
            "integer '1'");
  EXPECT_EQ(bodyError("add.s32 %r0, !%r1, %r2;"),
            "PTX line 9: '!' stands only before a predicate, found '!%r1'");
  EXPECT_EQ(bodyError("mov.u32 %tid.x, %r0;"), "PTX line 9: '%tid.x' cannot be written");
  EXPECT_EQ(bodyError("add.u32 %r0, %tid.x, %r0;"),
            "PTX line 9: 'add.u32' cannot read '%tid.x': copy it with mov first");
  EXPECT_EQ(bodyError("cvt.f32.s32 %r0, %r1;"),
            "PTX line 9: 'cvt.f32.s32' needs one of .rn, .rz, .rm and .rp");
  EXPECT_EQ(bodyError("mul.s32 %r0, %r1, %r2;"),
            "PTX line 9: 'mul' of integers needs .lo, .hi or .wide");
  EXPECT_THAT(bodyError("ld.global.v2.b32 {%r0}, [%d0];"), HasSubstr("moves a vector of 2"));
  EXPECT_EQ(bodyError("ld.global.b32 %r0, %d0;"),
            "PTX line 9: expected an address in brackets, found '%d0'");
  EXPECT_EQ(bodyError("ld.global.b32 %r0, [%h0];"),
            "PTX line 9: expected a 32- or 64-bit address, '%h0' is 16 bits wide");
}

TEST(Decoder, ParametersAreReadInsideTheirBytes) {
  auto error = [](const std::string &load) {
    return loadError(kernelText(".param .u32 n", load + "\nret;"));
  };
  EXPECT_EQ(error("ld.param.b32 %r0, [n];"), "");
  EXPECT_EQ(error("ld.param.b64 %d0, [n];"),
            "PTX line 9: the 8 bytes at offset 0 of the parameters are misaligned or outside of "
            "their 4 bytes");
  EXPECT_EQ(error("ld.global.b32 %r0, [n];"),
            "PTX line 9: 'n' is a parameter, load it with ld.param");
  EXPECT_EQ(error("st.param.b32 [n], %r0;"),
            "PTX line 9: the parameters of an entry cannot be written");
}

TEST(Decoder, UnknownModifiersAreLeftForExecution) {
  Program program = decoded(kernelText("", "add.rn.odd.f32 %r0, %r1, %r2;\nret;"));
  EXPECT_EQ(program.infos[0].unknown, "modifier '.odd'");
  EXPECT_EQ(program.infos[1].unknown, "");
}

TEST(Decoder, RegistersTakePlaceOnlyWhenUsed) {
  Program few =
      decoded(kernelText("", ".reg .b64 %many<16000000>;\nmov.u64 %many15999999, 1;\nret;"));
  EXPECT_EQ(few.registersUsed, 1u);
  EXPECT_LT(few.registerImage.size(), 1000u);
}

} // namespace
} // namespace trowel::sim
