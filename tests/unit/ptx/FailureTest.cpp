// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whatever cannot be emitted is a sentence at a line, and the next kernel compiles, on every
// thread.
#include "tests/unit/ptx/Emission.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <thread>
#include <vector>

namespace trowel::compiler {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

namespace {

struct Mistake {
  const char *what;
  /// Body of a kernel whose second line is at fault.
  const char *body;
  /// Line of the failure; 0 where LLVM does not say.
  int line;
  const char *sentence;
};

// The check's findings: every row has its line.
const Mistake checked[] = {
    {"exp", "%a = llvm.fadd %x, %y : f32\n%r = llvm.intr.exp(%a) : (f32) -> f32", 2,
     "cannot compile 'k' for sm_80: llvm.exp on float has no PTX instruction, and a GPU has no "
     "libm to call: it "
     "must be expanded into other operations before PTX is emitted"},
    {"pow", "%a = llvm.fadd %x, %y : f32\n%r = llvm.intr.pow(%a, %y) : (f32, f32) -> f32", 2,
     "llvm.pow on float has no PTX instruction"},
    {"log of a vector",
     "%v = llvm.mlir.zero : vector<2xf32>\n%r = llvm.intr.log(%v) : (vector<2xf32>) -> "
     "vector<2xf32>",
     2, "llvm.log on <2 x float> has no PTX instruction"},
    {"sin", "%a = llvm.fadd %x, %y : f32\n%r = llvm.intr.sin(%a) : (f32) -> f32", 2,
     "llvm.sin on float exists in PTX only as an approximation: give the call the flag afn, or "
     "expand it"},
    {"tanh of f64", "%a = llvm.fpext %x : f32 to f64\n%r = llvm.intr.tanh(%a) : (f64) -> f64", 2,
     "llvm.tanh on double has no PTX instruction"},
    {"exp2 of f64", "%a = llvm.fpext %x : f32 to f64\n%r = llvm.intr.exp2(%a) : (f64) -> f64", 2,
     "llvm.exp2 on double has no PTX instruction"},
    {"fp128", "%a = llvm.fadd %x, %y : f32\n%r = llvm.fpext %a : f32 to f128", 2,
     "uses fp128: PTX has no floating type wider than f64"},
    {"i256", "%a = llvm.add %i, %i : i32\n%r = llvm.zext %a : i32 to i256", 2,
     "uses i256: PTX's integers have 64 bits, and LLVM splits at most 128"},
    {"atomic i128",
     "%a = llvm.add %i, %i : i32\n%r = llvm.load %p atomic monotonic {alignment = 16 : i64} : "
     "!llvm.ptr<1> -> i128",
     2, "an atomic access of 128 bits: PTX has at most 64"},
    {"another machine's intrinsic",
     "%a = llvm.add %i, %i : i32\nllvm.call_intrinsic \"llvm.x86.sse2.pause\"() : () -> ()", 2,
     "llvm.x86.sse2.pause belongs to another machine than NVPTX"},
};

// What only LLVM's back end finds out. `line` 0: it does not say where.
const Mistake unchecked[] = {
    {"cannot select",
     "%a = llvm.fptrunc %x : f32 to bf16\n%r = llvm.call_intrinsic \"llvm.canonicalize.bf16\"(%a) "
     ": (bf16) -> bf16\nllvm.store %r, %p : bf16, !llvm.ptr<1>",
     2, "LLVM's back end refused the code for sm_80: Cannot select: bf16 = fcanonicalize"},
    {"an instruction of a later machine", "nvvm.wgmma.fence.aligned", 0,
     "LLVM's back end refused the code for sm_80: Cannot select: intrinsic "
     "%llvm.nvvm.wgmma.fence.sync.aligned"},
    {"dynamic alloca",
     "%a = llvm.alloca %i x f32 : (i32) -> !llvm.ptr\n%b = llvm.load volatile %a : !llvm.ptr -> "
     "f32",
     1, "Support for dynamic alloca introduced in PTX ISA version 7.3"},
    {"unknown constraint",
     "%a = llvm.inline_asm \"mov $0, $1;\", \"=k,f\" %x : (f32) -> f32\nllvm.store %a, %p : f32, "
     "!llvm.ptr<1>",
     0, "constraint"},
};

std::string textOf(const Mistake &mistake) { return kernel(mistake.body); }

void expectMistake(const Mistake &mistake) {
  PtxFailure failure = failureOf(textOf(mistake));
  EXPECT_THAT(failure.text, HasSubstr(mistake.sentence)) << mistake.what;
  EXPECT_EQ(failure.line, mistake.line) << mistake.what << ": " << failure.text;
  EXPECT_EQ(failure.file, mistake.line ? "kernel.cpp" : "") << mistake.what;
  EXPECT_THAT(failure.text, AllOf(Not(HasSubstr("0x")), Not(HasSubstr("\n")))) << mistake.what;
}

} // namespace

TEST(Failure, IsASentenceAtTheLineOfTheOp) {
  for (const Mistake &mistake : checked)
    expectMistake(mistake);
}

TEST(Failure, OfTheBackEndIsASentence) {
  for (const Mistake &mistake : unchecked)
    expectMistake(mistake);
}

TEST(Failure, LeavesTheNextKernelCompilable) {
  const std::string expected = ptxOf(vectorAdd);
  for (const Mistake &mistake : unchecked) {
    failureOf(textOf(mistake));
    EXPECT_EQ(ptxOf(vectorAdd), expected) << "after " << mistake.what;
  }
}

TEST(Failure, OnFourThreadsAtOnceHarmsNoOther) {
  const std::string expected = ptxOf(vectorAdd);
  std::vector<std::thread> threads;
  for (int seed = 0; seed < 4; ++seed)
    threads.emplace_back([&, seed] {
      for (int round = 0; round < 12; ++round) {
        const Mistake &mistake = unchecked[(seed + round) % std::size(unchecked)];
        PtxFailure failure = failureOf(textOf(mistake));
        EXPECT_THAT(failure.text, HasSubstr(mistake.sentence));
        EXPECT_EQ(ptxOf(vectorAdd), expected);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST(Failure, NamesAFunctionThatNothingDefines) {
  PtxFailure failure = failureOf(R"(llvm.func @expf(f32) -> f32
llvm.func @k(%p: !llvm.ptr<1>, %x: f32) attributes {nvvm.kernel} {
  %r = llvm.call @expf(%x) : (f32) -> f32 loc("math.cpp":12:7)
  llvm.store %r, %p : f32, !llvm.ptr<1> loc("math.cpp":13:7)
  llvm.return loc("math.cpp":14:1)
} loc("math.cpp":11:1))");
  EXPECT_EQ(failure.file, "math.cpp");
  EXPECT_EQ(failure.line, 12);
  EXPECT_THAT(failure.text,
              HasSubstr("calls 'expf', which nothing in the module defines and no library on a GPU "
                        "provides: define it, or expand the call"));
}

TEST(Failure, LetsTheDriversOwnFunctionsPass) {
  EXPECT_THAT(ptxOf(R"(llvm.func @vprintf(!llvm.ptr, !llvm.ptr) -> i32
llvm.func @k(%p: !llvm.ptr) attributes {nvvm.kernel} {
  %r = llvm.call @vprintf(%p, %p) : (!llvm.ptr, !llvm.ptr) -> i32
  llvm.return
})"),
              HasSubstr("vprintf"));
}

TEST(Failure, OfTheTranslationHasTheLineToo) {
  PtxFailure failure = failureOf(R"(llvm.func @k() attributes {nvvm.kernel} {
  %r = builtin.unrealized_conversion_cast to i32 loc("cast.cpp":3:1)
  %s = builtin.unrealized_conversion_cast %r : i32 to index loc("cast.cpp":4:1)
  llvm.return
} loc("cast.cpp":2:1))");
  EXPECT_EQ(failure.file, "cast.cpp");
  EXPECT_EQ(failure.line, 3);
  EXPECT_THAT(failure.text, HasSubstr("the kernel does not translate to LLVM IR: "));
}

TEST(Failure, OfLlvmsVerifierIsASentenceToo) {
  // A count that must be a constant is not one: MLIR lets it pass.
  PtxFailure failure =
      failureOf(kernel(R"(llvm.call_intrinsic "llvm.nvvm.cp.async.wait.group"(%i) : (i32) -> ())"));
  EXPECT_EQ(failure.text,
            "the kernel does not translate to LLVM IR: LLVM's verifier says: immarg operand has "
            "non-immediate parameter");
}

} // namespace trowel::compiler
