// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The families: products of short lists, so that a law that fails does so on a case one can read.
#include "tests/unit/layout/Family.h"

#include <algorithm>
#include <random>

namespace trowel::layout {

using Sizes = std::vector<std::int32_t>;
using Shape = std::vector<std::int64_t>;

static void addOrders(std::vector<BlockedCase> &cases, const Shape &shape, const Sizes &registers,
                      const Sizes &lanes, const Sizes &warps) {
  Sizes order;
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    order.push_back(static_cast<std::int32_t>(axis));
  do
    cases.push_back({shape, {registers, lanes, warps, order}});
  while (std::next_permutation(order.begin(), order.end()));
}

const std::vector<BlockedCase> &blockedCases() {
  static const std::vector<BlockedCase> cases = [] {
    std::vector<BlockedCase> result;
    for (std::int64_t extent : {1, 2, 16, 32, 128, 512, 2048})
      for (std::int32_t registers : {1, 2, 4, 8})
        for (std::int32_t warps : {1, 4, 8})
          addOrders(result, {extent}, {registers}, {32}, {warps});
    for (const Shape &shape :
         {Shape{1, 1}, {1, 64}, {64, 1}, {2, 4}, {8, 16}, {16, 16}, {32, 64}, {128, 2}})
      for (const Sizes &registers : {Sizes{1, 1}, {1, 4}, {2, 2}, {4, 1}})
        for (const Sizes &lanes : {Sizes{1, 32}, {8, 4}, {32, 1}})
          for (const Sizes &warps : {Sizes{1, 1}, {4, 1}, {2, 2}, {1, 4}})
            addOrders(result, shape, registers, lanes, warps);
    for (const Shape &shape : {Shape{1, 4, 8}, {4, 2, 32}, {8, 8, 4}})
      for (const Sizes &registers : {Sizes{1, 1, 4}, {2, 1, 2}})
        for (const Sizes &lanes : {Sizes{2, 4, 4}, {1, 1, 32}})
          for (const Sizes &warps : {Sizes{1, 1, 2}, {2, 2, 1}})
            addOrders(result, shape, registers, lanes, warps);
    return result;
  }();
  return cases;
}

const std::vector<LinearLayout> &allLayouts() {
  static const std::vector<LinearLayout> layouts = [] {
    std::vector<LinearLayout> result;
    const std::vector<BlockedCase> &cases = blockedCases();
    for (std::size_t i = 0; i < cases.size(); i += 7) {
      LinearLayout layout = blocked(cases[i].shape, cases[i].description);
      result.push_back(layout);
      for (int axis = 0; axis < layout.rank(); ++axis) {
        result.push_back(layout.withAxisRemoved(axis));
        result.push_back(layout.withAxisOfExtentOne(axis));
      }
    }
    result.push_back(LinearLayout());
    // A row whose columns are swizzled by the row number.
    result.push_back(
        LinearLayout({8, 8}, {{{{0, 1}}, {{0, 2}, {0, 4}, {1, 1}, {2, 2}}, {{4, 4}}, {}}}));
    // Duplicates that are not zero: lane 1 repeats register 0, the warp repeats the sum of both
    // lanes.
    result.push_back(LinearLayout({8}, {{{{1}, {4}}, {{2}, {1}}, {{3}}, {}}}));
    // A block bit, and a lane bit that repeats it.
    result.push_back(
        LinearLayout({4, 4}, {{{{0, 1}, {0, 2}}, {{2, 0}, {1, 0}}, {{0, 0}}, {{2, 0}}}}));
    // Does not cover its tile: the elements with bit 1 set on axis 0 are nowhere.
    result.push_back(LinearLayout({4, 2}, {{{{0, 1}}, {{1, 0}, {1, 1}}, {}, {}}}));
    return result;
  }();
  return layouts;
}

const std::vector<LinearLayout> &routeLayouts() {
  static const std::vector<LinearLayout> layouts = [] {
    std::vector<LinearLayout> result;
    auto add = [&](const LinearLayout &layout) {
      if (std::find(result.begin(), result.end(), layout) == result.end())
        result.push_back(layout);
    };
    auto addBlocked = [&](const Shape &shape, const Sizes &registers, const Sizes &lanes,
                          const Sizes &warps, const Sizes &order) {
      add(blocked(shape, registers, lanes, warps, order));
    };
    for (std::int64_t extent : {8, 64, 512})
      for (std::int32_t registers : {1, 2, 4})
        for (std::int32_t warps : {1, 4})
          addBlocked({extent}, {registers}, {32}, {warps}, {0});
    for (const Shape &shape : {Shape{4, 8}, {16, 32}, {32, 32}})
      for (const Sizes &registers : {Sizes{1, 1}, {1, 4}, {2, 2}, {8, 1}})
        for (const Sizes &lanes : {Sizes{1, 32}, {8, 4}, {32, 1}})
          for (const Sizes &warps : {Sizes{1, 1}, {2, 2}, {1, 4}})
            for (const Sizes &order : {Sizes{0, 1}, {1, 0}})
              if ((registers != Sizes{2, 2} && warps != Sizes{2, 2}) || lanes == Sizes{8, 4})
                addBlocked(shape, registers, lanes, warps, order);
    for (const Shape &shape : {Shape{2, 8, 4}, {4, 8, 16}})
      for (const Sizes &registers : {Sizes{1, 1, 4}, {2, 2, 1}})
        for (const Sizes &lanes : {Sizes{2, 4, 4}, {1, 1, 32}})
          for (const Sizes &order : {Sizes{2, 1, 0}, {0, 1, 2}, {1, 2, 0}})
            addBlocked(shape, registers, lanes, {1, 2, 2}, order);
    // Slices and broadcasts of a part, transposes of square ones.
    for (std::size_t i = 0, count = result.size(); i < count; ++i) {
      LinearLayout layout = result[i];
      for (int axis = 0; axis < layout.rank() && i % 4 == 0; ++axis) {
        add(layout.withAxisRemoved(axis));
        add(layout.withAxisOfExtentOne(axis));
      }
      if (layout.shape() == Shape{32, 32} && i % 3 == 0) {
        std::vector<BitVector> columns;
        for (int bit = 0; bit < 10; ++bit)
          columns.push_back(BitVector(1) << (bit + 5) % 10);
        add(layout.then(F2Matrix(10, columns), {32, 32}));
        for (int bit = 5; bit < 10; ++bit)
          columns[bit] ^= BitVector(1) << bit;
        add(layout.then(F2Matrix(10, columns), {32, 32}));
      }
    }
    for (const LinearLayout &layout : allLayouts())
      if (layout.inputCount() <= 64)
        add(layout);
    // Any bases at all: registers, lanes and warps that overlap, a block that repeats them.
    std::mt19937 random(11);
    for (int i = 0; i < 40; ++i) {
      std::array<int, 4> counts = {static_cast<int>(random() % 5), 5, static_cast<int>(i % 3),
                                   i % 2};
      std::vector<BitVector> columns;
      for (int column = 0; column < counts[0] + counts[1] + counts[2] + counts[3]; ++column)
        columns.push_back(random() % 64);
      add(LinearLayout({4, 16}, counts, F2Matrix(6, std::move(columns))));
    }
    return result;
  }();
  return layouts;
}

} // namespace trowel::layout
