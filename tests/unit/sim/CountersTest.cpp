// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sectors and lines of a warp's access, as a profiler counts them on a GPU.

#include "Programs.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace trowel::sim {
namespace {

struct Pattern {
  const char *name;
  std::uint64_t stride, offset;
  unsigned sectors, lines;
};

Segments segmentsOf(std::uint64_t base, std::uint64_t stride, std::uint64_t offset, Mask mask) {
  std::uint64_t addresses[lanesPerWarp];
  for (unsigned lane = 0; lane < lanesPerWarp; ++lane)
    addresses[lane] = base + stride * lane + offset;
  return countSegments(addresses, mask);
}

TEST(Counters, PatternsOfWordsMatchTheProfiler) {
  constexpr Pattern patterns[] = {
      {"4i", 4, 0, 4, 1},    {"4i+4", 4, 4, 5, 2},     {"8i", 8, 0, 8, 2},
      {"32i", 32, 0, 32, 8}, {"128i", 128, 0, 32, 32}, {"one address", 0, 0, 1, 1},
  };
  for (const Pattern &pattern : patterns) {
    Segments segments = segmentsOf(0xd00000000200, pattern.stride, pattern.offset, allLanes);
    EXPECT_EQ(segments.sectors, pattern.sectors) << pattern.name;
    EXPECT_EQ(segments.lines, pattern.lines) << pattern.name;
  }
}

TEST(Counters, PatternsOfVectorsMatchTheProfiler) {
  constexpr Pattern patterns[] = {
      {"16i", 16, 0, 16, 4},
      {"16i+16", 16, 16, 17, 5},
      {"32i", 32, 0, 32, 8},
      {"128i", 128, 0, 32, 32},
  };
  for (const Pattern &pattern : patterns) {
    Segments segments = segmentsOf(0xd00000000200, pattern.stride, pattern.offset, allLanes);
    EXPECT_EQ(segments.sectors, pattern.sectors) << pattern.name;
    EXPECT_EQ(segments.lines, pattern.lines) << pattern.name;
  }
}

TEST(Counters, RandomAddressesAndMasksMatchASet) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 2000; ++round) {
    std::uint64_t addresses[lanesPerWarp];
    std::uint64_t range = std::uint64_t{1} << (3 + random() % 12);
    for (std::uint64_t &address : addresses)
      address = 0xd00000000000 + random() % range * 4;
    if (round % 3 == 0)
      std::sort(addresses, addresses + lanesPerWarp);
    auto mask = static_cast<Mask>(round % 2 ? random() : allLanes);
    if (mask == 0)
      continue;
    std::set<std::uint64_t> sectors, lines;
    for (unsigned lane = 0; lane < lanesPerWarp; ++lane)
      if (mask >> lane & 1) {
        sectors.insert(addresses[lane] / 32);
        lines.insert(addresses[lane] / 128);
      }
    Segments segments = countSegments(addresses, mask);
    EXPECT_EQ(segments.sectors, sectors.size());
    EXPECT_EQ(segments.lines, lines.size());
  }
}

/// The counters of the only access of a kernel that moves 4 * words bytes a lane at stride * lane.
AccessCounters countersOf(const std::string &access, unsigned stride, unsigned offset) {
  Program program = decoded(kernelText(
      ".param .u64 x", "mov.u32 %r0, %tid.x; ld.param.u64 %d0, [x]; mad.wide.u32 %d0, %r0, " +
                           std::to_string(stride) + ", %d0;\n" + access + " ret;"));
  Trial run;
  run.buffers = {std::vector<std::uint32_t>(2048)};
  std::string address = "[%d0+" + std::to_string(offset) + "]";
  LaunchOutcome outcome = run(program);
  EXPECT_FALSE(outcome.fault) << outcome.fault->finding.text;
  return outcome.counters.accesses.at(0);
}

TEST(Counters, RequestsAndBytesOfLoadsAndStores) {
  AccessCounters word = countersOf("ld.global.b32 %r1, [%d0+4];", 4, 4);
  EXPECT_EQ(word.requests, 1u);
  EXPECT_EQ(word.sectors, 5u);
  EXPECT_EQ(word.lines, 2u);
  EXPECT_EQ(word.bytes, 128u);
  AccessCounters vector = countersOf("ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%d0+16];", 16, 16);
  EXPECT_EQ(vector.sectors, 17u);
  EXPECT_EQ(vector.lines, 5u);
  EXPECT_EQ(vector.bytes, 512u);
  EXPECT_EQ(countersOf("st.global.b32 [%d0], %r0;", 4, 0).sectors, 4u);
  EXPECT_EQ(countersOf("st.global.b32 [%d0], %r0;", 128, 0).sectors, 32u);
  EXPECT_EQ(countersOf("ld.b32 %r1, [%d0];", 8, 0).sectors, 8u);
}

TEST(Counters, MaskedLanesAndEmptyMasksDoNotCount) {
  AccessCounters half = countersOf("setp.lt.u32 %p0, %r0, 8; @%p0 ld.global.b32 %r1, [%d0];", 4, 0);
  EXPECT_EQ(half.requests, 1u);
  EXPECT_EQ(half.sectors, 1u);
  EXPECT_EQ(half.bytes, 32u);
  AccessCounters none = countersOf("setp.lt.u32 %p0, %r0, 0; @%p0 ld.global.b32 %r1, [%d0];", 4, 0);
  EXPECT_EQ(none.requests, 0u);
}

TEST(Counters, InstructionsOfWarpsAndThreads) {
  Program program = decoded(kernelText("", R"(
    mov.u32 %r0, %tid.x;
    setp.lt.u32 %p0, %r0, 8;
    @%p0 bra SHORT;
    mov.b32 %r1, 1;
    mov.b32 %r1, 2;
  SHORT:
    @%p0 mov.b32 %r1, 3;
    ret;)"));
  Trial run;
  LaunchOutcome outcome = run(program);
  EXPECT_EQ(outcome.counters.warpInstructions, 7u);
  EXPECT_EQ(outcome.counters.threadInstructions, 32u + 32 + 8 + 24 + 24 + 8 + 32);
}

} // namespace
} // namespace trowel::sim
