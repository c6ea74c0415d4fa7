// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How lanes come together at instructions with a member mask, and what is found when they cannot.
// What the instructions compute is tested by the programs in tests/sim.

#include "Programs.h"

#include <gmock/gmock.h>

#include <random>

namespace trowel::sim {
namespace {

using testing::HasSubstr;

/// %r0 is the thread, %d1 the address of its word of y; the result is stored from %r2.
std::string program(const std::string &body) {
  return kernelText(".param .u64 y", R"(
    mov.u32 %r0, %tid.x; ld.param.u64 %d0, [y]; mad.wide.u32 %d1, %r0, 4, %d0; mov.b32 %r2, 0;
)" + body + "\n st.global.b32 [%d1], %r2; ret;");
}

struct Outcome {
  std::vector<std::uint32_t> y;
  Finding finding;
  LaunchCounters counters{0};
};

Outcome execute(const std::string &body, unsigned threads = 32) {
  Program code = decoded(program(body));
  Trial run;
  run.block = {threads, 1, 1};
  run.buffers = {std::vector<std::uint32_t>(threads)};
  LaunchOutcome outcome = run(code);
  return {run.buffers[0], outcome.fault ? outcome.fault->finding : Finding{}, outcome.counters};
}

TEST(WarpSync, LanesOnTheWayWaitForThoseThatComeLater) {
  // In a loop each lane makes another number of trips before it comes to the shuffle by itself.
  Outcome outcome = execute(R"(
    mov.u32 %r3, %r0;
  LOOP:
    setp.eq.u32 %p0, %r3, 0;
    @%p0 shfl.sync.bfly.b32 %r2, %r0, 31, 31, -1;
    @%p0 bra END;
    sub.u32 %r3, %r3, 1;
    bra LOOP;
  END:)");
  EXPECT_EQ(outcome.finding.text, "");
  for (unsigned lane = 0; lane < 32; ++lane)
    EXPECT_EQ(outcome.y[lane], lane ^ 31);
}

TEST(WarpSync, AnExchangeCountsOnceWithAllItsLanes) {
  auto execution = [](const std::string &instruction) {
    Outcome outcome = execute("setp.lt.u32 %p0, %r0, 16; @%p0 bra A;" + instruction +
                              "bra END; A:" + instruction + "END:");
    EXPECT_EQ(outcome.finding.text, "");
    return outcome.counters;
  };
  // The two halves execute the move apart and the exchange together.
  LaunchCounters apart = execution("mov.b32 %r3, 0;"), together = execution("bar.warp.sync -1;");
  EXPECT_EQ(together.warpInstructions, apart.warpInstructions - 1);
  EXPECT_EQ(together.threadInstructions, apart.threadInstructions);
}

TEST(WarpSync, LanesThatHaveExitedAreNotAwaited) {
  // Lanes 24 to 31 return, before or after the others come to the vote.
  for (const char *leave : {"@%p0 ret;", "@%p0 bra LEAVE;"}) {
    Outcome outcome = execute(std::string("setp.ge.u32 %p0, %r0, 24;") + leave +
                              "vote.sync.ballot.b32 %r2, 1, -1; st.global.b32 [%d1], %r2; ret; "
                              "LEAVE: ret;");
    EXPECT_EQ(outcome.finding.text, "");
    for (unsigned lane = 0; lane < 32; ++lane)
      EXPECT_EQ(outcome.y[lane], lane < 24 ? 0x00ffffffu : 0u);
  }
}

TEST(WarpSync, SetsOfOneInstructionDoNotWaitForEachOther) {
  // Even lanes come first and exchange among themselves.
  Outcome outcome = execute(R"(
    and.b32 %r3, %r0, 1; setp.ne.u32 %p0, %r3, 0;
    mov.b32 %r4, 0x55555555; @%p0 mov.b32 %r4, 0xaaaaaaaa;
    mov.b32 %r5, 0;
  LOOP:
    setp.eq.u32 %p1, %r5, %r3;
    @%p1 shfl.sync.idx.b32 %r2, %r0, %r3, 31, %r4;
    add.u32 %r5, %r5, 1;
    setp.lt.u32 %p2, %r5, 2;
    @%p2 bra LOOP;)");
  EXPECT_EQ(outcome.finding.text, "");
  for (unsigned lane = 0; lane < 32; ++lane)
    EXPECT_EQ(outcome.y[lane], lane & 1);
}

TEST(WarpSync, RandomSetsThatComeAtRandomTimesExchangeAmongThemselves) {
  // Each lane belongs to a set and comes to the exchange after a number of trips of its own; some
  // leave the kernel instead. y[i] is then the sum of the lanes of i's set that stayed.
  Program code = decoded(program(R"(
    ld.global.b32 %r3, [%d1+128];
    ld.global.b32 %r4, [%d1+256];
  LOOP:
    setp.ne.u32 %p0, %r4, 0;
    @%p0 bra NEXT;
    setp.eq.u32 %p1, %r3, 0;
    @%p1 ret;
    redux.sync.add.u32 %r2, %r0, %r3;
    bra END;
  NEXT:
    sub.u32 %r4, %r4, 1;
    bra LOOP;
  END:)"));
  std::mt19937 random(9);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::uint32_t> sets(32), words(96), expected(32);
    unsigned setCount = 1 + random() % 6, stays = random() % 4;
    for (std::uint32_t &set : sets)
      set = random() % setCount;
    std::uint32_t members[6] = {}, sums[6] = {};
    bool left[32] = {};
    for (unsigned lane = 0; lane < 32; ++lane) {
      left[lane] = random() % 8 < stays;
      members[sets[lane]] |= Mask{1} << lane;
      sums[sets[lane]] += left[lane] ? 0 : lane;
      words[64 + lane] = random() % 5;
    }
    for (unsigned lane = 0; lane < 32; ++lane) {
      words[32 + lane] = left[lane] ? 0 : members[sets[lane]];
      expected[lane] = left[lane] ? 0 : sums[sets[lane]];
    }
    Trial run;
    run.seed = static_cast<std::uint64_t>(round);
    run.buffers = {words};
    LaunchOutcome outcome = run(code);
    ASSERT_FALSE(outcome.fault) << outcome.fault->finding.text;
    run.buffers[0].resize(32);
    EXPECT_EQ(run.buffers[0], expected) << "round " << round;
  }
}

TEST(WarpSync, ALaneThatIsNotInItsMaskIsFound) {
  Outcome outcome = execute("vote.sync.ballot.b32 %r2, 1, 0x0000ffff;");
  EXPECT_EQ(outcome.finding.kind, "not-a-member");
  EXPECT_THAT(
      outcome.finding.text,
      HasSubstr("vote.sync.ballot.b32 is executed by lanes that their member mask 0x0000ffff "
                "does not name, in program (0, 0, 0), warp 0, lanes 16-31 (PTX line"));
}

TEST(WarpSync, LanesThatCannotComeAreFound) {
  Outcome outcome = execute(R"(
    setp.ge.u32 %p0, %r0, 8;
    @%p0 bra OTHER;
    redux.sync.add.u32 %r2, %r0, -1;
    bra END;
  OTHER:
    redux.sync.add.u32 %r2, %r0, -1;
  END:)");
  EXPECT_EQ(outcome.finding.kind, "missing-lanes");
  EXPECT_EQ(outcome.finding.text,
            "redux.sync.add.u32 waits for lanes 8-31, which its member mask 0xffffffff names and "
            "which cannot come, in program (0, 0, 0), warp 0, lanes 0-7 (PTX line 14); waiting: "
            "warp 0, lanes 0-7 at redux.sync.add.u32 (PTX line 14); "
            "warp 0, lanes 8-31 at redux.sync.add.u32 (PTX line 17)");
}

TEST(WarpSync, LanesThatWaitBehindTheBranchAreFound) {
  Outcome outcome = execute(R"(
    setp.ge.u32 %p0, %r0, 16;
    @%p0 bra END;
    shfl.sync.down.b32 %r2, %r0, 1, 31, -1;
  END:)");
  EXPECT_EQ(outcome.finding.kind, "missing-lanes");
  EXPECT_THAT(outcome.finding.text,
              HasSubstr("warp 0, lanes 16-31 behind a branch (before PTX line 16)"));
}

TEST(WarpSync, ReadingFromALaneThatTakesNoPartIsFound) {
  // Lane 16 alone reads lane 24, all others themselves.
  std::string body = "setp.eq.u32 %p1, %r0, 16; mov.b32 %r3, 0; @%p1 mov.b32 %r3, 8;"
                     "shfl.sync.down.b32 %r2, %r0, %r3, 31, ";
  const char *sentence = "shfl.sync.down.b32 reads from lane 24, which does not execute it (lanes "
                         "that do: 0x00ffffff), in program (0, 0, 0), warp 0, lane 16 (PTX line";
  std::string leave = "setp.ge.u32 %p0, %r0, 24; @%p0 ret;";
  Outcome absent = execute(body + "-1;", 24), exited = execute(leave + body + "-1;"),
          outside = execute(leave + body + "0x00ffffff;");
  for (const Outcome *outcome : {&absent, &exited, &outside}) {
    EXPECT_EQ(outcome->finding.kind, "inactive-source");
    EXPECT_THAT(outcome->finding.text, HasSubstr(sentence));
  }
  EXPECT_THAT(absent.finding.text, HasSubstr("that lane has exited or was never there, so"));
  EXPECT_THAT(exited.finding.text, HasSubstr("that lane has exited or was never there, so"));
  EXPECT_THAT(outside.finding.text, HasSubstr("that lane is not in the member mask, so"));
}

TEST(WarpSync, OperandsAreChecked) {
  EXPECT_EQ(loadError(kernelText("", "elect.sync %r0, -1;")),
            "PTX line 9: expected a pair 'd|p' behind elect.sync: the predicate is its result");
  EXPECT_THAT(loadError(kernelText("", "shfl.sync.up.b32 %r0, %r1, 1, 0;")),
              HasSubstr("'shfl.sync.up.b32' takes 5 operands, found 4"));
  EXPECT_THAT(loadError(kernelText("", "match.any.sync.b32 %r0|%p0, %r1, -1;")),
              HasSubstr("match.any gives no predicate"));
  Program old =
      decoded(kernelText("", "vote.ballot.b32 %r0, %p0; redux.sync.add.b32 %r0, %r1, -1;"));
  EXPECT_EQ(old.infos[0].unknown, "form without .sync");
  EXPECT_EQ(old.infos[1].unknown, "operation or type");
}

} // namespace
} // namespace trowel::sim
