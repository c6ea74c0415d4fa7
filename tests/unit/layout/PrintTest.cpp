// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialect/layout/Print.h"
#include "tests/unit/layout/Family.h"

#include <gtest/gtest.h>

namespace trowel::layout {
namespace {

TEST(Describe, NamesTheShortestBuilder) {
  EXPECT_EQ(describe(blocked({32, 16}, {1, 4}, {8, 4}, {4, 1}, {1, 0})),
            "blocked<registers = [1, 4], lanes = [8, 4], warps = [4, 1], order = [1, 0]>");
  EXPECT_EQ(describe(slice(blocked({32, 16}, {1, 4}, {8, 4}, {4, 1}, {1, 0}), 1)),
            "slice<axis = 1, extent = 16, "
            "blocked<registers = [1, 4], lanes = [8, 4], warps = [4, 1], order = [1, 0]>>");
}

TEST(Describe, AddsExtentsThatTheBuilderDoesNotImply) {
  EXPECT_EQ(describe(blocked({64, 64}, {1, 4}, {8, 4}, {4, 1}, {1, 0})),
            "blocked<registers = [1, 4], lanes = [8, 4], warps = [4, 1], order = [1, 0]>, extents "
            "= [64, 64]");
}

TEST(Describe, FallsBackToBases) {
  EXPECT_EQ(describe(LinearLayout({4, 4}, {{{{0, 1}}, {{0, 2}, {1, 1}, {2, 2}}, {}, {}}})),
            "bases<register = [[0, 1]], lane = [[0, 2], [1, 1], [2, 2]], warp = [], block = []>, "
            "extents = [4, 4]");
}

TEST(Describe, TellsDifferentLayoutsApart) {
  const std::vector<LinearLayout> &all = allLayouts();
  std::vector<std::string> texts;
  for (const LinearLayout &layout : all)
    texts.push_back(describe(layout));
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      ASSERT_EQ(texts[i] == texts[j], all[i] == all[j]) << texts[i] << " and " << texts[j];
}

TEST(Table, ShowsRunsOfRegisters) {
  EXPECT_EQ(table(blocked({4, 8}, {1, 4}, {4, 2}, {1, 1}, {1, 0})),
            "4 x 8, 8 threads of 4 registers\n"
            "  blocked<registers = [1, 4], lanes = [4, 2], warps = [1, 1], order = [1, 0]>\n"
            "       0-3      4-7\n"
            "0  T0:R0-3  T1:R0-3\n"
            "1  T2:R0-3  T3:R0-3\n"
            "2  T4:R0-3  T5:R0-3\n"
            "3  T6:R0-3  T7:R0-3\n");
}

TEST(Table, CutsLongAxesInTheMiddle) {
  std::string text = table(blocked({64, 64}, {1, 2}, {8, 4}, {4, 1}, {1, 0}));
  EXPECT_NE(text.find("0-1"), std::string::npos);
  EXPECT_NE(text.find("62-63"), std::string::npos);
  EXPECT_EQ(text.find("32-33"), std::string::npos);
  EXPECT_NE(text.find("..."), std::string::npos);
  EXPECT_NE(text.find("\n 63  "), std::string::npos) << text;
  EXPECT_EQ(text.find("\n 40  "), std::string::npos) << text;
}

TEST(Table, SaysHowElementsAreReplicated) {
  EXPECT_EQ(table(blocked({4}, {1}, {32}, {2}, {0})),
            "4, 64 threads of 1 register\n"
            "  blocked<registers = [1], lanes = [32], warps = [2], order = [0]>, extents = [4]\n"
            "  each element has 16 places: owners have zeros in lane bits 0x1c, warp bits 0x1\n"
            "      0      1      2      3\n"
            "  T0:R0  T1:R0  T2:R0  T3:R0\n");
}

TEST(Table, ShowsScalarsAndManyAxes) {
  LinearLayout scalar = slice(blocked({1}, {1}, {32}, {1}, {0}), 0);
  EXPECT_NE(table(scalar).find("\nT0:R0\n"), std::string::npos) << table(scalar);
  EXPECT_NE(table(blocked({2, 2, 8}, {1, 1, 1}, {2, 2, 8}, {1, 1, 1}, {2, 1, 0}))
                .find("lane = [[0, 0, 1]"),
            std::string::npos);
}

TEST(Table, SaysThatNobodyHoldsAnElement) {
  LinearLayout partial({4}, {{{}, {{1}}, {}, {}}});
  EXPECT_NE(table(partial).find("T0:R0  T1:R0  nobody  nobody"), std::string::npos)
      << table(partial);
}

} // namespace
} // namespace trowel::layout
