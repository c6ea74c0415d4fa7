// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel reads and nothing wrote: when it is a finding, and that looking for it changes
// nothing.

#include "Programs.h"

#include <gmock/gmock.h>

#include <cstring>

namespace trowel::sim {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A kernel of a buffer x that nothing wrote, at lane i's word %d0, and a written one y, at %d1.
std::string textOf(const std::string &body) {
  return kernelText(".param .u64 x, .param .u64 y", R"(
    .shared .align 16 .b8 tile[128]; .local .align 8 .b8 own[16];
    mov.u32 %r0, %tid.x; ld.param.u64 %d0, [x]; ld.param.u64 %d1, [y];
    mad.wide.u32 %d0, %r0, 4, %d0; mad.wide.u32 %d1, %r0, 4, %d1;
    mov.u32 %r15, tile; mad.lo.u32 %r15, %r0, 4, %r15;
)" + body + "\n    ret;");
}

LaunchOutcome launched(const std::string &body) {
  Program program = decoded(textOf(body));
  Trial run;
  run.buffers = {std::vector<std::uint32_t>(32), std::vector<std::uint32_t>(32)};
  run.unwritten = {0};
  LaunchOutcome outcome = run(program);
  EXPECT_FALSE(outcome.fault) << outcome.fault->finding.text;
  return outcome;
}

/// The sentence of the only finding; empty without one.
std::string foundBy(const std::string &body) {
  LaunchOutcome outcome = launched(body);
  EXPECT_LE(outcome.findings.size(), 1u);
  return outcome.findings.empty() ? "" : outcome.findings[0].text;
}

TEST(UnwrittenRead, OfWhatIsStoredIsAFinding) {
  LaunchOutcome outcome = launched("ld.global.b32 %r1, [%d0];\n add.u32 %r2, %r1, 1;\n"
                                   "st.global.b32 [%d1], %r2;");
  ASSERT_EQ(outcome.findings.size(), 1u);
  const Finding &finding = outcome.findings[0];
  EXPECT_EQ(finding.kind, "uninitialised-read");
  EXPECT_EQ(finding.kernel, "k");
  EXPECT_EQ(finding.ptxLine, 14);
  EXPECT_EQ(
      finding.text,
      "ld.global.b32 reads 4 bytes at 0xd00000000200, some of which nothing wrote, in program "
      "(0, 0, 0), warp 0, lanes 0-31 (PTX line 14); the first of these is byte 0 of the buffer "
      "of 128 bytes at 0xd00000000200; st.global.b32 stores it to global memory (PTX line 16)");
}

TEST(UnwrittenRead, OfWhatNothingUsesIsNone) {
  EXPECT_EQ(foundBy("ld.global.b32 %r1, [%d0]; add.u32 %r2, %r1, 1;"), "");
}

TEST(UnwrittenRead, OfLanesThatAreOffIsNone) {
  std::string half = "setp.lt.u32 %p0, %r0, 16; @%p0 st.global.b32 [%d0], %r0;\n";
  EXPECT_EQ(foundBy(half + "@%p0 ld.global.b32 %r1, [%d0]; @%p0 st.global.b32 [%d1], %r1;"), "");
  EXPECT_EQ(foundBy(half + "ld.global.b32 %r1, [%d0]; @%p0 st.global.b32 [%d1], %r1;"), "");
  EXPECT_THAT(foundBy(half + "ld.global.b32 %r1, [%d0]; st.global.b32 [%d1], %r1;"),
              HasSubstr("lanes 16-31"));
}

TEST(UnwrittenRead, IsFollowedByTheByte) {
  std::string low = "st.global.b16 [%d0], %r0; ld.global.b32 %r1, [%d0];\n";
  for (const char *take :
       {"and.b32 %r2, %r1, 0xffff;", "shl.b32 %r2, %r1, 16;", "prmt.b32 %r2, %r1, 0, 0x4410;",
        "cvt.u32.u16 %r2, %r1;", "bfe.u32 %r2, %r1, 0, 16;",
        "mov.b32 {%h0, %h1}, %r1; cvt.u32.u16 %r2, %h0;",
        "cvt.u16.u32 %h0, %r1; mov.b32 %r2, {%h0, %h0};", "or.b32 %r2, %r1, 0xffff0000;",
        "mov.b32 %r3, 0; shf.l.wrap.b32 %r2, %r3, %r1, 16;", "bfi.b32 %r2, %r1, 0, 8, 16;"})
    EXPECT_EQ(foundBy(low + take + " st.global.b32 [%d1], %r2;"), "") << take;
  for (const char *take :
       {"shr.u32 %r2, %r1, 8;", "prmt.b32 %r2, %r1, 0, 0x4442;", "bfe.s32 %r2, %r1, 0, 17;",
        "and.b32 %r2, %r1, 0x10000;", "xor.b32 %r2, %r1, %r1;", "not.b32 %r2, %r1;",
        "mul.lo.u32 %r2, %r1, 3;"})
    EXPECT_THAT(foundBy(low + take + " st.global.b32 [%d1], %r2;"),
                HasSubstr("the first of these is byte 2 of the buffer"))
        << take;
}

TEST(UnwrittenRead, OfPartOfAVectorIsNone) {
  std::string vector = "setp.eq.u32 %p0, %r0, 0; @%p0 st.global.v2.b32 [%d0], {%r0, %r0};\n"
                       "@%p0 ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%d0];\n";
  EXPECT_EQ(foundBy(vector + "@%p0 st.global.v2.b32 [%d1], {%r2, %r1};"), "");
  EXPECT_THAT(foundBy(vector + "@%p0 st.global.v2.b32 [%d1], {%r2, %r3};"),
              HasSubstr("the first of these is byte 8 of the buffer"));
}

TEST(UnwrittenRead, OfWhatIsNotChosenIsNone) {
  std::string half = "setp.lt.u32 %p0, %r0, 16; @%p0 st.global.b32 [%d0], %r0;\n"
                     "ld.global.b32 %r1, [%d0];\n";
  EXPECT_EQ(foundBy(half + "selp.b32 %r2, %r1, 0, %p0; st.global.b32 [%d1], %r2;"), "");
  // Neither is a comparison that another one decides.
  std::string both = half + "setp.ne.u32 %p1, %r1, 7;\n";
  EXPECT_EQ(foundBy(both + "and.pred %p1, %p1, %p0; selp.b32 %r2, 1, 2, %p1; "
                           "st.global.b32 [%d1], %r2;"),
            "");
  EXPECT_EQ(foundBy(both + "not.pred %p2, %p0; or.pred %p1, %p2, %p1; selp.b32 %r2, 1, 2, %p1; "
                           "st.global.b32 [%d1], %r2;"),
            "");
  EXPECT_THAT(foundBy(both + "or.pred %p1, %p1, %p0; selp.b32 %r2, 1, 2, %p1; "
                             "st.global.b32 [%d1], %r2;"),
              HasSubstr("lanes 16-31"));
}

TEST(UnwrittenRead, OfHalfAPairIsFollowedApart) {
  std::string low = "mov.b32 %r5, 0; st.global.b16 [%d0], %r5; ld.global.b32 %r1, [%d0];\n"
                    "fma.rn.bf16x2 %r2, %r1, %r1, %r1;\n";
  EXPECT_EQ(foundBy(low + "st.global.b16 [%d1], %r2;"), "");
  EXPECT_THAT(foundBy(low + "st.global.b32 [%d1], %r2;"), HasSubstr("byte 2 of the buffer"));
}

TEST(UnwrittenRead, IsAFindingAtEachKindOfUse) {
  std::string load = "ld.global.b32 %r1, [%d0]; setp.eq.u32 %p0, %r1, 5;\n";
  EXPECT_THAT(foundBy(load + "@%p0 bra L; mov.b32 %r2, 0; L:"), HasSubstr("; bra branches on it"));
  EXPECT_THAT(foundBy(load + "@!%p0 mov.b32 %r2, 0;"),
              HasSubstr("; mov.b32 is executed or not depending on it"));
  EXPECT_THAT(foundBy(load + "T: .branchtargets A, A; and.b32 %r1, %r1, 1; brx.idx %r1, T; A:"),
              HasSubstr("; brx.idx branches on it"));
  EXPECT_THAT(foundBy(load + "and.b32 %r1, %r1, 64; cvt.u64.u32 %d2, %r1; sub.u64 %d3, %d0, %d2;"
                             "shl.b64 %d2, %d2, 0; and.b64 %d2, %d2, 0; add.u64 %d3, %d1, %d2;"
                             "ld.global.b32 %r2, [%d3];"),
              "");
  EXPECT_THAT(foundBy(load + "and.b32 %r1, %r1, 4; cvt.u64.u32 %d2, %r1; and.b64 %d1, %d1, -128; "
                             "add.u64 %d3, %d1, %d2; ld.global.b32 %r2, [%d3];"),
              HasSubstr("; ld.global.b32 takes it for an address"));
  EXPECT_THAT(foundBy(load + "red.global.add.u32 [%d1], %r1;"),
              HasSubstr("; red.global.add.u32 updates memory with it"));
}

TEST(UnwrittenRead, ByAnAtomicIsAFindingAtOnceUnlessItExchanges) {
  EXPECT_EQ(foundBy("red.global.add.u32 [%d0], 1;"),
            "red.global.add.u32 updates 4 bytes at 0xd00000000200, some of which nothing wrote, in "
            "program (0, 0, 0), warp 0, lanes 0-31 (PTX line 14); the first of these is byte 0 of "
            "the buffer of 128 bytes at 0xd00000000200");
  EXPECT_EQ(foundBy("atom.global.exch.b32 %r1, [%d0], 1; ld.global.b32 %r2, [%d0]; "
                    "st.global.b32 [%d1], %r2;"),
            "");
}

TEST(UnwrittenRead, IsFollowedThroughSharedAndLocalMemory) {
  for (std::string space : {"shared", "local"}) {
    std::string at = space == "shared" ? "[%r15]" : "[own+4]";
    std::string store = "st." + space + ".b32 " + at + ", ",
                load = "ld." + space + ".b32 %r3, " + at + ";";
    std::string out = " st.global.b32 [%d1], %r3;";
    EXPECT_THAT(foundBy(load + out), HasSubstr("ld." + space + ".b32 reads 4 bytes at offset "));
    EXPECT_EQ(foundBy(store + "%r0; " + load + out), "");
    EXPECT_THAT(foundBy("ld.global.b32 %r1, [%d0]; " + store + "%r1; " + load + out),
                HasSubstr("ld." + space + ".b32 reads"));
    // Written over, it is forgotten; and storing it there was no use.
    EXPECT_EQ(
        foundBy("ld.global.b32 %r1, [%d0]; " + store + "%r1; " + store + "%r0; " + load + out), "");
    EXPECT_EQ(foundBy("ld.global.b32 %r1, [%d0]; " + store + "%r1; " + load), "");
  }
  EXPECT_THAT(foundBy("ld.local.b32 %r3, [own+4]; st.global.b32 [%d1], %r3;"),
              HasSubstr("the first of these is byte 4 of the variable 'own' of 16 bytes"));
}

TEST(UnwrittenRead, IsFollowedFromLaneToLane) {
  // Lanes 0-15 have a value. A shuffle moves it; a vote or a sum of all lanes has none.
  std::string half = "setp.lt.u32 %p0, %r0, 16; @%p0 st.global.b32 [%d0], %r0;\n"
                     "ld.global.b32 %r1, [%d0];\n";
  std::string out = " st.global.b32 [%d1], %r2;";
  EXPECT_EQ(foundBy(half + "and.b32 %r3, %r0, 15; shfl.sync.idx.b32 %r2, %r1, %r3, 31, -1;" + out),
            "");
  EXPECT_THAT(foundBy(half + "shfl.sync.down.b32 %r2, %r1, 16, 31, -1;" + out),
              HasSubstr("lanes 16-31"));
  EXPECT_EQ(foundBy(half +
                    "shfl.sync.down.b32 %r2|%p1, %r1, 16, 31, -1;"
                    "selp.b32 %r2, 1, 0, %p1;" +
                    out),
            "");
  EXPECT_THAT(foundBy(half + "redux.sync.add.u32 %r2, %r1, -1;" + out), HasSubstr("lanes 16-31"));
  EXPECT_THAT(foundBy(half + "setp.eq.u32 %p1, %r1, 3; vote.sync.ballot.b32 %r2, %p1, -1;" + out),
              HasSubstr("lanes 16-31"));
  EXPECT_THAT(foundBy(half + "setp.eq.u32 %p1, %r1, 3; bar.red.popc.u32 %r2, 0, %p1;"),
              HasSubstr("; bar.red.popc.u32 gives it to other warps"));
  // The halves of the warp exchange apart, the second before it waits for nobody.
  EXPECT_EQ(foundBy(half + "@!%p0 bra L; redux.sync.add.u32 %r2, %r1, 0xffff;" + out + "L:"), "");
}

TEST(UnwrittenRead, ByGenericAddressIsFollowedInEachSpace) {
  std::string addresses =
      "cvt.u64.u32 %d2, %r15; cvta.shared.u64 %d2, %d2; st.shared.b32 [%r15], %r0;"
      "setp.lt.u32 %p0, %r0, 8; selp.b64 %d3, %d0, %d2, %p0;\n";
  EXPECT_THAT(foundBy(addresses + "ld.b32 %r1, [%d3]; st.b32 [%d1], %r1;"),
              HasSubstr("lanes 0-7 "));
  EXPECT_EQ(foundBy(addresses + "st.b32 [%d3], %r0; ld.b32 %r1, [%d3]; st.b32 [%d1], %r1;"), "");
}

TEST(UnwrittenRead, IsToldOnceForEachLoadAndIsThenAValue) {
  LaunchOutcome outcome =
      launched("ld.global.b32 %r1, [%d0];\n ld.global.b32 %r2, [%d0];\n st.global.b32 [%d1], %r1;\n"
               "st.global.b32 [%d1], %r1;\n ld.global.b32 %r3, [%d1];\n st.global.b32 [%d1], %r3;\n"
               "st.global.b32 [%d1], %r2;");
  ASSERT_EQ(outcome.findings.size(), 2u);
  EXPECT_EQ(outcome.findings[0].ptxLine, 14);
  EXPECT_EQ(outcome.findings[1].ptxLine, 15);
}

TEST(UnwrittenRead, IsThatOfTheLowestProgramWhateverTheThreads) {
  Program program = decoded(kernelText(".param .u64 x, .param .u64 y", R"(
    mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mad.lo.u32 %r0, %r1, 32, %r0;
    ld.param.u64 %d0, [x]; ld.param.u64 %d1, [y];
    mad.wide.u32 %d0, %r0, 4, %d0; mad.wide.u32 %d1, %r0, 4, %d1;
    setp.ne.u32 %p0, %r1, 37;
    setp.lt.u32 %p1, %r1, 90; and.pred %p0, %p0, %p1;
    @%p0 st.global.b32 [%d0], %r1;
    ld.global.b32 %r2, [%d0];
    st.global.b32 [%d1], %r2;
    ret;)"));
  for (unsigned threads : {1u, 4u}) {
    Trial run;
    run.grid = {100, 1, 1};
    run.hostThreads = threads;
    run.buffers = {std::vector<std::uint32_t>(3200), std::vector<std::uint32_t>(3200)};
    run.unwritten = {0};
    LaunchOutcome outcome = run(program);
    ASSERT_EQ(outcome.findings.size(), 1u);
    EXPECT_THAT(outcome.findings[0].text, HasSubstr("in program (37, 0, 0)"));
    EXPECT_EQ(run.buffers[1][5 * 32], 5u);
  }
}

TEST(UnwrittenRead, OfNeighboursWrittenByOtherProgramsIsNone) {
  // Eight programs share each byte of bits.
  Program program = decoded(kernelText(".param .u64 x, .param .u64 y", R"(
    mov.u32 %r1, %ctaid.x; cvt.u64.u32 %d4, %r1;
    ld.param.u64 %d0, [x]; add.u64 %d0, %d0, %d4;
    st.global.b8 [%d0], %r1;
    ret;)"));
  Program reader = decoded(textOf("ld.global.b32 %r1, [%d0]; st.global.b32 [%d1], %r1;"));
  for (int round = 0; round < 20; ++round) {
    DeviceMemory memory;
    LaunchConfiguration configuration;
    std::uint64_t addresses[2] = {memory.allocate(128), memory.allocate(128)};
    configuration.parameters.resize(16);
    std::memcpy(configuration.parameters.data(), addresses, 16);
    configuration.grid = {128, 1, 1};
    configuration.hostThreads = 8;
    launch(program, configuration, memory);
    configuration.grid = {1, 1, 1};
    configuration.block = {32, 1, 1};
    EXPECT_TRUE(launch(reader, configuration, memory).findings.empty());
  }
}

// A kernel with loops, branches, vectors, packed values and every space, run once on memory that
// holds ones and once on memory that nothing wrote and that holds ones: all is the same but the
// findings.
TEST(UnwrittenRead, ChangesNeitherResultsNorCounters) {
  Program program = decoded(textOf(R"(
    ld.global.b32 %r1, [%d0];
    ld.global.v2.b16 {%h0, %h1}, [%d0];
    mov.b32 %r2, {%h1, %h0};
    ld.global.s8 %r3, [%d0+1];
    ld.global.b32 %d0, [%d0];
    mov.b32 %r4, 0;
  L:
    shr.s32 %r1, %r1, 3; shl.b32 %r2, %r2, %r4; shf.r.clamp.b32 %r5, %r1, %r2, %r4;
    prmt.b32 %r6, %r5, %r3, %r4; bfi.b32 %r7, %r6, %r2, %r4, 7; add.cc.u32 %r8, %r7, %r1;
    addc.u32 %r8, %r8, %r2; setp.gt.u32 %p0, %r8, %r0; setp.lt.and.s32 %p1|%p2, %r3, %r4, %p0;
    selp.b32 %r9, %r8, %r7, %p1; @%p2 xor.b32 %r9, %r9, %r0;
    st.shared.b32 [%r15], %r9; st.local.v2.b32 [own+8], {%r9, %r4};
    ld.local.b64 %d2, [own+8]; ld.shared.b32 %r10, [%r15];
    @%p0 bra M;
    add.u32 %r10, %r10, 5;
  M:
    mov.b64 {%r11, %r12}, %d2; min.s32 %r11, %r11, %r10; red.global.add.u32 [%d1], %r11;
    cvt.rn.f32.s32 %r13, %r11; fma.rn.f32 %r13, %r13, %r13, %r13; cvt.s64.s32 %d3, %r13;
    add.u64 %d4, %d3, %d2; cvt.u32.u64 %r14, %d4; atom.global.exch.b32 %r14, [%d1], %r14;
    add.u32 %r4, %r4, 1; setp.lt.u32 %p3, %r4, 9;
    @%p3 bra L;
    st.global.b32 [%d1], %r14;)"));
  Trial plain, followed;
  plain.buffers = {std::vector<std::uint32_t>(32, ~0u), std::vector<std::uint32_t>(32, 3)};
  followed.buffers = plain.buffers;
  followed.unwritten = {0};
  LaunchOutcome expected = plain(program), outcome = followed(program);
  ASSERT_FALSE(expected.fault) << expected.fault->finding.text;
  ASSERT_FALSE(outcome.fault) << outcome.fault->finding.text;
  EXPECT_TRUE(expected.findings.empty());
  EXPECT_FALSE(outcome.findings.empty());
  EXPECT_EQ(followed.buffers[1], plain.buffers[1]);
  EXPECT_EQ(outcome.counters.warpInstructions, expected.counters.warpInstructions);
  EXPECT_EQ(outcome.counters.threadInstructions, expected.counters.threadInstructions);
  for (std::size_t i = 0; i < expected.counters.accesses.size(); ++i) {
    EXPECT_EQ(outcome.counters.accesses[i].requests, expected.counters.accesses[i].requests);
    EXPECT_EQ(outcome.counters.accesses[i].sectors, expected.counters.accesses[i].sectors);
    EXPECT_EQ(outcome.counters.accesses[i].wavefronts, expected.counters.accesses[i].wavefronts);
  }
}

} // namespace
} // namespace trowel::sim
