// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Wavefronts and bank conflicts of shared memory, as a profiler counts them on a GPU.

#include "Programs.h"

#include "runtime/sim/Banks.h"

#include <gtest/gtest.h>

#include <random>
#include <span>

namespace trowel::sim {
namespace {

using Address = std::uint64_t (*)(std::uint64_t lane);

struct Pattern {
  const char *name;
  Address address;
  unsigned wavefronts, conflicts;
};

void expectCosts(std::span<const Pattern> patterns, unsigned bytes, BankAccess kind) {
  for (const Pattern &pattern : patterns) {
    std::uint64_t addresses[lanesPerWarp];
    for (unsigned lane = 0; lane < lanesPerWarp; ++lane)
      addresses[lane] = pattern.address(lane);
    Wavefronts cost = countWavefronts(addresses, allLanes, bytes, kind);
    EXPECT_EQ(cost.wavefronts, pattern.wavefronts) << pattern.name;
    EXPECT_EQ(cost.conflicts(), pattern.conflicts) << pattern.name;
    EXPECT_EQ(BankMemo().count(addresses, allLanes, bytes, kind), cost) << pattern.name;
  }
}

TEST(Banks, LoadsOfWordsMatchTheProfiler) {
  constexpr Pattern patterns[] = {
      {"4i", [](std::uint64_t i) { return 4 * i; }, 1, 0},
      {"8i", [](std::uint64_t i) { return 8 * i; }, 2, 1},
      {"16i", [](std::uint64_t i) { return 16 * i; }, 4, 3},
      {"32i", [](std::uint64_t i) { return 32 * i; }, 8, 7},
      {"64i", [](std::uint64_t i) { return 64 * i; }, 16, 15},
      {"128i", [](std::uint64_t i) { return 128 * i; }, 32, 31},
      {"one address", [](std::uint64_t) { return std::uint64_t{64}; }, 1, 0},
      {"pairs of one word", [](std::uint64_t i) { return i / 2 * 4; }, 1, 0},
      {"permuted", [](std::uint64_t i) { return (i * 5 % 32) * 4; }, 1, 0},
      {"two words of one bank", [](std::uint64_t i) { return i % 2 * 128; }, 2, 1},
  };
  expectCosts(patterns, 4, BankAccess::Load);
}

TEST(Banks, LoadsOfBytesMatchTheProfiler) {
  constexpr Pattern patterns[] = {
      {"i", [](std::uint64_t i) { return i; }, 1, 0},
      {"128i+(i&3)", [](std::uint64_t i) { return 128 * i + (i & 3); }, 32, 31},
  };
  expectCosts(patterns, 1, BankAccess::Load);
}

TEST(Banks, LoadsOfPairsOfWordsMatchTheProfiler) {
  constexpr Pattern patterns[] = {
      {"8i", [](std::uint64_t i) { return 8 * i; }, 2, 0},
      {"16i", [](std::uint64_t i) { return 16 * i; }, 4, 2},
      {"8(i&15)", [](std::uint64_t i) { return 8 * (i & 15); }, 2, 0},
      {"8(i/2)", [](std::uint64_t i) { return 8 * (i / 2); }, 1, 0},
      {"one address", [](std::uint64_t) { return std::uint64_t{8}; }, 1, 0},
      {"8(i>>1)+1024(i&1)", [](std::uint64_t i) { return 8 * (i >> 1) + 1024 * (i & 1); }, 4, 2},
  };
  expectCosts(patterns, 8, BankAccess::Load);
}

/// 16-byte pieces of rows of 128 bytes, a row a lane, each at the place that its row's number moves
/// it to.
std::uint64_t swizzled(std::uint64_t i) { return 128 * i + (16 * i & 127); }

TEST(Banks, LoadsOfFourWordsMatchTheProfiler) {
  constexpr Pattern patterns[] = {
      {"16i", [](std::uint64_t i) { return 16 * i; }, 4, 0},
      {"32i", [](std::uint64_t i) { return 32 * i; }, 8, 4},
      {"64i", [](std::uint64_t i) { return 64 * i; }, 16, 12},
      {"128i", [](std::uint64_t i) { return 128 * i; }, 32, 28},
      {"144i", [](std::uint64_t i) { return 144 * i; }, 4, 0},
      {"one address", [](std::uint64_t) { return std::uint64_t{16}; }, 2, 0},
      {"16(i/2)", [](std::uint64_t i) { return 16 * (i / 2); }, 2, 0},
      {"pairs (i, i^2)", [](std::uint64_t i) { return 16 * ((i & 1) + 2 * (i >> 2)); }, 2, 0},
      {"the same at i^4", [](std::uint64_t i) { return 16 * (i & ~std::uint64_t{4}); }, 4, 0},
      {"the same at i^8", [](std::uint64_t i) { return 16 * (i & ~std::uint64_t{8}); }, 4, 0},
      {"the same at i^16", [](std::uint64_t i) { return 16 * (i & ~std::uint64_t{16}); }, 4, 0},
      {"128i swizzled", swizzled, 4, 0},
  };
  expectCosts(patterns, 16, BankAccess::Load);
}

TEST(Banks, StoresMatchTheProfiler) {
  constexpr Pattern words[] = {
      {"4i", [](std::uint64_t i) { return 4 * i; }, 1, 0},
      {"8i", [](std::uint64_t i) { return 8 * i; }, 2, 1},
      {"one word", [](std::uint64_t) { return std::uint64_t{4}; }, 1, 0},
  };
  expectCosts(words, 4, BankAccess::Store);
  constexpr Pattern pairs[] = {
      {"8i", [](std::uint64_t i) { return 8 * i; }, 2, 0},
      {"one address", [](std::uint64_t) { return std::uint64_t{8}; }, 2, 0},
  };
  expectCosts(pairs, 8, BankAccess::Store);
  constexpr Pattern quads[] = {
      {"16i", [](std::uint64_t i) { return 16 * i; }, 4, 0},
      {"128i", [](std::uint64_t i) { return 128 * i; }, 32, 28},
      {"144i", [](std::uint64_t i) { return 144 * i; }, 4, 0},
  };
  expectCosts(quads, 16, BankAccess::Store);
}

// ldmatrix and stmatrix of four matrices take 32 rows of 16 bytes, a matrix of 8 rows a pass, and
// merge nothing: what a 16-byte store costs.
TEST(Banks, RowsOfFourMatricesMatchTheProfiler) {
  constexpr Pattern rows[] = {
      {"16i", [](std::uint64_t i) { return 16 * i; }, 4, 0},
      {"64i", [](std::uint64_t i) { return 64 * i; }, 16, 12},
      {"128i", [](std::uint64_t i) { return 128 * i; }, 32, 28},
      {"144i", [](std::uint64_t i) { return 144 * i; }, 4, 0},
      {"128i swizzled", swizzled, 4, 0},
  };
  expectCosts(rows, 16, BankAccess::Store);
}

TEST(Banks, AtomicsMatchTheProfiler) {
  constexpr Pattern patterns[] = {
      {"4i", [](std::uint64_t i) { return 4 * i; }, 1, 0},
      {"one address", [](std::uint64_t) { return std::uint64_t{4}; }, 32, 31},
      {"pairs of one word", [](std::uint64_t i) { return i / 2 * 4; }, 2, 1},
  };
  expectCosts(patterns, 4, BankAccess::Atomic);
}

TEST(Banks, LanesThatAreOffTouchNothingAndEqualAny) {
  std::uint64_t addresses[lanesPerWarp];
  for (unsigned lane = 0; lane < lanesPerWarp; ++lane)
    addresses[lane] = 128 * lane;
  EXPECT_EQ(countWavefronts(addresses, 0x0000000f, 4, BankAccess::Load).wavefronts, 4u);
  // Each pair has one lane that is off, so both passes are one: 16 lanes of two words in banks
  // 0, 1.
  EXPECT_EQ(countWavefronts(addresses, 0x55555555, 8, BankAccess::Load), (Wavefronts{16, 1}));
  EXPECT_EQ(countWavefronts(addresses, 0x55555555, 8, BankAccess::Store), (Wavefronts{16, 2}));
}

TEST(Banks, TheKeptAnswerIsTheCountedOne) {
  std::mt19937_64 random(11);
  for (unsigned bytes : {1u, 2u, 4u, 8u, 16u})
    for (BankAccess kind : {BankAccess::Load, BankAccess::Store, BankAccess::Atomic}) {
      BankMemo memo;
      std::uint64_t addresses[lanesPerWarp];
      Mask mask = allLanes;
      for (int round = 0; round < 600; ++round) {
        std::uint64_t range = std::uint64_t{1} << random() % 9;
        if (round % 3 == 0) // else the last pattern again, moved
          for (unsigned lane = 0; lane < lanesPerWarp; ++lane)
            addresses[lane] = 4096 + bytes * (round % 2 ? lane * range : random() % range);
        std::uint64_t moved = bytes * (random() % 64);
        for (std::uint64_t &address : addresses)
          address += moved;
        if (round % 5 == 0)
          mask = random() % 2 ? allLanes : static_cast<Mask>(random()) | 1;
        EXPECT_EQ(memo.count(addresses, mask, bytes, kind),
                  countWavefronts(addresses, mask, bytes, kind));
      }
    }
}

/// Counters of the only shared access of a kernel whose lanes are at `stride` times their number.
AccessCounters countersOf(const std::string &access, unsigned stride) {
  Program program = decoded(kernelText(
      "", ".shared .align 16 .b8 tile[4096]; mov.u32 %r0, %tid.x; mul.lo.u32 %r1, %r0, " +
              std::to_string(stride) + "; mov.u32 %r2, tile; add.u32 %r1, %r1, %r2;\n" +
              "cvt.u64.u32 %d1, %r1; cvta.shared.u64 %d1, %d1;\n" + access + " ret;"));
  Trial run;
  LaunchOutcome outcome = run(program);
  EXPECT_FALSE(outcome.fault) << outcome.fault->finding.text;
  return outcome.counters.accesses.at(0);
}

TEST(Banks, AccessesOfEveryFormAreCounted) {
  AccessCounters words = countersOf("st.shared.b32 [%r1], %r0;", 8);
  EXPECT_EQ(words.requests, 1u);
  EXPECT_EQ(words.bytes, 128u);
  EXPECT_EQ(words.wavefronts, 2u);
  EXPECT_EQ(words.conflicts, 1u);
  EXPECT_EQ(words.sectors, 0u);
  EXPECT_EQ(countersOf("st.b32 [%d1], %r0;", 128).conflicts, 31u); // by generic address
  EXPECT_EQ(countersOf("st.shared.v4.b32 [%r1], {%r0, %r0, %r0, %r0};", 16).wavefronts, 4u);
  EXPECT_EQ(countersOf("st.shared.v2.b64 [%r1], {%d1, %d1};", 128).conflicts, 28u);
  EXPECT_EQ(countersOf("atom.shared.exch.b32 %r3, [%r1], %r0;", 0).wavefronts, 32u);
  EXPECT_EQ(countersOf("setp.lt.u32 %p0, %r0, 4; @%p0 st.shared.b32 [%r1], %r0;", 128).conflicts,
            3u);
}

} // namespace
} // namespace trowel::sim
