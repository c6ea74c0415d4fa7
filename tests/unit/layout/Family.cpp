// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The families: products of short lists, so that a law that fails does so on a case one can read.
#include "tests/unit/layout/Family.h"

#include <algorithm>

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

} // namespace trowel::layout
