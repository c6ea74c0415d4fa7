// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The laws of subspaces, against sets of all their vectors.
#include "dialect/layout/Subspace.h"

#include <gtest/gtest.h>

#include <set>

namespace trowel::layout {
namespace {

std::set<BitVector> elements(const Subspace &space) {
  std::set<BitVector> result = {0};
  for (BitVector vector : space.basis()) {
    std::set<BitVector> more;
    for (BitVector element : result)
      more.insert(element ^ vector);
    result.merge(more);
  }
  return result;
}

/// All spans of up to three vectors of four bits.
const std::vector<Subspace> &spaces() {
  static const std::vector<Subspace> result = [] {
    std::vector<Subspace> all;
    for (BitVector a = 0; a < 16; ++a)
      for (BitVector b = 0; b <= a; ++b)
        for (BitVector c = 0; c <= b; ++c)
          all.emplace_back(std::vector<BitVector>{a, b, c});
    return all;
  }();
  return result;
}

TEST(Subspace, ContainsTheSumsOfItsVectors) {
  for (const Subspace &space : spaces()) {
    std::set<BitVector> all = elements(space);
    EXPECT_EQ(all.size(), std::size_t(1) << space.dimension());
    for (BitVector vector = 0; vector < 16; ++vector)
      ASSERT_EQ(space.contains(vector), all.count(vector) == 1);
  }
}

TEST(Subspace, TheIntersectionHasWhatBothContainAndTheSumIsTheSmallestWithBoth) {
  for (std::size_t i = 0; i < spaces().size(); i += 3)
    for (std::size_t j = 0; j < spaces().size(); j += 5) {
      const Subspace &a = spaces()[i], &b = spaces()[j];
      Subspace shared = intersection(a, b), both = sum(a, b);
      for (BitVector vector = 0; vector < 16; ++vector)
        ASSERT_EQ(shared.contains(vector), a.contains(vector) && b.contains(vector));
      for (const Subspace *part : {&a, &b})
        for (BitVector vector : part->basis())
          ASSERT_TRUE(both.contains(vector));
      ASSERT_EQ(shared.dimension() + both.dimension(), a.dimension() + b.dimension());
    }
}

TEST(Subspace, ExtendingAddsOnlyWhatIsNewAndStopsAtADimension) {
  Subspace space(std::vector<BitVector>{0b0011});
  EXPECT_EQ(space.extend(std::vector<BitVector>{0b0011, 0b0100, 0b0111, 0b1000}),
            (std::vector<BitVector>{0b0100, 0b1000}));
  EXPECT_EQ(space.dimension(), 3);
  EXPECT_TRUE(space.extend(std::vector<BitVector>{0b0001}, 3).empty());
  EXPECT_EQ(space.extend(std::vector<BitVector>{0b0001}, 4).size(), 1u);
}

} // namespace
} // namespace trowel::layout
