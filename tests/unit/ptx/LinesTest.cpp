// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every instruction's `.loc` is the line of the op that it came from.
#include "tests/unit/ptx/Emission.h"

#include "tests/support/Ptxas.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <map>
#include <sstream>

namespace trowel::compiler {

using ::testing::HasSubstr;
using ::testing::Not;

namespace {

/// "file:line" of the first instruction that contains `opcode`, by the `.loc` above it.
std::string placeOf(const std::string &ptx, const std::string &opcode) {
  std::map<int, std::string> files;
  int file = 0, line = 0, foundFile = -1, foundLine = 0;
  std::istringstream text(ptx);
  for (std::string row; std::getline(text, row);) {
    char name[256];
    int number;
    if (sscanf(row.c_str(), " .loc %d %d", &number, &line) == 2)
      file = number;
    else if (sscanf(row.c_str(), " .file %d \"%255[^\"]\"", &number, name) == 2)
      files[number] = name;
    else if (foundFile < 0 && row.find(opcode) != std::string::npos)
      foundFile = file, foundLine = line;
  }
  return fmt::format("{}:{}", files[foundFile], foundLine);
}

} // namespace

TEST(Lines, EveryInstructionHasTheLineOfItsOp) {
  std::string ptx = ptxOf(vectorAdd);
  EXPECT_EQ(placeOf(ptx, "%tid.x"), "add.cpp:10");
  EXPECT_EQ(placeOf(ptx, "setp"), "add.cpp:12");
  EXPECT_EQ(placeOf(ptx, "ld.global"), "add.cpp:13");
  EXPECT_EQ(placeOf(ptx, "add.rn.f32"), "add.cpp:15");
  EXPECT_EQ(placeOf(ptx, "st.global"), "add.cpp:16");
  EXPECT_EQ(placeOf(ptx, "ret;"), "add.cpp:17");
}

TEST(Lines, AnOpOfAnotherFileKeepsItsFile) {
  std::string ptx = ptxOf(R"(llvm.func @k(%p: !llvm.ptr<1>, %x: f32) attributes {nvvm.kernel} {
  %a = llvm.fadd %x, %x : f32 loc("user.cpp":5:3)
  %b = llvm.fmul %a, %x : f32 loc("include/library.h":77:9)
  llvm.store %b, %p : f32, !llvm.ptr<1> loc("user.cpp":6:3)
  llvm.return loc("user.cpp":7:1)
} loc("user.cpp":4:1))");
  EXPECT_EQ(placeOf(ptx, "add.rn"), "user.cpp:5");
  EXPECT_EQ(placeOf(ptx, "mul.rn"), "include/library.h:77");
  EXPECT_EQ(placeOf(ptx, "st.global"), "user.cpp:6");
}

TEST(Lines, FindsTheLineInsideEveryKindOfLocation) {
  std::string ptx = ptxOf(R"(llvm.func @k(%p: !llvm.ptr<1>, %x: f32) attributes {nvvm.kernel} {
  %a = llvm.fadd %x, %x : f32 loc("sum"("user.cpp":5:3))
  %b = llvm.fmul %a, %x : f32 loc(callsite("user.cpp":60:9 at "user.cpp":6:1))
  %c = llvm.fsub %b, %x : f32 loc(fused["user.cpp":7:1, "user.cpp":8:1])
  llvm.store %c, %p : f32, !llvm.ptr<1> loc(fused<"tag">[unknown, "user.cpp":9:1])
  llvm.return loc(unknown)
} loc("user.cpp":4:1))");
  EXPECT_EQ(placeOf(ptx, "add.rn"), "user.cpp:5");
  EXPECT_EQ(placeOf(ptx, "mul.rn"), "user.cpp:60");
  EXPECT_EQ(placeOf(ptx, "sub.rn"), "user.cpp:7");
  EXPECT_EQ(placeOf(ptx, "st.global"), "user.cpp:9");
}

TEST(Lines, AFunctionWithoutALineTakesItFromItsOps) {
  std::string ptx = ptxOf(R"(llvm.func @k(%p: !llvm.ptr<1>, %x: f32) attributes {nvvm.kernel} {
  %a = llvm.fadd %x, %x : f32 loc("user.cpp":5:3)
  llvm.store %a, %p : f32, !llvm.ptr<1> loc("user.cpp":6:3)
  llvm.return loc(unknown)
} loc(unknown))");
  EXPECT_EQ(placeOf(ptx, "add.rn"), "user.cpp:5");
}

TEST(Lines, AModuleWithoutLinesHasNone) {
  std::string ptx = ptxOf(R"(llvm.func @k(%p: !llvm.ptr<1>, %x: f32) attributes {nvvm.kernel} {
  llvm.store %x, %p : f32, !llvm.ptr<1> loc(unknown)
  llvm.return loc(unknown)
} loc(unknown))");
  EXPECT_THAT(ptx, Not(HasSubstr(".loc")));
}

TEST(Lines, FilesAreNamedExactlyAsGiven) {
  for (const char *name :
       {"a.cpp", "folder/a.cpp", "/absolute/a.cpp", "../a.cpp", "with space.cpp"})
    EXPECT_THAT(ptxOf(fmt::format(R"(llvm.func @k() attributes {{nvvm.kernel}} {{
  llvm.return loc("{0}":5:1)
}} loc("{0}":4:1))",
                                  name)),
                HasSubstr(fmt::format("\t.file\t1 \"{}\"\n", name)));
}

TEST(Lines, TheTargetNeverSaysDebug) {
  for (const Target &target : knownTargets()) {
    std::string ptx = ptxOf(vectorAdd, target.name);
    EXPECT_THAT(ptx, Not(HasSubstr("debug\n"))) << target.name;
    EXPECT_THAT(ptx, Not(HasSubstr(".debug_info"))) << target.name;
  }
}

TEST(Lines, PtxasReadsThem) {
  if (!trowel::testing::findPtxas())
    GTEST_SKIP() << trowel::testing::noPtxas;
  auto assembly = trowel::testing::assemble(ptxOf(vectorAdd, "sm_90a"), "sm_90a -lineinfo");
  EXPECT_TRUE(assembly.accepted) << assembly.log;
}

} // namespace trowel::compiler
