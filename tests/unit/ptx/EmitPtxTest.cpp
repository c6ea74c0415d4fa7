// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the emitted PTX says: header, entry, instructions, rounding. Only the instruction that
// matters is looked for; the rest of the text is LLVM's business.
#include "tests/unit/ptx/Emission.h"

#include "tests/support/Ptxas.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

namespace trowel::compiler {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using trowel::testing::assemble;
using trowel::testing::findPtxas;
using trowel::testing::noPtxas;

TEST(EmitPtx, NamesTargetVersionAndEntry) {
  for (const Target &target : knownTargets()) {
    std::string ptx = ptxOf(vectorAdd, target.name);
    EXPECT_THAT(ptx, HasSubstr(fmt::format(".target {}\n", target.name)));
    EXPECT_THAT(ptx, HasSubstr(fmt::format(".version {}.{}\n", target.ptxVersion / 10,
                                           target.ptxVersion % 10)));
    EXPECT_THAT(ptx, HasSubstr(".visible .entry vector_add("));
    EXPECT_THAT(ptx, HasSubstr(".reqntid 128"));
  }
}

TEST(EmitPtx, KeepsAlignmentOfPointers) {
  EXPECT_THAT(ptxOf(vectorAdd), HasSubstr(".ptr .global .align 16 vector_add_param_0"));
}

TEST(EmitPtx, AssemblesForEveryTarget) {
  if (!findPtxas())
    GTEST_SKIP() << noPtxas;
  for (const Target &target : knownTargets()) {
    auto assembly = assemble(ptxOf(vectorAdd, target.name), target.name);
    EXPECT_TRUE(assembly.accepted) << target.name << ": " << assembly.log;
    EXPECT_THAT(assembly.log, HasSubstr("0 bytes spill stores"));
  }
}

TEST(EmitPtx, LeavesNoIntegerInstructionThatPtxasGetsWrong) {
  // x · −4 becomes the negative of a shift while instructions are selected.
  std::string body;
  for (const char *type : {"i16", "i32", "i64"})
    body += fmt::format(R"(%v{0} = llvm.load volatile %p : !llvm.ptr<1> -> {0}
%zero{0} = llvm.mlir.constant(0 : {0}) : {0}
%four{0} = llvm.mlir.constant(-4 : {0}) : {0}
%n{0} = llvm.sub %zero{0}, %v{0} : {0}
%m{0} = llvm.mul %v{0}, %four{0} : {0}
%least{0} = llvm.intr.smin(%v{0}, %four{0}) : ({0}, {0}) -> {0}
%most{0} = llvm.intr.umax(%n{0}, %m{0}) : ({0}, {0}) -> {0}
llvm.store volatile %least{0}, %p : {0}, !llvm.ptr<1>
llvm.store volatile %most{0}, %p : {0}, !llvm.ptr<1>
%a{0} = "llvm.intr.abs"(%v{0}) <{{is_int_min_poison = false}}> : ({0}) -> {0}
llvm.store volatile %n{0}, %p : {0}, !llvm.ptr<1>
llvm.store volatile %m{0}, %p : {0}, !llvm.ptr<1>
llvm.store volatile %a{0}, %p : {0}, !llvm.ptr<1>
)",
                        type);
  std::string ptx = ptxOf(kernel(body));
  for (const char *opcode : {"neg.s16", "abs.s16", "abs.s64", "min.s16", "max.u16"})
    EXPECT_THAT(ptx, Not(HasSubstr(opcode)));
  EXPECT_THAT(ptx, HasSubstr("cvt.u16.u32"));
  EXPECT_THAT(ptx, HasSubstr("max.s32"));
  EXPECT_THAT(ptx, HasSubstr("max.s64"));
  if (!findPtxas())
    GTEST_SKIP() << noPtxas;
  auto assembly = assemble(ptx, "sm_80");
  EXPECT_TRUE(assembly.accepted) << assembly.log;
}

TEST(EmitPtx, RoundsEachAddSubtractAndMultiplyOnItsOwn) {
  const std::string text = kernel(R"(%product = llvm.fmul %x, %y : f32
%sum = llvm.fadd %product, %y : f32
%difference = llvm.fsub %sum, %product : f32
llvm.store volatile %difference, %p : f32, !llvm.ptr<1>)");
  for (const Target &target : knownTargets()) {
    std::string ptx = ptxOf(text, target.name);
    EXPECT_THAT(ptx, HasSubstr("mul.rn.f32"));
    EXPECT_THAT(ptx, HasSubstr("add.rn.f32"));
    EXPECT_THAT(ptx, HasSubstr("sub.rn.f32"));
    EXPECT_THAT(ptx, Not(HasSubstr("fma")));
  }
}

TEST(EmitPtx, IgnoresTheContractFlag) {
  std::string ptx =
      ptxOf(kernel(R"(%product = llvm.fmul %x, %y {fastmathFlags = #llvm.fastmath<contract>} : f32
%sum = llvm.fadd %product, %y {fastmathFlags = #llvm.fastmath<contract>} : f32
llvm.store %sum, %p : f32, !llvm.ptr<1>)"));
  EXPECT_THAT(ptx, HasSubstr("mul.rn.f32"));
  EXPECT_THAT(ptx, HasSubstr("add.rn.f32"));
  EXPECT_THAT(ptx, Not(HasSubstr("fma")));
}

TEST(EmitPtx, KeepsAnExplicitFma) {
  EXPECT_THAT(ptxOf(kernel(R"(%sum = llvm.intr.fma(%x, %y, %x) : (f32, f32, f32) -> f32
llvm.store %sum, %p : f32, !llvm.ptr<1>)")),
              HasSubstr("fma.rn.f32"));
}

TEST(EmitPtx, RoundsDoublesAndBf16OnTheirOwn) {
  const std::string text = kernel(R"(%d = llvm.fpext %x : f32 to f64
%e = llvm.fmul %d, %d : f64
%f = llvm.fadd %e, %d : f64
llvm.store volatile %f, %p : f64, !llvm.ptr<1>
%b = llvm.fptrunc %x : f32 to bf16
%c = llvm.fptrunc %y : f32 to bf16
%g = llvm.fmul %b, %c : bf16
%h = llvm.fadd %g, %b : bf16
llvm.store volatile %h, %p : bf16, !llvm.ptr<1>)");
  std::string hopper = ptxOf(text, "sm_90a");
  EXPECT_THAT(hopper, HasSubstr("mul.rn.f64"));
  EXPECT_THAT(hopper, HasSubstr("add.rn.f64"));
  EXPECT_THAT(hopper, HasSubstr("mul.rn.bf16"));
  EXPECT_THAT(hopper, HasSubstr("add.rn.bf16"));
  // sm_80 has only the fma: a * b + -0 and a * 1 + b round once each and are the product and the
  // sum.
  std::string ampere = ptxOf(text, "sm_80");
  EXPECT_THAT(ampere, ContainsRegex("fma.rn.bf16[^\n]*\n(.*\n)*.*fma.rn.bf16"));
}

TEST(EmitPtx, KeepsSubnormals) {
  std::string ptx = ptxOf(kernel(R"(%sum = llvm.fadd %x, %y : f32
%root = llvm.intr.sqrt(%sum) : (f32) -> f32
%quotient = llvm.fdiv %root, %y : f32
llvm.store %quotient, %p : f32, !llvm.ptr<1>)"));
  EXPECT_THAT(ptx, HasSubstr("sqrt.rn.f32"));
  EXPECT_THAT(ptx, HasSubstr("div.rn.f32"));
  EXPECT_THAT(ptx, Not(HasSubstr(".ftz")));
}

TEST(EmitPtx, KeepsLoopsAsLoops) {
  std::string ptx = ptxOf(kernel(R"(%zero = llvm.mlir.constant(0 : i32) : i32
%one = llvm.mlir.constant(1 : i32) : i32
%four = llvm.mlir.constant(4 : i32) : i32
llvm.br ^loop(%zero, %x : i32, f32)
^loop(%j: i32, %s: f32):
%t = llvm.fadd %s, %y : f32
llvm.store volatile %t, %p : f32, !llvm.ptr<1>
%k = llvm.add %j, %one : i32
%more = llvm.icmp "slt" %k, %four : i32
llvm.cond_br %more, ^loop(%k, %t : i32, f32), ^end
^end:)"));
  EXPECT_THAT(ptx, ContainsRegex("@%p1 bra"));
  EXPECT_EQ(ptx.find("st.volatile"), ptx.rfind("st.volatile"));
}

TEST(EmitPtx, ShowsLlvmIrAndTimes) {
  std::string llvmText;
  PtxTimes times;
  PtxResult result = emitText(vectorAdd, "sm_90a", {&llvmText, &times});
  EXPECT_TRUE(std::holds_alternative<std::string>(result));
  EXPECT_THAT(llvmText, HasSubstr("define ptx_kernel void @vector_add("));
  EXPECT_THAT(llvmText, HasSubstr("nvptx64-nvidia-cuda"));
  EXPECT_GT(times.translate, 0);
  EXPECT_GT(times.optimize, 0);
  EXPECT_GT(times.emit, 0);
}

} // namespace trowel::compiler
