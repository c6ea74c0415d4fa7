// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builders against the integer formula that people have in mind, and recognizers against builders.
#include "dialect/layout/Builders.h"
#include "dialect/layout/Print.h"
#include "tests/unit/layout/Family.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace trowel::layout {
namespace {

/// Splits `number` into one digit an axis, the first axis of `order` fastest.
Coordinates digits(std::int32_t number, const std::vector<std::int32_t> &sizes,
                   const std::vector<std::int32_t> &order) {
  Coordinates result(sizes.size());
  for (std::int32_t axis : order) {
    result[axis] = number % sizes[axis];
    number /= sizes[axis];
  }
  return result;
}

TEST(Blocked, EqualsTheIntegerFormulaAtEveryPlace) {
  for (const auto &[shape, description] : blockedCases()) {
    const auto &[registers, lanes, warps, order] = description;
    LinearLayout layout = blocked(shape, description);
    std::int32_t registersSaid = 1;
    std::vector<std::int32_t> blocks(shape.size());
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      registersSaid *= registers[axis];
      std::int64_t covered = std::int64_t(1) * registers[axis] * lanes[axis] * warps[axis];
      blocks[axis] = static_cast<std::int32_t>(std::max<std::int64_t>(1, shape[axis] / covered));
    }
    forEachPlace(layout, [&](const Place &place) {
      Coordinates r = digits(place.reg % registersSaid, registers, order),
                  l = digits(place.lane, lanes, order), w = digits(place.warp, warps, order),
                  b = digits(place.reg / registersSaid, blocks, order);
      Coordinates index = layout(place);
      for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        std::int64_t expected =
            r[axis] + registers[axis] * (l[axis] + lanes[axis] * (w[axis] + warps[axis] * b[axis]));
        // A tile smaller than what its threads cover is repeated along the axis.
        ASSERT_EQ(index[axis], expected % shape[axis]) << describe(description);
      }
    });
  }
}

TEST(Blocked, CoversItsTileWithTheLanesAndWarpsSaid) {
  for (const auto &[shape, description] : blockedCases()) {
    LinearLayout layout = blocked(shape, description);
    EXPECT_EQ(layout.shape(), shape);
    EXPECT_TRUE(layout.isSurjective()) << describe(description);
    std::int32_t lanes = 1, warps = 1;
    for (int axis = 0; axis < description.rank(); ++axis) {
      lanes *= description.lanes[axis];
      warps *= description.warps[axis];
    }
    EXPECT_EQ(layout.size(InputDim::Lane), lanes);
    EXPECT_EQ(layout.size(InputDim::Warp), warps);
    EXPECT_EQ(layout.size(InputDim::Block), 1);
  }
}

TEST(Blocked, ReplicasAreBitsNotSums) {
  for (const auto &[shape, description] : blockedCases()) {
    LinearLayout layout = blocked(shape, description);
    for (InputDim dim : allInputDims)
      EXPECT_EQ(layout.replicationMask(dim), layout.redundantMask(dim)) << describe(description);
  }
}

TEST(AsBlocked, ReproducesEveryBlockedLayout) {
  for (const auto &[shape, description] : blockedCases()) {
    LinearLayout layout = blocked(shape, description);
    std::optional<BlockedDescription> found = asBlocked(layout);
    ASSERT_TRUE(found) << describe(description);
    ASSERT_EQ(blocked(shape, *found), layout)
        << describe(description) << " as " << describe(*found);
  }
}

TEST(AsBlocked, IsAFixedPoint) {
  for (const auto &[shape, description] : blockedCases()) {
    BlockedDescription found = *asBlocked(blocked(shape, description));
    ASSERT_EQ(*asBlocked(blocked(shape, found)), found);
  }
}

TEST(AsBlocked, KeepsADescriptionThatTheTileFills) {
  // Each axis has at least two threads and all registers, so nothing else describes the layout.
  BlockedDescription description{{1, 4}, {8, 4}, {4, 1}, {1, 0}};
  EXPECT_EQ(asBlocked(blocked({64, 64}, description)), description);
  BlockedDescription columns{{2, 2}, {4, 8}, {1, 4}, {0, 1}};
  EXPECT_EQ(asBlocked(blocked({64, 128}, columns)), columns);
}

TEST(AsBlocked, RefusesWhatIsNotBlocked) {
  LinearLayout swizzled({4, 4}, {{{{0, 1}}, {{0, 2}, {1, 1}, {2, 2}}, {}, {}}});
  EXPECT_FALSE(asBlocked(swizzled));
  EXPECT_FALSE(asSlice(swizzled));
  LinearLayout ofCluster({4}, {{{{1}}, {}, {}, {{2}}}});
  EXPECT_FALSE(asBlocked(ofCluster));
  EXPECT_FALSE(asSlice(ofCluster));
  LinearLayout lanesBeforeTheyAreDue({8}, {{{}, {{4}, {2}, {1}}, {}, {}}});
  EXPECT_FALSE(asBlocked(lanesBeforeTheyAreDue));
}

TEST(AsSlice, ReproducesEverySliceOfABlockedLayout) {
  for (const auto &[shape, description] : blockedCases()) {
    LinearLayout parent = blocked(shape, description);
    for (int axis = 0; axis < parent.rank(); ++axis) {
      LinearLayout layout = slice(parent, axis);
      std::optional<SliceDescription> found = asSlice(layout);
      ASSERT_TRUE(found) << describe(description) << " axis " << axis;
      ASSERT_EQ(slice(layout.shape(), *found), layout)
          << describe(description) << " as " << describe(*found);
      ASSERT_EQ(asSlice(slice(layout.shape(), *found)), found);
    }
  }
}

TEST(Slice, IsTheParentWithoutTheAxis) {
  for (const auto &[shape, description] : blockedCases()) {
    std::vector<std::int64_t> rest = shape;
    rest.erase(rest.begin());
    SliceDescription said{description, 0, shape[0]};
    EXPECT_FALSE(findFault(rest, said));
    EXPECT_EQ(slice(rest, said), blocked(shape, description).withAxisRemoved(0));
  }
}

TEST(Builders, FaultsNameWhatIsWrong) {
  auto fault = [](std::vector<std::int64_t> shape, BlockedDescription description) {
    return findFault(shape, description).value_or("");
  };
  EXPECT_EQ(fault({64, 64}, {{4}, {8, 4}, {4, 1}, {1, 0}}),
            "registers has 1 entries, the tile has 2 axes");
  EXPECT_EQ(fault({64, 64}, {{1, 4}, {8, 3}, {4, 1}, {1, 0}}),
            "lanes has 3 for axis 1, which is not a power of two");
  EXPECT_EQ(fault({64, 64}, {{1, 4}, {8, 4}, {4, 0}, {1, 0}}),
            "warps has 0 for axis 1, which is not a power of two");
  EXPECT_EQ(fault({64, 64}, {{1, 4}, {8, 4}, {4, 1}, {1, 1}}),
            "order does not list each axis of 0 to 1 once");
  EXPECT_EQ(fault({64, 64}, {{1, 4}, {8, 4}, {4, 1}, {0}}),
            "order does not list each axis of 0 to 1 once");
  EXPECT_EQ(fault({64, 48}, {{1, 4}, {8, 4}, {4, 1}, {1, 0}}),
            "extent 48 of axis 1 is not a power of two");
  EXPECT_EQ(fault({64}, {{1 << 16}, {32}, {4}, {0}}),
            "registers multiply to 2^16, at most 2^15 are possible");
  EXPECT_EQ(fault({64, 64}, {{1, 4}, {8, 4}, {4, 1}, {1, 0}}), "");
  EXPECT_EQ(findFault({64}, SliceDescription{{{1, 4}, {8, 4}, {4, 1}, {1, 0}}, 2, 64}).value_or(""),
            "axis 2 is none of the parent's axes 0 to 1");
  EXPECT_EQ(findFault({64}, SliceDescription{{{1, 4}, {8, 4}, {4, 1}, {1, 0}}, 1, 48}).value_or(""),
            "extent 48 of axis 1 is not a power of two");
}

} // namespace
} // namespace trowel::layout
