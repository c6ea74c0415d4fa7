// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The laws of ways through shared memory, for pairs of layouts of one shape and elements of each
// size: every access of every warp is made on a buffer in memory here. What the accesses cost is
// counted by the software device, whose model of the banks is another program's.
#include "dialect/layout/Swizzle.h"

#include "dialect/layout/Conversion.h"
#include "dialect/layout/Print.h"
#include "runtime/sim/Banks.h"
#include "tests/unit/layout/Family.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>

namespace trowel::layout {
namespace {

constexpr BitVector nobody = ~BitVector(0);

std::string describe(const LinearLayout &from, const LinearLayout &to, int elementBytes) {
  return layout::describe(from) + " to " + layout::describe(to) + ", elements of " +
         std::to_string(elementBytes) + " bytes";
}

struct Case {
  const LinearLayout *from, *to;
  int elementBytes;
  SharedPlan plan;
};

/// All plans between layouts of the family, and for each size of an element.
const std::vector<Case> &cases() {
  static const std::vector<Case> result = [] {
    std::vector<Case> all;
    forEachRoutePair([&](const LinearLayout &from, const LinearLayout &to) {
      for (int elementBytes : {1, 2, 4, 8})
        if (std::optional<SharedPlan> plan = planShared(from, to, elementBytes))
          all.push_back({&from, &to, elementBytes, std::move(*plan)});
    });
    return all;
  }();
  return result;
}

/// Calls visit(plan, from, to, elementBytes) for each of them, up to the first failure.
template <class Visit> void forEachPlan(Visit visit) {
  for (const Case &item : cases()) {
    visit(item.plan, *item.from, *item.to, item.elementBytes);
    ASSERT_FALSE(testing::Test::HasFatalFailure())
        << describe(*item.from, *item.to, item.elementBytes);
  }
}

/// Calls visit(instruction, lane, warp, block) for each access that happens.
template <class Visit>
void forEachAccess(const SharedAccess &access, const LinearLayout &layout, Visit visit) {
  for (std::int32_t block = 0; block < layout.size(InputDim::Block); ++block)
    for (std::int32_t warp = 0; warp < layout.size(InputDim::Warp); ++warp)
      for (std::int32_t lane = 0; lane < layout.size(InputDim::Lane); ++lane)
        for (std::int32_t i = 0; i < access.instructionCount() && access.takesPart(lane, warp); ++i)
          visit(i, lane, warp, block);
}

/// What the software device counts for one instruction of a warp.
sim::Wavefronts counted(const SharedAccess &access, std::int32_t lanes, std::int32_t instruction,
                        std::int32_t warp) {
  std::uint64_t addresses[sim::lanesPerWarp] = {};
  sim::Mask mask = 0;
  for (std::int32_t lane = 0; lane < lanes; ++lane)
    if (access.takesPart(lane, warp)) {
      addresses[lane] = access.offset(instruction, lane, warp);
      mask |= sim::Mask(1) << lane;
    }
  if (mask == 0)
    return {};
  return sim::countWavefronts(addresses, mask, static_cast<unsigned>(access.instructionBytes()),
                              access.direction == SharedDirection::Load ? sim::BankAccess::Load
                                                                        : sim::BankAccess::Store);
}

TEST(Swizzle, EveryPlaceReadsWhatItsElementsOwnerWrote) {
  EXPECT_GT(cases().size(), 30000u);
  forEachPlan([&](const SharedPlan &plan, const LinearLayout &from, const LinearLayout &to,
                  int elementBytes) {
    std::size_t slots = plan.bufferBytes / elementBytes;
    // One buffer a block.
    std::vector<std::vector<BitVector>> memory(from.size(InputDim::Block),
                                               std::vector<BitVector>(slots, nobody));
    forEachAccess(plan.write, from, [&](int i, int lane, int warp, int block) {
      std::size_t slot = plan.write.offset(i, lane, warp, block) / elementBytes;
      for (int j = 0; j < plan.write.width; ++j) {
        ASSERT_LT(slot + j, slots);
        ASSERT_EQ(memory[block][slot + j], nobody) << "two places write one slot";
        Place place{plan.write.registers[i * plan.write.width + j], lane, warp, block};
        memory[block][slot + j] = from.flatIndex(from.flatten(place));
      }
    });
    forEachAccess(plan.read, to, [&](int i, int lane, int warp, int block) {
      if (i > 0)
        return;
      std::vector<BitVector> values;
      for (int instruction = 0; instruction < plan.read.instructionCount(); ++instruction)
        for (int j = 0; j < plan.read.width; ++j)
          values.push_back(
              memory[block].at(plan.read.offset(instruction, lane, warp, block) / elementBytes +
                               static_cast<std::size_t>(j)));
      for (std::int32_t reg = 0; reg < to.registerCount(); ++reg)
        ASSERT_EQ(values.at(plan.read.positions[reg]),
                  to.flatIndex(to.flatten(Place{reg, lane, warp, block})));
    });
  });
}

TEST(Swizzle, EachElementOfABlockIsWrittenOnceAndNoByteIsLeftOver) {
  forEachPlan([&](const SharedPlan &plan, const LinearLayout &from, const LinearLayout &,
                  int elementBytes) {
    std::int64_t written = 0;
    forEachAccess(plan.write, from, [&](int, int, int, int) { written += plan.write.width; });
    ASSERT_EQ(written * elementBytes, plan.bufferBytes * from.size(InputDim::Block));
  });
}

TEST(Swizzle, AccessesAreAlignedAndAtMost16BytesWide) {
  forEachPlan([&](const SharedPlan &plan, const LinearLayout &from, const LinearLayout &to, int) {
    for (const auto &[access, layout] : {std::pair(plan.write, from), std::pair(plan.read, to)}) {
      ASSERT_LE(access.instructionBytes(), 16);
      forEachAccess(access, layout, [&](int i, int lane, int warp, int block) {
        ASSERT_EQ(access.offset(i, lane, warp, block) % access.instructionBytes(), 0u);
      });
    }
  });
}

TEST(Swizzle, NoAccessOfAnyPairHasABankConflict) {
  int instructions = 0;
  forEachPlan([&](const SharedPlan &plan, const LinearLayout &from, const LinearLayout &to, int) {
    for (const auto &[access, layout] : {std::pair(plan.write, from), std::pair(plan.read, to)})
      for (std::int32_t warp = 0; warp < layout.size(InputDim::Warp); ++warp)
        for (std::int32_t i = 0; i < access.instructionCount(); ++i) {
          ++instructions;
          ASSERT_EQ(counted(access, layout.size(InputDim::Lane), i, warp).conflicts(), 0u);
        }
  });
  EXPECT_GT(instructions, 100000);
}

TEST(Swizzle, WavefrontsAreTheBytesMovedOver128WhereAllLanesMoveTheirOwn) {
  int plans = 0;
  forEachPlan([&](const SharedPlan &plan, const LinearLayout &from, const LinearLayout &to,
                  int elementBytes) {
    if (elementBytes < 4 || from.size(InputDim::Block) > 1)
      return;
    for (const auto &[access, layout] : {std::pair(plan.write, from), std::pair(plan.read, to)})
      if (layout.isInjective() && layout.size(InputDim::Lane) == 32) {
        ++plans;
        ASSERT_EQ(access.wavefronts() * layout.size(InputDim::Warp) * 128,
                  layout.inputCount() * elementBytes);
      }
  });
  EXPECT_GT(plans, 1000);
}

TEST(Swizzle, SmallElementsTakeNoMoreWavefrontsThanWords) {
  forEachRoutePair([&](const LinearLayout &from, const LinearLayout &to) {
    std::optional<SharedPlan> bytes = planShared(from, to, 1), halves = planShared(from, to, 2),
                              words = planShared(from, to, 4);
    // Wide loads of what neighbours repeat are merged, and take fewer than narrow ones.
    if (!words || !to.isInjective())
      return;
    for (auto side : {&SharedPlan::write, &SharedPlan::read}) {
      ASSERT_LE(((*bytes).*side).wavefronts(), ((*halves).*side).wavefronts());
      ASSERT_LE(((*halves).*side).wavefronts(), ((*words).*side).wavefronts());
    }
  });
}

TEST(Swizzle, RegistersThatBothSidesHaveInARowMoveTogether) {
  // Four neighbours a thread on both sides, warps across or along.
  LinearLayout from = blocked({64, 64}, {1, 4}, {2, 16}, {4, 1}, {1, 0}),
               to = blocked({64, 64}, {1, 4}, {32, 1}, {1, 4}, {0, 1});
  for (int elementBytes : {1, 2, 4, 8}) {
    SharedPlan plan = *planShared(from, to, elementBytes);
    for (const SharedAccess &access : {plan.write, plan.read})
      EXPECT_GE(access.instructionBytes(), std::min(16, 4 * elementBytes)) << elementBytes;
  }
}

TEST(Swizzle, RegistersThatAreLanesOfTheOtherSideMoveTogetherOnOne) {
  // A transpose in which threads hold four neighbours of a row, then four of a column.
  LinearLayout from = blocked({32, 32}, {1, 4}, {4, 8}, {1, 1}, {1, 0}),
               to = blocked({32, 32}, {4, 1}, {8, 4}, {1, 1}, {0, 1});
  SharedPlan plan = *planShared(from, to, 4);
  EXPECT_EQ(std::max(plan.write.width, plan.read.width), 4);
  EXPECT_EQ(plan.write.wavefronts() + plan.read.wavefronts(), 64);
}

TEST(Swizzle, OfATransposeTurnsGroupsOfFourRowsByTheirNumber) {
  LinearLayout rows = blocked({32, 32}, {32, 1}, {1, 32}, {1, 1}, {1, 0}),
               columns = blocked({32, 32}, {1, 32}, {32, 1}, {1, 1}, {0, 1});
  SharedPlan plan = *planShared(rows, columns, 4);
  for (std::int32_t row = 0; row < 32; ++row)
    for (std::int32_t column = 0; column < 32; ++column)
      EXPECT_EQ(plan.slot(rows.flatten(Coordinates{row, column})),
                static_cast<BitVector>(row % 4 + 4 * (column % 8 ^ row / 4) + 32 * (row / 4) +
                                       256 * (column / 8)));
  EXPECT_EQ(plan.bufferBytes, 4096);
  EXPECT_EQ(plan.write.width, 4);
  EXPECT_EQ(plan.read.width, 1);
  EXPECT_EQ(plan.write.wavefronts(), 32);
  EXPECT_EQ(plan.read.wavefronts(), 32);
}

TEST(Swizzle, ExistsWhereNoElementComesFromAnotherBlock) {
  forEachRoutePair([&](const LinearLayout &from, const LinearLayout &to) {
    std::optional<Conversion> conversion = convert(from, to);
    ASSERT_EQ(planShared(from, to, 4).has_value(),
              conversion && conversion->distance != Distance::Block)
        << describe(from, to, 4);
  });
}

TEST(Swizzle, CountsWavefrontsAsTheSoftwareDeviceDoes) {
  std::mt19937 random(7);
  for (int round = 0; round < 20000; ++round) {
    int bytes = 1 << random() % 5;
    // A linear pattern with some lanes off, sometimes perturbed in one lane.
    std::uint32_t bases[5];
    for (std::uint32_t &base : bases)
      base = random() % 3 ? random() % 1024 * bytes : 0;
    std::uint32_t off = random() % 2 ? random() : 0, odd = random() % 64;
    std::uint64_t addresses[32] = {};
    std::optional<std::uint32_t> offsets[32];
    sim::Mask mask = 0;
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      for (int bit = 0; bit < 5; ++bit)
        addresses[lane] ^= lane >> bit & 1 ? bases[bit] : 0;
      addresses[lane] += lane == odd ? static_cast<unsigned>(bytes) * 32 : 0;
      if (off >> lane & 1)
        continue;
      offsets[lane] = static_cast<std::uint32_t>(addresses[lane]);
      mask |= sim::Mask(1) << lane;
    }
    if (mask == 0)
      continue;
    for (bool load : {false, true})
      ASSERT_EQ(
          countWavefronts(load ? SharedDirection::Load : SharedDirection::Store, bytes, offsets),
          static_cast<int>(
              sim::countWavefronts(addresses, mask, bytes,
                                   load ? sim::BankAccess::Load : sim::BankAccess::Store)
                  .wavefronts))
          << "round " << round;
  }
}

} // namespace
} // namespace trowel::layout
