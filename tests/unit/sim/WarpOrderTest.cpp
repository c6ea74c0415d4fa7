// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Orders of warps and programs: each is a function of its seed, they differ, and what is correct
// does not depend on them.

#include "Programs.h"

#include <gtest/gtest.h>

#include <set>

namespace trowel::sim {
namespace {

std::vector<std::uint32_t> resultsOf(const Program &program, std::uint64_t seed, unsigned programs,
                                     unsigned threads, std::size_t words,
                                     LaunchCounters *counters = nullptr) {
  Trial run;
  run.seed = seed;
  run.hostThreads = 4;
  run.grid = {programs, 1, 1};
  run.block = {threads, 1, 1};
  run.buffers = {std::vector<std::uint32_t>(words)};
  LaunchOutcome outcome = run(program);
  EXPECT_FALSE(outcome.fault) << "seed " << seed << ": " << outcome.fault->finding.text;
  if (counters)
    *counters = outcome.counters;
  return run.buffers[0];
}

/// Each thread notes when it came, by a ticket of its program; the order of warps lies open.
const char *tickets = R"(
    mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mad.lo.u32 %r3, %r1, %r2, %r0;
    ld.param.u64 %d0, [x];
    atom.global.add.u32 %r4, [%d0], 1;
    mad.wide.u32 %d1, %r3, 4, %d0;
    st.global.b32 [%d1+4], %r4;
    ret;)";

TEST(WarpOrder, IsTheSameForASeedAndDiffersBetweenSeeds) {
  Program program = decoded(kernelText(".param .u64 x", tickets));
  std::set<std::vector<std::uint32_t>> orders;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<std::uint32_t> order = resultsOf(program, seed, 3, 128, 385);
    EXPECT_EQ(resultsOf(program, seed, 3, 128, 385), order) << seed;
    orders.insert(order);
  }
  EXPECT_GT(orders.size(), 15u);
}

TEST(WarpOrder, WithoutASeedFollowsTheNumbers) {
  std::vector<std::uint32_t> order =
      resultsOf(decoded(kernelText(".param .u64 x", tickets)), 0, 3, 128, 385);
  for (std::uint32_t thread = 0; thread < 384; ++thread)
    EXPECT_EQ(order[1 + thread], thread);
}

TEST(WarpOrder, EveryProgramRunsOnceUnderAnySeed) {
  Program program = decoded(kernelText(".param .u64 x", R"(
    mov.u32 %r1, %ctaid.x;
    ld.param.u64 %d0, [x]; mad.wide.u32 %d1, %r1, 4, %d0;
    red.global.add.u32 [%d1], 1;
    ret;)"));
  for (unsigned programs : {1u, 2u, 3u, 4u, 5u, 12u, 97u, 1000u})
    for (std::uint64_t seed : {std::uint64_t{1}, std::uint64_t{2}, ~std::uint64_t{0}}) {
      LaunchCounters counters{0};
      EXPECT_EQ(resultsOf(program, seed, programs, 32, programs, &counters),
                std::vector<std::uint32_t>(programs, 32));
      EXPECT_EQ(counters.warpInstructions, 5u * programs);
    }
}

TEST(WarpOrder, AllOrdersOfThreeProgramsOccur) {
  Program program = decoded(kernelText(".param .u64 x", tickets));
  std::set<std::vector<std::uint32_t>> orders;
  for (std::uint64_t seed = 1; seed < 100; ++seed) {
    // The first threads' tickets; with one warp a program these are the programs' order.
    std::vector<std::uint32_t> order = resultsOf(program, seed, 3, 1, 4);
    orders.insert({order[1], order[2], order[3]});
  }
  EXPECT_EQ(orders.size(), 6u);
}

TEST(WarpOrder, StopsWarpsBetweenALoadAndItsStore) {
  // Lost updates: without an atomic the sum of what eight warps add depends on the order.
  Program program = decoded(kernelText(".param .u64 x", R"(
    ld.param.u64 %d0, [x];
    ld.global.b32 %r0, [%d0];
    add.u32 %r0, %r0, 1;
    st.global.b32 [%d0], %r0;
    ret;)"));
  std::set<std::uint32_t> sums;
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    sums.insert(resultsOf(program, seed, 1, 256, 1)[0]);
  EXPECT_EQ(*sums.rbegin(), 8u);
  EXPECT_GT(sums.size(), 1u);
}

TEST(WarpOrder, BarriersAndExchangesHoldUnderAnySeed) {
  // A sum over 256 threads by shuffles within warps and shared memory between them, in a loop.
  Program program = decoded(kernelText(".param .u64 x", R"(
    .shared .b32 part[8];
    mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; shr.u32 %r2, %r0, 5; and.b32 %r3, %r0, 31;
    mov.u32 %r8, part; mad.lo.u32 %r9, %r2, 4, %r8; mad.lo.u32 %r11, %r3, 4, %r8;
    add.u32 %r4, %r0, %r1; mov.u32 %r5, 0;
  LOOP:
    shfl.sync.bfly.b32 %r6, %r4, 16, 31, -1; add.u32 %r4, %r4, %r6;
    shfl.sync.bfly.b32 %r6, %r4, 8, 31, -1; add.u32 %r4, %r4, %r6;
    shfl.sync.bfly.b32 %r6, %r4, 4, 31, -1; add.u32 %r4, %r4, %r6;
    shfl.sync.bfly.b32 %r6, %r4, 2, 31, -1; add.u32 %r4, %r4, %r6;
    shfl.sync.bfly.b32 %r6, %r4, 1, 31, -1; add.u32 %r4, %r4, %r6;
    setp.eq.u32 %p0, %r3, 0;
    @%p0 st.shared.b32 [%r9], %r4;
    bar.sync 0;
    setp.lt.u32 %p1, %r3, 8; mov.u32 %r7, 0;
    @%p1 ld.shared.b32 %r7, [%r11];
    redux.sync.add.u32 %r4, %r7, -1;
    add.u32 %r4, %r4, %r0;
    bar.sync 0;
    add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 3;
    @%p2 bra LOOP;
    ld.param.u64 %d0, [x]; mov.u32 %r10, %ntid.x; mad.lo.u32 %r10, %r1, %r10, %r0;
    mad.wide.u32 %d1, %r10, 4, %d0;
    st.global.b32 [%d1], %r4;
    ret;)"));
  std::vector<std::uint32_t> expected;
  for (std::uint32_t cta = 0; cta < 6; ++cta) {
    std::uint32_t sum = 255 * 128 + 256 * cta;
    for (int round = 1; round < 3; ++round)
      sum = 256 * sum + 255 * 128;
    for (std::uint32_t thread = 0; thread < 256; ++thread)
      expected.push_back(sum + thread);
  }
  LaunchCounters reference{0}, counters{0};
  EXPECT_EQ(resultsOf(program, 0, 6, 256, 1536, &reference), expected);
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    EXPECT_EQ(resultsOf(program, seed, 6, 256, 1536, &counters), expected) << "seed " << seed;
    EXPECT_EQ(counters.warpInstructions, reference.warpInstructions);
    EXPECT_EQ(counters.threadInstructions, reference.threadInstructions);
  }
}

TEST(WarpOrder, AWarpThatLoopsUntilAnotherWritesGetsToSeeIt) {
  // Warp 0 waits for warp 1, which comes after it in the order of numbers.
  Program program = decoded(kernelText(".param .u64 x", R"(
    mov.u32 %r0, %tid.x; setp.ge.u32 %p0, %r0, 32; ld.param.u64 %d0, [x];
    @%p0 bra WRITE;
  WAIT:
    ld.acquire.gpu.global.b32 %r1, [%d0];
    setp.eq.u32 %p1, %r1, 0;
    @%p1 bra WAIT;
    st.global.b32 [%d0+4], %r1;
    ret;
  WRITE:
    st.release.gpu.global.b32 [%d0], 77;
    ret;)"));
  for (std::uint64_t seed = 0; seed < 5; ++seed)
    EXPECT_EQ(resultsOf(program, seed, 1, 64, 2), (std::vector<std::uint32_t>{77, 77}));
}

TEST(WarpOrder, TheLeaderIsAnotherLaneUnderSomeSeed) {
  Program program = decoded(kernelText(".param .u64 x", R"(
    ld.param.u64 %d0, [x];
    elect.sync %r0|%p0, -1; elect.sync %r1|%p1, -1;
    @%p0 st.global.b32 [%d0], %r0;
    @%p1 st.global.b32 [%d0+4], %r1;
    ret;)"));
  std::set<std::uint32_t> leaders;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<std::uint32_t> leader = resultsOf(program, seed, 1, 32, 2);
    EXPECT_EQ(leader[0], leader[1]) << "the same mask has the same leader";
    EXPECT_TRUE(seed != 0 || leader[0] == 0);
    leaders.insert(leader[0]);
  }
  EXPECT_GT(leaders.size(), 8u);
}

} // namespace
} // namespace trowel::sim
