// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers: when they are complete, and what is found when they are misused.

#include "Programs.h"

#include <gmock/gmock.h>

namespace trowel::sim {
namespace {

using testing::HasSubstr;

/// %r0 is the thread, %r1 its warp, %p0 holds in warp 1 and above.
Finding findingOf(const std::string &body, unsigned threads = 64) {
  Program code = decoded(kernelText("", R"(
    mov.u32 %r0, %tid.x; shr.u32 %r1, %r0, 5; setp.ne.u32 %p0, %r1, 0;
)" + body + "\n ret;"));
  Trial run;
  run.block = {threads, 1, 1};
  LaunchOutcome outcome = run(code);
  return outcome.fault ? outcome.fault->finding : Finding{};
}

TEST(Barrier, ThreadsThatHaveExitedAreNotAwaited) {
  EXPECT_EQ(findingOf("@%p0 ret; bar.sync 0;", 256).text, "");
  // The warp at the barrier is awaited by nobody else; the others leave after it came.
  EXPECT_EQ(findingOf("@%p0 bra LATE; bar.sync 0; ret; LATE: mov.u32 %r2, 0;", 256).text, "");
  // A warp of 7 threads counts as a whole.
  EXPECT_EQ(findingOf("bar.sync 1, 64;", 39).text, "");
  // So does one of which lanes have returned.
  EXPECT_EQ(findingOf("setp.eq.u32 %p1, %r0, 3; @%p1 ret; barrier.sync 1, 64;").text, "");
}

TEST(Barrier, ANumberOfThreadsLeavesTheOtherWarpsAlone) {
  EXPECT_EQ(
      findingOf("setp.ge.u32 %p1, %r1, 2; @%p1 bra B; bar.sync 1, 64; ret; B: bar.sync 2, 64;", 128)
          .text,
      "");
}

TEST(Barrier, RoundsFollowEachOther) {
  EXPECT_EQ(findingOf(R"(
    mov.u32 %r2, 0;
  LOOP:
    @%p0 bra CONSUME;
    bar.arrive 1, 64;
    bar.sync 2, 64;
    bra NEXT;
  CONSUME:
    bar.sync 1, 64;
    bar.arrive 2, 64;
  NEXT:
    add.u32 %r2, %r2, 1;
    setp.lt.u32 %p1, %r2, 100;
    @%p1 bra LOOP;)")
                .text,
            "");
}

TEST(Barrier, LanesOfOneInstructionMayNameDifferentBarriers) {
  EXPECT_EQ(findingOf("and.b32 %r2, %r0, 1; barrier.sync %r2, 32;").text, "");
  EXPECT_EQ(findingOf("and.b32 %r2, %r0, 1; bar.sync %r2, 32;").kind, "barrier-operand");
}

TEST(Barrier, OneThatOnlySomeLanesReachIsFound) {
  Finding finding = findingOf("setp.ge.u32 %p1, %r0, 40; @%p1 bra END; bar.sync 0; END:");
  EXPECT_EQ(finding.kind, "divergent-barrier");
  EXPECT_THAT(finding.text,
              HasSubstr("bar.sync is missed, while other lanes of the warp reach it, in "
                        "program (0, 0, 0), warp 1, lanes 8-31 (PTX line 11)"));
}

TEST(Barrier, CountsAreChecked) {
  EXPECT_EQ(loadError(kernelText("", "bar.sync 0, 33;")),
            "PTX line 9: the number of threads at a barrier must be a multiple of 32, found 33");
  EXPECT_EQ(loadError(kernelText("", "bar.sync 16;")),
            "PTX line 9: a CTA has the barriers 0 to 15");
  EXPECT_THAT(findingOf("mov.u32 %r2, 33; bar.sync 0, %r2;").text,
              HasSubstr("bar.sync counts 33 threads in program (0, 0, 0), warp 0, lanes 0-31 (PTX "
                        "line 11); the number must be a multiple of 32"));
  EXPECT_THAT(findingOf("mov.u32 %r2, 16; bar.sync %r2;").text,
              HasSubstr("bar.sync names barrier 16 in program"));
  EXPECT_THAT(findingOf("mov.u32 %r2, 0; bar.arrive 0, %r2;").text,
              HasSubstr("bar.arrive counts 0 threads in program"));
  EXPECT_THAT(findingOf("bar.sync 0, 96;").text,
              HasSubstr("bar.sync counts 96 threads, more than the 64 of the program,"));
}

TEST(Barrier, DifferentCountsInOneRoundAreFound) {
  Finding finding = findingOf("@%p0 bra B; bar.sync 3, 96; ret; B: bar.sync 3, 64;", 96);
  EXPECT_EQ(finding.kind, "barrier-count");
  EXPECT_THAT(finding.text,
              HasSubstr("bar.sync waits for 64 threads at barrier 3, where bar.sync (PTX line 11) "
                        "waits for 96 threads, in program (0, 0, 0), warp 1, lanes 0-31"));
  EXPECT_EQ(findingOf("@%p0 bra B; bar.sync 3; ret; B: bar.arrive 3, 64;").text, "");
}

TEST(Barrier, MoreThreadsThanItCountsAreFound) {
  // 16 lanes of one warp and 32 of the other at a barrier for 32.
  Finding finding = findingOf(R"(
    setp.lt.u32 %p1, %r0, 16; setp.ge.u32 %p2, %r0, 32; or.pred %p3, %p1, %p2;
    @%p3 barrier.sync 1, 32;
    barrier.sync 2;)");
  EXPECT_EQ(finding.kind, "barrier-count");
  EXPECT_THAT(finding.text, HasSubstr("barrier.sync is one of 48 threads that arrive at barrier 1, "
                                      "which waits for 32,"));
}

TEST(Barrier, ASecondArrivalInOneRoundIsFound) {
  Finding finding = findingOf("@%p0 bra END; bar.arrive 1, 64; bar.arrive 1, 64; END:");
  EXPECT_EQ(finding.kind, "barrier-twice");
  EXPECT_THAT(finding.text, HasSubstr("arrives at barrier 1 a second time before it is complete in "
                                      "program (0, 0, 0), warp 0, lanes 0-31"));
}

TEST(Barrier, AReductionIsNotMixedWithAnotherOperation) {
  EXPECT_EQ(findingOf("@%p0 bra B; bar.red.popc.u32 %r2, 1, %p0; ret; B: bar.sync 1;").kind,
            "barrier-mixed");
  EXPECT_EQ(findingOf("@%p0 bra B; bar.red.or.pred %p1, 1, %p0; ret; B: "
                      "bar.red.and.pred %p1, 1, %p0;")
                .kind,
            "barrier-mixed");
}

TEST(Barrier, ADeadlockTellsWhoWaitsWhere) {
  Finding finding = findingOf("@%p0 bra B; bar.sync 1; ret;\n B: bar.sync 2, 96;\n", 160);
  EXPECT_EQ(finding.kind, "deadlock");
  EXPECT_EQ(finding.ptxLine, 11);
  EXPECT_EQ(
      finding.text,
      "bar.sync waits and nothing can run any more in program (0, 0, 0), warp 0, lanes 0-31 "
      "(PTX line 11); waiting: warp 0, lanes 0-31 at bar.sync (PTX line 11), barrier 1: 32 of "
      "64 threads have arrived; warp 4, lanes 0-31 at bar.sync (PTX line 12), barrier 2: 32 "
      "of 96 threads have arrived");
}

TEST(Barrier, ABarrierThatNobodyElseReachesIsADeadlock) {
  EXPECT_THAT(
      findingOf("@%p0 bra END; bar.sync 0, 64; END:").text,
      HasSubstr("waiting: warp 0, lanes 0-31 at bar.sync (PTX line 11), barrier 0: 32 of 64 "
                "threads have arrived"));
}

} // namespace
} // namespace trowel::sim
