// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every op knows the C++ line that made it: operators with a tile or a number on either side, unary
// and compound ones, functions, conversions.
#include "tests/unit/frontend/Traced.h"

namespace trowel::test {
namespace {

constexpr int here(std::source_location at = std::source_location::current()) {
  return static_cast<int>(at.line());
}

using Lines = std::vector<int>;

TEST(Line, OfAnOperatorIsThatOfTheOperator) {
  int first = 0;
  compiler::TracedKernel kernel = traceOf([&](Ptr<float> x, Scalar<float> s) {
    Tile<float> v = load(x + iota(8));
    first = here();
    Tile<float> a = v + v;
    Tile<float> b = a + 1.0f;
    Tile<float> c = 1 + b;
    Tile<float> d = s + c;
    d += 1;
    d += d;
  });
  EXPECT_EQ(linesOf(kernel, "arith.addf"),
            (Lines{first + 1, first + 2, first + 3, first + 4, first + 5, first + 6}));
}

TEST(Line, OfAnExpressionOverSeveralLinesIsThatOfTheRightOperand) {
  int first = 0;
  compiler::TracedKernel kernel = traceOf([&](Ptr<float> x) {
    Tile<float> v = load(x + iota(8));
    first = here();
    // clang-format off
    v = v +
        v
        + v;
    // clang-format on
  });
  EXPECT_EQ(linesOf(kernel, "arith.addf"), (Lines{first + 3, first + 4}));
}

TEST(Line, OfNegationIsThatOfItsReceiver) {
  int first = 0;
  compiler::TracedKernel kernel = traceOf([&](Ptr<float> x, Index n) {
    Tile<int32> lane = iota(8);
    Tile<bool> mask = lane < n;
    first = here();
    Tile<bool> other = !mask;
    store(x + lane, 1.0f, !other);
    Tile<bool> both = mask && !other;
    Tile<float> chosen = where(!both, 1.0f, 2.0f);
    Scalar<bool> flag = !(n == 1);
    auto kept = !mask;
    Tile<bool> first = kept;
    Tile<bool> second = kept;
    kept = first;
    kept &= second;
  });
  EXPECT_EQ(linesOf(kernel, "arith.xori"),
            (Lines{first + 1, first + 2, first + 3, first + 4, first + 5, first + 7}));
}

TEST(Line, OfAConstantAConversionAndABroadcastIsThatOfTheirOperator) {
  int line = 0;
  compiler::TracedKernel kernel = traceOf([&](Index n, Scalar<float> s) {
    Tile<int32> lane = iota(8);
    line = here() + 1;
    Tile<float> x = lane * s + 2.5;
  });
  EXPECT_EQ(linesOf(kernel, "arith.sitofp"), (Lines{line}));
  EXPECT_EQ(linesOf(kernel, "tile.splat"), (Lines{line}));
  EXPECT_EQ(linesOf(kernel, "arith.constant"), (Lines{line}));
}

Tile<float> twice(const Tile<float> &x) { return x + x; }
constexpr int lineOfTwice = here() - 1;

TEST(Line, InAFunctionIsThatOfTheFunction) {
  compiler::TracedKernel kernel = traceOf([&](Ptr<float> x) {
    Tile<float> v = twice(load(x + iota(8)));
    store(x + iota(8), v);
  });
  EXPECT_EQ(linesOf(kernel, "arith.addf"), (Lines{lineOfTwice}));
}

TEST(Line, OfACallIsThatOfItsName) {
  int first = 0;
  compiler::TracedKernel kernel = traceOf([&](Ptr<float> x) {
    Tile<int32> lane = iota(8);
    first = here();
    // clang-format off
    Tile<float> v = exp(
        load(
          x + lane));
    // clang-format on
    store(x + lane, tanh(v));
  });
  EXPECT_EQ(linesOf(kernel, "tile.exp"), (Lines{first + 2}));
  EXPECT_EQ(linesOf(kernel, "tile.load"), (Lines{first + 3}));
  // The store names its pointer first.
  EXPECT_EQ(linesOf(kernel, "tile.ptr_add"), (Lines{first + 6, first + 4}));
}

} // namespace
} // namespace trowel::test
