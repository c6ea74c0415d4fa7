// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Programs.h"

#include "runtime/sim/Divergence.h"

#include <gtest/gtest.h>

#include <random>

namespace trowel::sim {
namespace {

TEST(Divergence, PartsMeetAtTheReconvergencePoint) {
  Divergence lanes;
  lanes.start(0xff);
  lanes.split(0x0f, 30, 11, 40);
  EXPECT_EQ(lanes.pc(), 11u); // the smaller pc first
  EXPECT_EQ(lanes.mask(), 0xf0u);
  lanes.advance(40);
  EXPECT_EQ(lanes.pc(), 30u);
  EXPECT_EQ(lanes.mask(), 0x0fu);
  lanes.advance(40);
  EXPECT_EQ(lanes.pc(), 40u);
  EXPECT_EQ(lanes.mask(), 0xffu);
}

TEST(Divergence, LanesThatExitAreNotWaitedFor) {
  Divergence lanes;
  lanes.start(0xff);
  lanes.split(0x0f, 30, 11, 40);
  lanes.exit(0xf0, 12);
  EXPECT_EQ(lanes.mask(), 0x0fu);
  EXPECT_EQ(lanes.alive(), 0x0fu);
  lanes.advance(40);
  EXPECT_EQ(lanes.mask(), 0x0fu);
  EXPECT_EQ(lanes.pc(), 40u);
  lanes.exit(0x0f, 41);
  EXPECT_TRUE(lanes.finished());
}

TEST(Divergence, GroupsAtOnePcMergeWithoutAMeeting) {
  Divergence lanes;
  lanes.start(0x3);
  lanes.split(0x1, 20, 11, noInstruction);
  lanes.advance(20);
  EXPECT_EQ(lanes.mask(), 0x3u);
}

TEST(Divergence, NestedMeetingsAtOnePointJoinAll) {
  Divergence lanes;
  lanes.start(0xf);
  lanes.split(0x1, 20, 11, 40);
  lanes.split(0x2, 15, 12, 40);
  lanes.advance(40);
  lanes.advance(40);
  lanes.advance(40);
  EXPECT_EQ(lanes.pc(), 40u);
  EXPECT_EQ(lanes.mask(), 0xfu);
}

TEST(Divergence, ScatterGroupsEqualTargets) {
  Divergence lanes;
  lanes.start(0xf);
  std::uint32_t targets[lanesPerWarp] = {30, 20, 30, 50};
  lanes.scatter(targets, 60);
  EXPECT_EQ(lanes.pc(), 20u);
  EXPECT_EQ(lanes.mask(), 0x2u);
  lanes.advance(60);
  EXPECT_EQ(lanes.mask(), 0x5u);
  lanes.advance(60);
  lanes.advance(60);
  EXPECT_EQ(lanes.mask(), 0xfu);
}

/// y[i] is a word that each lane makes on a path of its own; m[i] the lanes active in the end.
struct Outcome {
  std::vector<std::uint32_t> y, m;
};
Outcome execute(const std::string &body, std::vector<std::uint32_t> input) {
  Program program = decoded(kernelText(".param .u64 x, .param .u64 y, .param .u64 m", R"(
    mov.u32 %r0, %tid.x;
    ld.param.u64 %d0, [x]; mad.wide.u32 %d0, %r0, 4, %d0; ld.global.b32 %r1, [%d0];
    mov.b32 %r2, 0;
)" + body + R"(
    activemask.b32 %r3;
    ld.param.u64 %d0, [y]; mad.wide.u32 %d0, %r0, 4, %d0; st.global.b32 [%d0], %r2;
    ld.param.u64 %d0, [m]; mad.wide.u32 %d0, %r0, 4, %d0; st.global.b32 [%d0], %r3;
    ret;)"));
  Trial run;
  input.resize(32);
  run.buffers = {input, std::vector<std::uint32_t>(32), std::vector<std::uint32_t>(32)};
  LaunchOutcome outcome = run(program);
  EXPECT_FALSE(outcome.fault) << outcome.fault->finding.text;
  return {run.buffers[1], run.buffers[2]};
}

std::vector<std::uint32_t> randomWords(unsigned below) {
  std::mt19937 random(5);
  std::vector<std::uint32_t> words(32);
  for (std::uint32_t &word : words)
    word = random() % below;
  return words;
}

TEST(Divergence, LoopsOfDifferentTripCountsEndTogether) {
  std::vector<std::uint32_t> trips = randomWords(40);
  Outcome outcome = execute(R"(
  LOOP:
    setp.eq.u32 %p0, %r1, 0;
    @%p0 bra END;
    add.u32 %r2, %r2, %r1;
    sub.u32 %r1, %r1, 1;
    bra LOOP;
  END:)",
                            trips);
  for (unsigned lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(outcome.y[lane], trips[lane] * (trips[lane] + 1) / 2);
    EXPECT_EQ(outcome.m[lane], allLanes);
  }
}

TEST(Divergence, NestedLoopsWithBreakAndContinue) {
  // for (i = 0; i < x; ++i) for (j = 0; ; ++j) { if (j == i) break; if (j & 1) continue; y += j +
  // 1; }
  std::vector<std::uint32_t> counts = randomWords(12);
  Outcome outcome = execute(R"(
    mov.b32 %r4, 0;
  OUTER:
    setp.ge.u32 %p0, %r4, %r1;
    @%p0 bra END;
    mov.b32 %r5, 0;
  INNER:
    setp.eq.u32 %p1, %r5, %r4;
    @%p1 bra NEXT;
    and.b32 %r6, %r5, 1;
    setp.ne.u32 %p2, %r6, 0;
    @%p2 bra CONTINUE;
    add.u32 %r2, %r2, %r5;
    add.u32 %r2, %r2, 1;
  CONTINUE:
    add.u32 %r5, %r5, 1;
    bra INNER;
  NEXT:
    add.u32 %r4, %r4, 1;
    bra OUTER;
  END:)",
                            counts);
  for (unsigned lane = 0; lane < 32; ++lane) {
    std::uint32_t expected = 0;
    for (std::uint32_t i = 0; i < counts[lane]; ++i)
      for (std::uint32_t j = 0; j < i; j += 2)
        expected += j + 1;
    EXPECT_EQ(outcome.y[lane], expected);
    EXPECT_EQ(outcome.m[lane], allLanes);
  }
}

TEST(Divergence, BlocksLaidOutBackwardsStillMeet) {
  // The branches go up in the text, so the smallest pc is not the one furthest behind.
  std::vector<std::uint32_t> values = randomWords(4);
  Outcome outcome = execute(R"(
    bra START;
  ODD:
    add.u32 %r2, %r2, 100;
    bra JOIN;
  BIG:
    add.u32 %r2, %r2, 1000;
    bra JOIN;
  START:
    setp.ge.u32 %p0, %r1, 2;
    @%p0 bra BIG;
    setp.eq.u32 %p1, %r1, 1;
    @%p1 bra ODD;
    add.u32 %r2, %r2, 1;
  JOIN:)",
                            values);
  constexpr std::uint32_t expected[] = {1, 100, 1000, 1000};
  for (unsigned lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(outcome.y[lane], expected[values[lane]]);
    EXPECT_EQ(outcome.m[lane], allLanes);
  }
}

TEST(Divergence, LanesThatReturnInALoopLeaveTheOthersAlone) {
  Program program = decoded(kernelText(".param .u64 y", R"(
    mov.u32 %r0, %tid.x;
    ld.param.u64 %d0, [y]; mad.wide.u32 %d0, %r0, 4, %d0;
    mov.b32 %r1, 0;
  LOOP:
    st.global.b32 [%d0], %r1;
    setp.eq.u32 %p0, %r1, %r0;
    @%p0 ret;
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p1, %r1, 20;
    @%p1 bra LOOP;
    st.global.b32 [%d0], 77;
    ret;)"));
  Trial run;
  run.buffers = {std::vector<std::uint32_t>(32)};
  LaunchOutcome outcome = run(program);
  ASSERT_FALSE(outcome.fault) << outcome.fault->finding.text;
  for (unsigned lane = 0; lane < 32; ++lane)
    EXPECT_EQ(run.buffers[0][lane], lane < 20 ? lane : 77u);
}

TEST(Divergence, RandomBranchesComputeWhatEachLaneWouldAlone) {
  // The same program with one lane at a time is the reference.
  std::mt19937 random(11);
  for (int round = 0; round < 60; ++round) {
    unsigned blocks = 3 + random() % 8;
    std::string body = "mov.b32 %r7, 0;\n";
    for (unsigned block = 0; block < blocks; ++block) {
      body += "B" + std::to_string(block) +
              ":\n  add.u32 %r7, %r7, 1; setp.gt.u32 %p7, %r7, 40;\n" +
              "  @%p7 bra END;\n  mad.lo.u32 %r2, %r2, 31, " + std::to_string(block + 1) + ";\n";
      body += "  mad.lo.u32 %r4, %r1, " + std::to_string(1 + random() % 9) +
              ", %r7; and.b32 %r4, %r4, " + std::to_string(1 + random() % 3) +
              "; setp.eq.u32 %p0, %r4, 0;\n  @%p0 bra B" + std::to_string(random() % blocks) +
              ";\n";
    }
    body += "END:";
    std::vector<std::uint32_t> input = randomWords(1000);
    Outcome together = execute(body, input);
    for (unsigned lane = 0; lane < 32; lane += 5) {
      Outcome alone = execute(body, std::vector<std::uint32_t>(32, input[lane]));
      EXPECT_EQ(together.y[lane], alone.y[lane]);
      EXPECT_EQ(together.m[lane], allLanes);
    }
  }
}

TEST(Divergence, EndlessLoopIsReported) {
  Program program = decoded(kernelText("", "LOOP: bra LOOP; ret;"));
  Trial run;
  run.instructionLimit = 1000;
  LaunchOutcome outcome = run(program);
  ASSERT_TRUE(outcome.fault);
  EXPECT_EQ(outcome.fault->finding.kind, "no-progress");
  EXPECT_EQ(outcome.fault->finding.ptxLine, 9);
}

} // namespace
} // namespace trowel::sim
