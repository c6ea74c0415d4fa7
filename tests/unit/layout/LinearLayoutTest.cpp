// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The laws of layouts, at every point of a family.
#include "dialect/layout/LinearLayout.h"
#include "dialect/layout/Print.h"
#include "tests/unit/layout/Family.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace trowel::layout {
namespace {

Coordinates exclusiveOr(Coordinates a, const Coordinates &b) {
  for (std::size_t axis = 0; axis < a.size(); ++axis)
    a[axis] ^= b[axis];
  return a;
}

TEST(LinearLayout, FlatWordsRoundTripAtEveryPoint) {
  for (const LinearLayout &layout : allLayouts()) {
    for (std::int64_t flat = 0; flat < layout.inputCount(); ++flat)
      ASSERT_EQ(layout.flatten(layout.unflattenPlace(flat)), static_cast<BitVector>(flat));
    std::int64_t next = 0; // flat indices count in row-major order
    forEachElement(layout, [&](const Coordinates &index) {
      ASSERT_EQ(layout.flatten(index), static_cast<BitVector>(next++));
    });
  }
}

TEST(LinearLayout, ApplyIsTheXorOfTheBasesOfSetBits) {
  for (const LinearLayout &layout : allLayouts())
    forEachPlace(layout, [&](const Place &place) {
      Coordinates expected(layout.rank(), 0);
      for (InputDim dim : allInputDims)
        for (int bit = 0; bit < layout.bitCount(dim); ++bit)
          if (place[dim] >> bit & 1)
            expected = exclusiveOr(expected, layout.basis(dim, bit));
      ASSERT_EQ(layout(place), expected) << describe(layout);
      ASSERT_EQ(layout(place.reg, place.lane, place.warp, place.block), expected);
    });
}

TEST(LinearLayout, BasesMakeTheLayoutAgain) {
  for (const LinearLayout &layout : allLayouts()) {
    LinearLayout again(layout.shape(), layout.bases());
    EXPECT_EQ(again, layout);
    EXPECT_EQ(again.hash(), layout.hash());
  }
}

TEST(LinearLayout, EqualityComparesShapeSizesAndBases) {
  const std::vector<LinearLayout> &all = allLayouts();
  std::vector<LinearLayout::Bases> bases;
  for (const LinearLayout &layout : all)
    bases.push_back(layout.bases());
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < all.size(); ++j) {
      bool same = all[i].shape() == all[j].shape() && bases[i] == bases[j];
      ASSERT_EQ(all[i] == all[j], same);
      if (same) {
        ASSERT_EQ(all[i].hash(), all[j].hash());
      }
    }
}

TEST(LinearLayout, HashesOfDifferentLayoutsDiffer) {
  const std::vector<LinearLayout> &all = allLayouts();
  std::map<std::size_t, const LinearLayout *> seen;
  for (const LinearLayout &layout : all) {
    auto [position, isNew] = seen.try_emplace(layout.hash(), &layout);
    EXPECT_TRUE(isNew || *position->second == layout) << describe(layout);
  }
}

TEST(LinearLayout, SurjectiveAndInjectiveAgreeWithCounting) {
  for (const LinearLayout &layout : allLayouts()) {
    std::set<Coordinates> held;
    forEachPlace(layout, [&](const Place &place) { held.insert(layout(place)); });
    EXPECT_EQ(layout.isSurjective(),
              static_cast<std::int64_t>(held.size()) == layout.elementCount());
    EXPECT_EQ(layout.isInjective(), static_cast<std::int64_t>(held.size()) == layout.inputCount());
  }
}

TEST(LinearLayout, EachHeldElementHasExactlyOneOwner) {
  for (const LinearLayout &layout : allLayouts()) {
    std::map<Coordinates, int> owners;
    forEachPlace(layout, [&](const Place &place) {
      owners[layout(place)] += layout.isOwner(place.reg, place.lane, place.warp, place.block);
    });
    for (const auto &[index, count] : owners)
      ASSERT_EQ(count, 1) << describe(layout);
  }
}

TEST(LinearLayout, OwnersAreThePlacesWithoutRedundantBits) {
  for (const LinearLayout &layout : allLayouts())
    forEachPlace(layout, [&](const Place &place) {
      bool zero = true;
      for (InputDim dim : allInputDims)
        zero = zero && (place[dim] & layout.redundantMask(dim)) == 0;
      ASSERT_EQ(layout.isOwner(place.reg, place.lane, place.warp, place.block), zero)
          << describe(layout);
    });
}

TEST(LinearLayout, OwnerOfIsTheOwnerThatHoldsTheElement) {
  for (const LinearLayout &layout : allLayouts()) {
    std::set<Coordinates> held;
    forEachPlace(layout, [&](const Place &place) { held.insert(layout(place)); });
    forEachElement(layout, [&](const Coordinates &index) {
      std::optional<Place> owner = layout.ownerOf(index);
      ASSERT_EQ(owner.has_value(), held.count(index) == 1);
      if (owner) {
        ASSERT_EQ(layout(*owner), index);
        ASSERT_TRUE(layout.isOwner(owner->reg, owner->lane, owner->warp, owner->block));
      }
    });
  }
}

TEST(LinearLayout, InverseUndoesEveryPoint) {
  for (const LinearLayout &layout : allLayouts()) {
    std::optional<F2Matrix> inverse = layout.inverse();
    ASSERT_EQ(inverse.has_value(), layout.isSurjective());
    if (!inverse)
      continue;
    for (std::int64_t index = 0; index < layout.elementCount(); ++index) {
      BitVector place = (*inverse)(static_cast<BitVector>(index));
      ASSERT_EQ(layout.flatIndex(place), static_cast<BitVector>(index));
      ASSERT_EQ(layout.unflattenPlace(place), *layout.ownerOf(layout.unflattenIndex(index)));
    }
    if (layout.isInjective())
      for (std::int64_t place = 0; place < layout.inputCount(); ++place)
        ASSERT_EQ((*inverse)(layout.flatIndex(place)), static_cast<BitVector>(place));
  }
}

TEST(LinearLayout, FreeInputsChangeNothingAndNothingElseIsFree) {
  for (const LinearLayout &layout : allLayouts()) {
    for (BitVector free : layout.freeInputs())
      for (std::int64_t place = 0; place < layout.inputCount(); ++place)
        ASSERT_EQ(layout.flatIndex(place ^ free), layout.flatIndex(place));
    std::int64_t holders = 0;
    for (std::int64_t place = 0; place < layout.inputCount(); ++place)
      holders += layout.flatIndex(place) == 0;
    ASSERT_EQ(holders, std::int64_t(1) << layout.freeInputs().size()) << describe(layout);
  }
}

TEST(LinearLayout, ReplicationMaskHasTheBitsThatNeverMatter) {
  for (const LinearLayout &layout : allLayouts())
    for (InputDim dim : allInputDims) {
      std::int32_t mask = layout.replicationMask(dim);
      for (int bit = 0; bit < layout.bitCount(dim); ++bit)
        ASSERT_EQ(mask >> bit & 1, layout.basis(dim, bit) == Coordinates(layout.rank(), 0));
      ASSERT_EQ(mask & ~layout.redundantMask(dim), 0);
    }
}

TEST(LinearLayout, RegistersAreRedundantBeforeLanes) {
  LinearLayout layout({2}, {{{{1}}, {{1}}, {}, {}}});
  EXPECT_EQ(layout.redundantMask(InputDim::Register), 1);
  EXPECT_EQ(layout.redundantMask(InputDim::Lane), 0);
  EXPECT_EQ(layout.replicationMask(InputDim::Register), 0);
}

TEST(LinearLayout, ContiguousRegistersAreTheLongestRunInEveryThread) {
  for (const LinearLayout &layout : allLayouts())
    for (int axis = 0; axis < layout.rank(); ++axis) {
      // The widest power of two for which aligned runs of registers are aligned runs of elements
      // everywhere.
      auto holds = [&](int width) {
        if (width > layout.registerCount() || width > layout.extent(axis))
          return false;
        bool all = true;
        forEachPlace(layout, [&](const Place &place) {
          Place first = place;
          first.reg -= first.reg % width;
          Coordinates expected = layout(first);
          all = all && expected[axis] % width == 0;
          expected[axis] += place.reg % width;
          all = all && layout(place) == expected;
        });
        return all;
      };
      int width = 1;
      while (holds(2 * width))
        width *= 2;
      ASSERT_EQ(layout.contiguousRegisters(axis), width) << describe(layout) << " axis " << axis;
      if (width > 1)
        ASSERT_EQ(layout.axisOfRegisters(width), axis) << describe(layout);
    }
}

TEST(LinearLayout, ThenAppliesTheTransformAfterwards) {
  for (const LinearLayout &layout : allLayouts()) {
    if (layout.rank() != 2)
      continue;
    // The transpose moves the row bits below the column bits.
    int bits = layout.matrix().rowCount(), columnBits = 0;
    while (std::int64_t(1) << columnBits < layout.extent(1))
      ++columnBits;
    std::vector<BitVector> columns;
    for (int bit = 0; bit < bits; ++bit)
      columns.push_back(BitVector(1)
                        << (bit < columnBits ? bit + bits - columnBits : bit - columnBits));
    LinearLayout transposed =
        layout.then(F2Matrix(bits, columns), {layout.extent(1), layout.extent(0)});
    forEachPlace(layout, [&](const Place &place) {
      Coordinates index = layout(place);
      ASSERT_EQ(transposed(place), (Coordinates{index[1], index[0]}));
    });
    EXPECT_EQ(transposed.then(*F2Matrix(bits, columns).inverse(), layout.shape()), layout);
  }
}

TEST(LinearLayout, ThenComposesWithTheMatrixProduct) {
  F2Matrix swap(2, {0b10, 0b01}), shear(2, {0b01, 0b11});
  LinearLayout layout({4}, {{{{1}}, {{2}}, {{3}}, {}}});
  EXPECT_EQ(layout.then(swap, {4}).then(shear, {4}), layout.then(shear * swap, {4}));
  EXPECT_EQ(layout.then(F2Matrix::identity(2), {2, 2}).then(F2Matrix::identity(2), {4}), layout);
}

/// Small layouts, as products are visited at every pair of places.
std::vector<LinearLayout> factors() {
  return {LinearLayout({2, 4}, {{{{0, 1}}, {{0, 2}, {1, 0}}, {}, {}}}),
          LinearLayout({4, 1}, {{{{1, 0}}, {}, {{2, 0}}, {}}}),
          LinearLayout({2, 2}, {{{}, {{1, 1}, {0, 1}}, {{0, 0}}, {{1, 0}}}}),
          LinearLayout({1, 1}, {{{}, {{0, 0}}, {}, {}}})};
}

Place joined(const LinearLayout &low, const Place &a, const Place &b) {
  return {a.reg | b.reg << low.bitCount(InputDim::Register),
          a.lane | b.lane << low.bitCount(InputDim::Lane),
          a.warp | b.warp << low.bitCount(InputDim::Warp),
          a.block | b.block << low.bitCount(InputDim::Block)};
}

TEST(LinearLayout, ProductIsBlockAfterBlock) {
  for (const LinearLayout &inner : factors())
    for (const LinearLayout &outer : factors()) {
      LinearLayout product = inner.product(outer);
      forEachPlace(inner, [&](const Place &a) {
        forEachPlace(outer, [&](const Place &b) {
          Coordinates expected = inner(a), block = outer(b);
          for (int axis = 0; axis < 2; ++axis)
            expected[axis] += block[axis] * static_cast<std::int32_t>(inner.extent(axis));
          ASSERT_EQ(product(joined(inner, a, b)), expected);
        });
      });
    }
}

TEST(LinearLayout, ProductIsAssociativeWithAUnit) {
  LinearLayout unit({1, 1}, LinearLayout::Bases{});
  for (const LinearLayout &a : factors()) {
    EXPECT_EQ(a.product(unit), a);
    EXPECT_EQ(unit.product(a), a);
    for (const LinearLayout &b : factors())
      for (const LinearLayout &c : factors())
        EXPECT_EQ(a.product(b).product(c), a.product(b.product(c)));
  }
}

TEST(LinearLayout, SliceHoldsAtEveryPlaceWhatTheExpandedTileNeeds) {
  for (const LinearLayout &layout : allLayouts())
    for (int axis = 0; axis < layout.rank(); ++axis) {
      LinearLayout slice = layout.withAxisRemoved(axis);
      forEachPlace(layout, [&](const Place &place) {
        Coordinates index = layout(place);
        index.erase(index.begin() + axis);
        ASSERT_EQ(slice(place), index);
      });
    }
}

TEST(LinearLayout, SliceThenExpandIsTheOperandOfABroadcast) {
  for (const LinearLayout &layout : allLayouts())
    for (int axis = 0; axis < layout.rank(); ++axis) {
      LinearLayout operand = layout.withAxisOfExtentOne(axis);
      EXPECT_EQ(layout.withAxisRemoved(axis).withAxisInserted(axis), operand);
      EXPECT_EQ(operand.extent(axis), 1);
      forEachPlace(layout, [&](const Place &place) {
        Coordinates index = layout(place);
        index[axis] = 0;
        ASSERT_EQ(operand(place), index);
      });
    }
}

TEST(LinearLayout, SlicesOfTwoAxesCommute) {
  for (const LinearLayout &layout : allLayouts())
    for (int first = 0; first < layout.rank(); ++first)
      for (int second = first + 1; second < layout.rank(); ++second)
        EXPECT_EQ(layout.withAxisRemoved(second).withAxisRemoved(first),
                  layout.withAxisRemoved(first).withAxisRemoved(second - 1));
}

TEST(LinearLayout, InsertingAnAxisAndRemovingItChangesNothing) {
  for (const LinearLayout &layout : allLayouts())
    for (int axis = 0; axis <= layout.rank(); ++axis)
      EXPECT_EQ(layout.withAxisInserted(axis).withAxisRemoved(axis), layout);
}

TEST(LinearLayout, CountsItsThreadsAndRegisters) {
  LinearLayout layout = blocked({64, 64}, {1, 4}, {8, 4}, {4, 1}, {1, 0});
  EXPECT_EQ(layout.threadCount(), 128);
  EXPECT_EQ(layout.registerCount(), 32);
  EXPECT_EQ(layout.elementCount(), 4096);
  EXPECT_EQ(layout.inputCount(), 4096);
}

TEST(LinearLayout, FaultsNameWhatIsWrong) {
  auto fault = [](std::vector<std::int64_t> shape, LinearLayout::Bases bases) {
    return LinearLayout::findFault(shape, bases).value_or("");
  };
  EXPECT_EQ(fault({3}, {}), "extent 3 of axis 0 is not a power of two");
  EXPECT_EQ(fault({4, 0}, {}), "extent 0 of axis 1 is not a power of two");
  EXPECT_EQ(fault({4}, {{{{4}}, {}, {}, {}}}),
            "basis 0 of register is 4 on axis 0, outside the extent 4");
  EXPECT_EQ(fault({4}, {{{}, {{1}, {-2}}, {}, {}}}),
            "basis 1 of lane is -2 on axis 0, outside the extent 4");
  EXPECT_EQ(fault({4}, {{{}, {}, {{1, 0}}, {}}}),
            "basis 0 of warp has 2 coordinates, the tile has 1 axes");
  EXPECT_EQ(fault({1 << 30, 1 << 30, 1 << 30}, {}),
            "the tile has 2^90 elements, at most 2^62 can be laid out");
  EXPECT_EQ(fault({4}, {{{{1}}, {{2}}, {{3}}, {}}}), "");
}

} // namespace
} // namespace trowel::layout
