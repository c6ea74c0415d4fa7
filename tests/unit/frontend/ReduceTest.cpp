// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What reductions and scans are recorded as.
#include "tests/unit/frontend/Traced.h"
#include "trowel/Layers.h"

namespace trowel::test {
namespace {

/// The op in the region of the only reduction or scan of a kernel.
template <class T, class F> std::string combinedBy(F function) {
  compiler::TracedKernel kernel = traceOf([=](Ptr<const T> x) { function(load(x + iota(8))); });
  std::string name;
  mlir::ModuleOp(*kernel.module->op).walk([&](mlir::Operation *op) {
    llvm::StringRef parent = op->getParentOp() ? op->getParentOp()->getName().getStringRef() : "";
    if ((parent == "tile.reduce" || parent == "tile.scan") && name.empty())
      name = op->getName().getStringRef().str();
  });
  return name;
}

TEST(Reduce, ChoosesTheOpByTheElement) {
  auto sumOf = [](auto v) { return sum(v); };
  EXPECT_EQ(combinedBy<int32>(sumOf), "arith.addi");
  EXPECT_EQ(combinedBy<bool>(sumOf), "arith.addi");
  EXPECT_EQ(combinedBy<f16>(sumOf), "arith.addf");
  EXPECT_EQ(combinedBy<float>([](auto v) { return product(v); }), "arith.mulf");
  EXPECT_EQ(combinedBy<int64>([](auto v) { return product(v); }), "arith.muli");
  auto largest = [](auto v) { return max(v); };
  EXPECT_EQ(combinedBy<int8>(largest), "arith.maxsi");
  EXPECT_EQ(combinedBy<uint8>(largest), "arith.maxui");
  EXPECT_EQ(combinedBy<bf16>(largest), "arith.maximumf");
  EXPECT_EQ(combinedBy<bool>(largest), "arith.ori");
  auto smallest = [](auto v) { return min(v); };
  EXPECT_EQ(combinedBy<int32>(smallest), "arith.minsi");
  EXPECT_EQ(combinedBy<uint64>(smallest), "arith.minui");
  EXPECT_EQ(combinedBy<double>(smallest), "arith.minimumf");
  EXPECT_EQ(combinedBy<bool>(smallest), "arith.andi");
  EXPECT_EQ(combinedBy<bool>([](auto v) { return any(v); }), "arith.ori");
  EXPECT_EQ(combinedBy<bool>([](auto v) { return all(v); }), "arith.andi");
  EXPECT_EQ(combinedBy<bool>([](auto v) { return xorSum(v); }), "arith.xori");
  EXPECT_EQ(combinedBy<uint16>([](auto v) { return cumsum(v, Axis{0}); }), "arith.addi");
  EXPECT_EQ(combinedBy<float>([](auto v) { return cumprod(v, Axis{0}); }), "arith.mulf");
}

TEST(Reduce, WidensNarrowSumsAndNothingElse) {
  auto text = [](auto function) {
    return tracedText([=](Ptr<const int8> x, Ptr<const bf16> y) {
      function(load(x + iota(8)), load(y + iota(8)));
    });
  };
  EXPECT_IN_ORDER(text([](auto i, auto f) { sum(i), product(f); }), "arith.extsi",
                  "(tensor<8xi32>) -> i32", "arith.extf", "(tensor<8xf32>) -> f32");
  EXPECT_IN_ORDER(text([](auto i, auto f) { max(i), min(f); }), "(tensor<8xi8>) -> i8",
                  "(tensor<8xbf16>) -> bf16");
  EXPECT_IN_ORDER(text([](auto i, auto f) { cumsum(i, Axis{0}), cumprod(f, Axis{0}); }),
                  "(tensor<8xi32>) -> tensor<8xi32>", "(tensor<8xf32>) -> tensor<8xf32>");
}

TEST(Reduce, OfAllElementsGoesFromTheLastAxisToTheFirst) {
  std::string text = tracedText([](Ptr<int32> x) {
    Tile<int32> v = expand(iota(8), Axis{1}) + expand(iota(4), Axis{0});
    store(x, sum(v));
  });
  EXPECT_IN_ORDER(text, "axis 1 : (tensor<8x4xi32>) -> tensor<8xi32>",
                  "axis 0 : (tensor<8xi32>) -> i32");
}

TEST(Reduce, CountsAxesFromTheEnd) {
  std::string text = tracedText([](Ptr<int32> x) {
    Tile<int32> v = expand(iota(8), Axis{1}) + expand(iota(4), Axis{0});
    sum(v, Axis{-2});
    cumsum(v, Axis{-1}, Direction::reverse);
  });
  EXPECT_IN_ORDER(text, "axis 0 : (tensor<8x4xi32>) -> tensor<4xi32>",
                  "axis 1 reverse : (tensor<8x4xi32>) -> tensor<8x4xi32>");
}

TEST(Reduce, TracesAFunctionOnceWhateverTheNumberOfAxes) {
  int calls = 0;
  std::string text = tracedText([&](Ptr<int32> x, Scalar<int32> n) {
    Tile<int32> v = expand(iota(8), Axis{1}) + expand(iota(4), Axis{0});
    store(x, reduce(v, [&](auto a, auto b) {
            ++calls;
            return a * n + b;
          }));
  });
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(count(text, "tile.reduce"), 2);
  EXPECT_EQ(count(text, "arith.muli"), 2);
}

TEST(Reduce, LeavesNothingOfAFunctionInTheKernel) {
  compiler::TracedKernel kernel = traceOf(
      [](Ptr<int32> x) { store(x, reduce(iota(8), [](auto a, auto b) { return a * b; })); });
  mlir::ModuleOp(*kernel.module->op).walk([&](mlir::Operation *op) {
    if (op->getName().getStringRef() == "arith.muli")
      EXPECT_EQ(op->getParentOp()->getName().getStringRef(), "tile.reduce");
  });
  EXPECT_EQ(opsOf(kernel), (std::vector<std::string>{"tile.iota", "arith.muli", "tile.yield",
                                                     "tile.reduce", "tile.store", "func.return"}));
}

TEST(Reduce, TakesTheLineOfItsCall) {
  compiler::TracedKernel kernel = traceOf([](Ptr<float> x) {
    Tile<float> v = load(x + iota(8));
    sum(v); // line of the sum
    softmax(v);
  });
  std::vector<int> lines = linesOf(kernel, "tile.reduce");
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[1], lines[0] + 1);
  EXPECT_EQ(lines[2], lines[0] + 1);
}

TEST(Reduce, RefusesAFunctionAndLetsTheThreadTraceAgain) {
  auto storing = [](Ptr<int32> x) {
    reduce(iota(8), [&](auto a, auto b) {
      store(x, a);
      return a + b;
    });
  };
  EXPECT_THROW(traceOf(storing), Error);
  auto throwing = [](Ptr<int32> x) {
    scan(iota(8), Axis{0}, [&](auto a, auto) {
      throw 7;
      return a;
    });
  };
  EXPECT_THROW(traceOf(throwing), int);
  EXPECT_EQ(count(tracedText([](Ptr<int32> x) { store(x, sum(iota(8))); }), "tile.reduce"), 1);
}

TEST(Argmax, CombinesElementsWithTheirPositions) {
  std::string text = tracedText([](Ptr<int32> x) {
    Tile<int32> v = expand(iota(8), Axis{1}) + expand(iota(4), Axis{0});
    argmax(v, Axis{1});
    argmin(v);
  });
  EXPECT_IN_ORDER(text,
                  "axis 1 : (tensor<8x4xi32>, tensor<8x4xi32>) -> (tensor<8xi32>, tensor<8xi32>)",
                  "axis 1 : (tensor<8x4xi32>, tensor<8x4xi32>) -> (tensor<8xi32>, tensor<8xi32>)",
                  "axis 0 : (tensor<8xi32>, tensor<8xi32>) -> (i32, i32)");
}

} // namespace
} // namespace trowel::test
