// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The laws of quotients. Small layouts are enumerated, every one of a shape and of numbers of bits,
// so that a quotient is compared with a search of all factors.
#include "dialect/layout/Print.h"
#include "tests/unit/layout/Family.h"

#include <gtest/gtest.h>

#include <bit>
#include <numeric>

namespace trowel::layout {
namespace {

using Counts = std::array<int, 4>;

int elementBits(const std::vector<std::int64_t> &shape) {
  std::int64_t elements = 1;
  for (std::int64_t extent : shape)
    elements *= extent;
  return std::countr_zero(static_cast<std::uint64_t>(elements));
}

/// All layouts of a tile with these numbers of bits: every basis is any element.
std::vector<LinearLayout> everyLayout(const std::vector<std::int64_t> &shape, Counts counts) {
  int rows = elementBits(shape), columns = std::accumulate(counts.begin(), counts.end(), 0);
  std::vector<LinearLayout> result;
  for (BitVector entries = 0; entries < BitVector(1) << rows * columns; ++entries) {
    std::vector<BitVector> vectors;
    for (int column = 0; column < columns; ++column)
      vectors.push_back(entries >> column * rows & ((BitVector(1) << rows) - 1));
    result.emplace_back(shape, counts, F2Matrix(rows, vectors));
  }
  return result;
}

/// Tiles of a few shapes with at most one register, lane and warp bit.
std::vector<LinearLayout> tiles() {
  std::vector<LinearLayout> result;
  for (const std::vector<std::int64_t> &shape :
       {std::vector<std::int64_t>{1, 1}, {1, 2}, {2, 1}, {2, 2}, {1, 4}, {4, 2}})
    for (const Counts &counts :
         {Counts{0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {1, 1, 0, 0}, {0, 0, 1, 0}, {0, 1, 0, 1}})
      for (LinearLayout &layout : everyLayout(shape, counts))
        result.push_back(std::move(layout));
  return result;
}

TEST(Quotient, OfAProductByItsTileIsTheOtherFactor) {
  std::vector<LinearLayout> all = tiles();
  for (const LinearLayout &tile : all)
    for (const LinearLayout &outer : all)
      ASSERT_EQ(tile.product(outer).quotient(tile), outer)
          << describe(tile) << " and " << describe(outer);
}

TEST(Quotient, TimesTheTileIsTheLayoutAgain) {
  // Tiles that occur: what a thread, a warp, a few registers of an instruction hold.
  std::vector<LinearLayout> few = {
      LinearLayout({2}, {{{{1}}, {}, {}, {}}}),
      LinearLayout({4}, {{{{1}, {2}}, {}, {}, {}}}),
      LinearLayout({32}, {{{}, {{1}, {2}, {4}, {8}, {16}}, {}, {}}}),
      LinearLayout({1, 4}, {{{{0, 1}, {0, 2}}, {}, {}, {}}}),
      LinearLayout({8, 4}, {{{}, {{0, 1}, {0, 2}, {1, 0}, {2, 0}, {4, 0}}, {}, {}}}),
      blocked({8, 16}, {1, 4}, {8, 4}, {1, 1}, {1, 0}),
      blocked({2, 2}, {2, 2}, {1, 1}, {1, 1}, {0, 1})};
  int divisible = 0;
  for (const LinearLayout &layout : allLayouts())
    for (const LinearLayout &tile : few)
      if (std::optional<LinearLayout> outer = layout.quotient(tile)) {
        ++divisible;
        ASSERT_EQ(tile.product(*outer), layout) << describe(layout) << " by " << describe(tile);
      }
  EXPECT_GT(divisible, 100);
}

TEST(Quotient, FailsExactlyWhereNoFactorExists) {
  std::vector<LinearLayout> all = tiles();
  int with = 0, without = 0;
  for (const Counts &counts : {Counts{1, 1, 0, 0}, {2, 0, 0, 0}, {0, 1, 1, 0}})
    for (const LinearLayout &layout : everyLayout({2, 4}, counts))
      for (const LinearLayout &tile : all) {
        bool exists = false;
        std::vector<std::int64_t> outerShape;
        Counts outerCounts;
        bool fits = true;
        for (int axis = 0; axis < 2; ++axis) {
          fits = fits && layout.extent(axis) >= tile.extent(axis);
          outerShape.push_back(layout.extent(axis) / tile.extent(axis));
        }
        for (InputDim dim : allInputDims) {
          outerCounts[static_cast<int>(dim)] = layout.bitCount(dim) - tile.bitCount(dim);
          fits = fits && layout.bitCount(dim) >= tile.bitCount(dim);
        }
        if (fits)
          for (const LinearLayout &outer : everyLayout(outerShape, outerCounts))
            exists = exists || tile.product(outer) == layout;
        ASSERT_EQ(layout.quotient(tile).has_value(), exists)
            << describe(layout) << " by " << describe(tile);
        ++(exists ? with : without);
      }
  EXPECT_GT(with, 100);
  EXPECT_GT(without, 100);
}

TEST(Quotient, ByTheUnitIsTheLayoutAndByItselfTheUnit) {
  for (const LinearLayout &layout : allLayouts()) {
    LinearLayout unit(std::vector<std::int64_t>(layout.rank(), 1), LinearLayout::Bases{});
    EXPECT_EQ(layout.quotient(unit), layout);
    EXPECT_EQ(layout.quotient(layout), unit);
  }
}

TEST(Quotient, ByAProductIsOneQuotientAfterTheOther) {
  std::vector<LinearLayout> all = tiles();
  for (std::size_t i = 0; i < all.size(); i += 11)
    for (std::size_t j = 0; j < all.size(); j += 7) {
      LinearLayout layout = all[i].product(all[j]).product(all[(i + j) % all.size()]);
      ASSERT_EQ(layout.quotient(all[i].product(all[j])), layout.quotient(all[i])->quotient(all[j]));
    }
}

TEST(Quotient, NeedsTheRanksToAgree) {
  EXPECT_EQ(LinearLayout({4}, LinearLayout::Bases{}).quotient(LinearLayout()), std::nullopt);
}

TEST(Quotient, TellsWhetherAnInstructionServesATile) {
  // ldmatrix-like: 8 rows of 16 bytes, a lane a row and four registers' worth of elements a lane.
  LinearLayout instruction({8, 8}, {{{{0, 1}}, {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}}, {}, {}}});
  LinearLayout whole = blocked({32, 16}, {1, 2}, {8, 4}, {2, 1}, {1, 0});
  std::optional<LinearLayout> copies = whole.quotient(instruction);
  ASSERT_TRUE(copies);
  EXPECT_EQ(copies->shape(), (std::vector<std::int64_t>{4, 2}));
  EXPECT_EQ(copies->registerCount(), 4);
  // Four neighbours a thread are no two copies of two neighbours a thread.
  EXPECT_FALSE(blocked({32, 16}, {1, 4}, {8, 4}, {2, 1}, {1, 0}).quotient(instruction));
}

} // namespace
} // namespace trowel::layout
