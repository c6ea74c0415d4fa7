// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Results, counters and the reported fault do not depend on the number of host threads.

#include "Programs.h"

#include <gtest/gtest.h>

namespace trowel::sim {
namespace {

const char *mixed = R"(
    mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x;
    mad.lo.u32 %r3, %r1, %r2, %r0;
    ld.param.u64 %d0, [x]; mad.wide.u32 %d1, %r3, 4, %d0;
    ld.global.b32 %r4, [%d1];
    and.b32 %r5, %r4, 31;
  LOOP:
    setp.eq.u32 %p0, %r5, 0;
    @%p0 bra END;
    mad.lo.u32 %r4, %r4, 1664525, 1013904223;
    sub.u32 %r5, %r5, 1;
    bra LOOP;
  END:
    st.global.b32 [%d1], %r4;
    ret;)";

Trial runOf(unsigned hostThreads) {
  Trial run;
  run.hostThreads = hostThreads;
  run.grid = {200, 1, 1};
  run.block = {96, 1, 1};
  run.buffers = {std::vector<std::uint32_t>(200 * 96)};
  for (std::size_t i = 0; i < run.buffers[0].size(); ++i)
    run.buffers[0][i] = static_cast<std::uint32_t>(i * 2654435761u >> 7);
  return run;
}

TEST(Determinism, ResultsAndCountersDoNotDependOnHostThreads) {
  Program program = decoded(kernelText(".param .u64 x", mixed));
  Trial reference = runOf(1);
  LaunchOutcome expected = reference(program);
  ASSERT_FALSE(expected.fault);
  for (unsigned hostThreads : {2u, 3u, 8u, 0u}) {
    Trial run = runOf(hostThreads);
    LaunchOutcome outcome = run(program);
    EXPECT_EQ(run.buffers, reference.buffers);
    EXPECT_EQ(outcome.counters.warpInstructions, expected.counters.warpInstructions);
    EXPECT_EQ(outcome.counters.threadInstructions, expected.counters.threadInstructions);
    for (std::size_t i = 0; i < expected.counters.accesses.size(); ++i) {
      EXPECT_EQ(outcome.counters.accesses[i].requests, expected.counters.accesses[i].requests);
      EXPECT_EQ(outcome.counters.accesses[i].sectors, expected.counters.accesses[i].sectors);
      EXPECT_EQ(outcome.counters.accesses[i].lines, expected.counters.accesses[i].lines);
      EXPECT_EQ(outcome.counters.accesses[i].bytes, expected.counters.accesses[i].bytes);
    }
  }
}

TEST(Determinism, TheFaultIsThatOfTheLowestCta) {
  // CTAs 17, 38, 59, … trap; those before take longer the later they are.
  Program program = decoded(kernelText("", R"(
    mov.u32 %r0, %ctaid.x;
    rem.u32 %r1, %r0, 21;
    mul.lo.u32 %r2, %r1, 50;
  LOOP:
    setp.eq.u32 %p0, %r2, 0;
    @%p0 bra END;
    sub.u32 %r2, %r2, 1;
    bra LOOP;
  END:
    setp.eq.u32 %p1, %r1, 17;
    @%p1 trap;
    ret;)"));
  for (unsigned hostThreads : {1u, 2u, 5u, 16u})
    for (int round = 0; round < 10; ++round) {
      Trial run;
      run.hostThreads = hostThreads;
      run.grid = {300, 1, 1};
      LaunchOutcome outcome = run(program);
      ASSERT_TRUE(outcome.fault);
      EXPECT_NE(outcome.fault->finding.text.find("program (17, 0, 0)"), std::string::npos)
          << outcome.fault->finding.text;
    }
}

TEST(Determinism, SumsOfFloatsByAtomicsRepeat) {
  Program program = decoded(kernelText(".param .u64 x", R"(
    mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x;
    mad.lo.u32 %r2, %r1, 977, %r0;
    cvt.rn.f32.u32 %r3, %r2;
    sqrt.rn.f32 %r3, %r3;
    ld.param.u64 %d0, [x];
    red.global.add.f32 [%d0], %r3;
    ret;)"));
  auto sum = [&](unsigned hostThreads) {
    Trial run;
    run.hostThreads = hostThreads;
    run.grid = {100, 1, 1};
    run.buffers = {{0}};
    run(program);
    return run.buffers[0][0];
  };
  std::uint32_t expected = sum(1);
  EXPECT_EQ(sum(4), expected);
  EXPECT_EQ(sum(0), expected);
}

TEST(Determinism, RegistersAndSharedMemoryStartTheSameInEveryCta) {
  Program program = decoded(kernelText(".param .u64 x", R"(
    .shared .b32 cell[32];
    mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x;
    ld.param.u64 %d0, [x]; mad.lo.u32 %r2, %r1, 32, %r0; mad.wide.u32 %d0, %r2, 4, %d0;
    mov.u32 %r5, cell; mad.lo.u32 %r5, %r0, 4, %r5;
    ld.shared.b32 %r4, [%r5];
    xor.b32 %r3, %r6, %r4;   // %r6 was never written
    st.global.b32 [%d0], %r3;
    mov.b32 %r6, %r2; st.shared.b32 [%r5], %r2;
    ret;)"));
  Trial run;
  run.grid = {20, 1, 1};
  run.buffers = {std::vector<std::uint32_t>(640, 5)};
  run(program);
  EXPECT_EQ(run.buffers[0], std::vector<std::uint32_t>(640, 0));
}

} // namespace
} // namespace trowel::sim
