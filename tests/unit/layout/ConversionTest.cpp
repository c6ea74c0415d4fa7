// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The laws of conversions, for each pair of layouts of one shape in the family, at every place; the
// nearest source is compared with a search of all holders.
#include "dialect/layout/Conversion.h"

#include "dialect/layout/Print.h"
#include "tests/unit/layout/Family.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace trowel::layout {
namespace {

/// Calls visit(from, to) for a third of the pairs of layouts of one shape, small enough to be
/// searched.
template <class Visit> void forEachPair(Visit visit) {
  std::map<std::vector<std::int64_t>, std::vector<const LinearLayout *>> byShape;
  for (const LinearLayout &layout : allLayouts())
    if (layout.inputCount() <= 1024)
      byShape[layout.shape()].push_back(&layout);
  for (const auto &[shape, layouts] : byShape)
    for (std::size_t i = 0; i < layouts.size(); ++i)
      for (std::size_t j = i % 3; j < layouts.size(); j += 3)
        visit(*layouts[i], *layouts[j]);
}

/// How far a source is from the place that reads it, where the two layouts count alike; else the
/// distance at which they do.
Distance distanceBetween(const LinearLayout &from, const LinearLayout &to, const Place &source,
                         const Place &place) {
  for (int dim = 3; dim >= 0; --dim) {
    InputDim input = allInputDims[dim];
    if (from.bitCount(input) != to.bitCount(input) || source[input] != place[input])
      return static_cast<Distance>(dim + 1);
  }
  return Distance::None;
}

TEST(Conversion, EveryPlaceReadsItsElement) {
  int pairs = 0;
  forEachPair([&](const LinearLayout &from, const LinearLayout &to) {
    std::optional<Conversion> conversion = convert(from, to);
    if (!conversion)
      return;
    ++pairs;
    for (std::int64_t place = 0; place < to.inputCount(); ++place)
      ASSERT_EQ(from.flatIndex(conversion->source(place)), to.flatIndex(place))
          << describe(from) << " to " << describe(to);
  });
  EXPECT_GT(pairs, 1000);
}

TEST(Conversion, ExistsExactlyWhereEveryElementIsHeld) {
  forEachPair([&](const LinearLayout &from, const LinearLayout &to) {
    std::set<BitVector> held;
    for (std::int64_t place = 0; place < from.inputCount(); ++place)
      held.insert(from.flatIndex(place));
    bool all = true;
    for (std::int64_t place = 0; place < to.inputCount(); ++place)
      all = all && held.count(to.flatIndex(place));
    ASSERT_EQ(convert(from, to).has_value(), all) << describe(from) << " to " << describe(to);
  });
  LinearLayout whole({4}, {{{{1}, {2}}, {}, {}, {}}}), half({4}, {{{{1}}, {}, {}, {}}});
  EXPECT_TRUE(convert(whole, half));
  EXPECT_FALSE(convert(half, whole));
}

TEST(Conversion, EveryPlaceReadsFromTheNearestHolder) {
  forEachPair([&](const LinearLayout &from, const LinearLayout &to) {
    std::optional<Conversion> conversion = convert(from, to);
    if (!conversion || from.inputCount() > 256 || to.inputCount() > 256)
      return;
    Distance farthest = Distance::None;
    forEachPlace(to, [&](const Place &place) {
      Place chosen = from.unflattenPlace(conversion->source(to.flatten(place)));
      Distance nearest = Distance::Block;
      forEachPlace(from, [&](const Place &holder) {
        if (from(holder) == to(place))
          nearest = std::min(nearest, distanceBetween(from, to, holder, place));
      });
      ASSERT_EQ(distanceBetween(from, to, chosen, place), nearest)
          << describe(from) << " to " << describe(to);
      farthest = std::max(farthest, nearest);
    });
    ASSERT_EQ(conversion->distance, farthest) << describe(from) << " to " << describe(to);
  });
}

TEST(Conversion, ToItselfMovesNothing) {
  for (const LinearLayout &layout : allLayouts()) {
    std::optional<Conversion> conversion = convert(layout, layout);
    ASSERT_TRUE(conversion);
    EXPECT_EQ(conversion->source, F2Matrix::identity(layout.matrix().columnCount()));
    EXPECT_EQ(conversion->distance, Distance::None);
  }
}

TEST(Conversion, BetweenLayoutsWithoutReplicasIsUndoneByTheWayBack) {
  std::map<std::vector<std::int64_t>, std::vector<LinearLayout>> byShape;
  for (const BlockedCase &item : blockedCases()) {
    LinearLayout layout = blocked(item.shape, item.description);
    if (layout.isInjective() && layout.elementCount() <= 1024)
      byShape[item.shape].push_back(layout);
  }
  int pairs = 0;
  for (const auto &[shape, layouts] : byShape)
    for (const LinearLayout &from : layouts)
      for (const LinearLayout &to : layouts) {
        ++pairs;
        F2Matrix there = convert(from, to)->source, back = convert(to, from)->source;
        ASSERT_EQ(there * back, F2Matrix::identity(from.matrix().columnCount()));
        ASSERT_EQ(there.inverse(), back);
        ASSERT_EQ(there, *from.matrix().inverse() * to.matrix());
      }
  EXPECT_GT(pairs, 100);
}

TEST(Conversion, OverAThirdLayoutReadsTheSameElements) {
  std::map<std::vector<std::int64_t>, std::vector<const LinearLayout *>> byShape;
  for (const LinearLayout &layout : allLayouts())
    if (layout.isSurjective() && layout.inputCount() <= 1024)
      byShape[layout.shape()].push_back(&layout);
  for (const auto &[shape, layouts] : byShape)
    for (std::size_t i = 0; i + 2 < layouts.size(); ++i) {
      const LinearLayout &a = *layouts[i], &b = *layouts[i + 1], &c = *layouts[i + 2];
      F2Matrix both = convert(a, b)->source * convert(b, c)->source;
      ASSERT_EQ(a.matrix() * both, c.matrix());
    }
}

TEST(Conversion, ComposedWithTheInverseIsTheIdentityOnOwners) {
  for (const LinearLayout &layout : allLayouts())
    if (std::optional<F2Matrix> inverse = layout.inverse()) {
      EXPECT_EQ(layout.matrix() * *inverse, F2Matrix::identity(layout.matrix().rowCount()));
      F2Matrix toOwner = *inverse * layout.matrix();
      forEachPlace(layout, [&](const Place &place) {
        BitVector flat = layout.flatten(place);
        bool isOwner = layout.isOwner(place.reg, place.lane, place.warp, place.block);
        ASSERT_EQ(toOwner(flat) == flat, isOwner) << describe(layout);
      });
    }
}

TEST(Conversion, NamesWhatTheHardwareMustDo) {
  auto distance = [](const LinearLayout &from, const LinearLayout &to) {
    return convert(from, to)->distance;
  };
  LinearLayout rows = blocked({64}, {2}, {32}, {1}, {0});
  EXPECT_EQ(distance(rows, rows), Distance::None);
  // The same thread, its registers exchanged.
  EXPECT_EQ(distance(LinearLayout({4}, {{{{1}, {2}}, {}, {}, {}}}),
                     LinearLayout({4}, {{{{2}, {1}}, {}, {}, {}}})),
            Distance::Register);
  // From two neighbours a thread to one here and one half a tile further on.
  EXPECT_EQ(distance(rows, blocked({64}, {1}, {32}, {1}, {0})), Distance::Lane);
  EXPECT_EQ(distance(blocked({64}, {1}, {32}, {2}, {0}), blocked({64}, {2}, {32}, {2}, {0})),
            Distance::Warp);
  // Lanes that all hold everything need nobody else.
  EXPECT_EQ(distance(LinearLayout({2}, {{{{1}}, {{0}}, {}, {}}}),
                     LinearLayout({2}, {{{{0}}, {{1}}, {}, {}}})),
            Distance::Register);
}

TEST(Conversion, IsARenamingWhereNoRegisterDependsOnTheLane) {
  auto renames = [](const LinearLayout &from, const LinearLayout &to) {
    return isRenaming(*convert(from, to), from, to);
  };
  LinearLayout everywhere({2}, {{{{1}}, {{0}}, {}, {}}}), one({2}, {{{{0}}, {{1}}, {}, {}}});
  EXPECT_TRUE(renames(everywhere, everywhere));
  EXPECT_TRUE(renames(LinearLayout({4}, {{{{1}, {2}}, {}, {}, {}}}),
                      LinearLayout({4}, {{{{2}, {1}}, {}, {}, {}}})));
  // Lane 1 takes the second register, lane 0 the first.
  EXPECT_FALSE(renames(everywhere, one));
  EXPECT_FALSE(renames(one, everywhere));
  forEachPair([&](const LinearLayout &from, const LinearLayout &to) {
    std::optional<Conversion> conversion = convert(from, to);
    if (!conversion || conversion->distance > Distance::Register)
      return;
    bool isOne = true;
    forEachPlace(to, [&](const Place &place) {
      Place here = from.unflattenPlace(conversion->source(to.flatten(place)));
      Place first = from.unflattenPlace(conversion->source(to.flatten(Place{place.reg, 0, 0, 0})));
      isOne = isOne && here.reg == first.reg;
    });
    ASSERT_EQ(isRenaming(*conversion, from, to), isOne) << describe(from) << " to " << describe(to);
  });
}

} // namespace
} // namespace trowel::layout
