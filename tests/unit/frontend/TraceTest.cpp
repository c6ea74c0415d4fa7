// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a trace is: its function, its key, its lifetime, its thread.
#include "tests/unit/frontend/Traced.h"

#include <cmath>
#include <cstdlib>
#include <thread>

namespace trowel::test {
namespace {

TEST(Trace, ParametersBecomeNamedArgumentsOfAKernel) {
  std::string text = tracedText([](Ptr<const float> x, Ptr<bf16> y, Index n, Scalar<float> s,
                                   Scalar<bool> b, Scalar<int32> i, Ptr<const bool> flags) {});
  EXPECT_IN_ORDER(text, "func.func @k(", "%arg0: !tile.ptr<f32> {tile.name = \"arg0\"}",
                  "%arg1: !tile.ptr<bf16> {tile.name = \"arg1\"}", "%arg2: i64", "%arg3: f32",
                  "%arg4: i1", "%arg5: i32", "%arg6: !tile.ptr<i1>", "attributes {tile.kernel}",
                  "return");
}

TEST(Trace, ARowOfAMatrixReadsAsItWasWritten) {
  int block = 128;
  std::string text = tracedText([=](Ptr<const float> x, Ptr<float> y, Index cols) {
    Index row = programId(0);
    Tile<int32> col = iota(block);
    Tile<bool> inside = col < cols;
    Tile<float> v = load(x + row * cols + col, inside, -INFINITY);
    store(y + row * cols + col, v, inside);
  });
  EXPECT_IN_ORDER(text, "%0 = tile.program_id 0 : i64", "%1 = arith.muli %0, %arg2 : i64",
                  "%2 = tile.ptr_add %arg1, %1 : !tile.ptr<f32>, i64",
                  "%3 = tile.splat %2 : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>",
                  "%4 = tile.iota : tensor<128xi32>", "%5 = tile.ptr_add %3, %4",
                  "tile.ptr_add %arg0,", "= arith.extsi %4 : tensor<128xi32> to tensor<128xi64>",
                  "= tile.splat %arg2 : i64 -> tensor<128xi64>", "= arith.cmpi slt",
                  "%cst = arith.constant dense<0xFF800000>", "fill %cst", "tile.store %5");
}

TEST(Trace, EqualKernelsHaveEqualKeysAndOthersDoNot) {
  auto traced = [](int block, float factor) {
    return traceOf([=](Ptr<float> x) { store(x + iota(block), load(x + iota(block)) * factor); });
  };
  std::string key = traced(64, 2.0f).key;
  EXPECT_EQ(key.size(), 64u);
  EXPECT_EQ(traced(64, 2.0f).key, key);
  EXPECT_NE(traced(32, 2.0f).key, key);
  EXPECT_NE(traced(64, 3.0f).key, key);
}

TEST(Trace, DoesNotShowInWhichOrderOperandsWereEvaluated) {
  std::string fromTheLeft = tracedText([](Ptr<float> x, Ptr<float> y) {
    Tile<Ptr<float>> p = x + iota(8);
    Tile<float> a = exp(load(p));
    Scalar<float> b = tanh(load(y));
    store(p, a - b);
  });
  std::string fromTheRight = tracedText([](Ptr<float> x, Ptr<float> y) {
    Scalar<float> b = tanh(load(y));
    Tile<Ptr<float>> p = x + iota(8);
    Tile<float> a = exp(load(p));
    store(p, a - b);
  });
  EXPECT_EQ(fromTheLeft, fromTheRight);
}

TEST(Trace, KeepsLoadsOnTheirSideOfAStore) {
  compiler::TracedKernel kernel = traceOf([](Ptr<float> x, Ptr<float> y) {
    Scalar<float> before = load(x);
    store(y, 1.0f);
    Scalar<float> after = load(x);
    store(x, after * 2.0f - before);
  });
  EXPECT_EQ(opsOf(kernel), (std::vector<std::string>{"arith.constant", "tile.load", "tile.store",
                                                     "tile.load", "arith.constant", "arith.mulf",
                                                     "arith.subf", "tile.store", "func.return"}));
}

TEST(Trace, AnExceptionOfTheLambdaPassesUnchangedAndTheThreadCanTraceAgain) {
  struct Own {
    int code;
  };
  try {
    traceOf([](Ptr<float> x) {
      store(x, 1.0f);
      throw Own{7};
    });
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Own &own) {
    EXPECT_EQ(own.code, 7);
  }
  EXPECT_EQ(compiler::kernelBeingTraced(), nullptr);
  EXPECT_EQ(opsOf(traceOf([](Ptr<float> x) { store(x, 1.0f); })).size(), 3u);
}

TEST(Trace, AMistakeLeavesTheThreadUsable) {
  EXPECT_THROW(traceOf([](Ptr<float> x) { store(x + iota(0), 1.0f); }), Error);
  EXPECT_EQ(compiler::kernelBeingTraced(), nullptr);
  EXPECT_EQ(opsOf(traceOf([](Ptr<float> x) { store(x, 1.0f); })).size(), 3u);
}

TEST(Trace, ThreadsTraceSideBySideAndGetTheSame) {
  constexpr int threads = 8;
  std::vector<std::string> keys(threads);
  std::vector<std::thread> running;
  for (int i = 0; i < threads; ++i)
    running.emplace_back([&, i] {
      for (int round = 0; round < 10; ++round)
        keys[i] = traceOf([](Ptr<float> x, Index n) {
                    Tile<int32> lane = iota(64);
                    store(x + lane, exp(load(x + lane, lane < n)), lane < n);
                  }).key;
    });
  for (std::thread &thread : running)
    thread.join();
  for (const std::string &key : keys)
    EXPECT_EQ(key, keys[0]);
}

TEST(Trace, FileNamesInLocationsAreCut) {
  auto fileOf = [] {
    compiler::TracedKernel kernel = traceOf([](Ptr<float> x) { store(x, 1.0f); });
    std::string full = __FILE__;
    EXPECT_EQ(kernel.fullFileNames.begin()->second, full);
    return llvm::cast<mlir::FileLineColLoc>(kernel.module->op->getLoc()).getFilename().str();
  };
  EXPECT_EQ(fileOf(), "TraceTest.cpp");
  std::string file = __FILE__;
  std::string folder = file.substr(0, file.rfind("/unit/frontend/"));
  ASSERT_EQ(setenv("TROWEL_SOURCE_ROOT", folder.c_str(), 1), 0);
  EXPECT_EQ(fileOf(), "unit/frontend/TraceTest.cpp");
  ASSERT_EQ(setenv("TROWEL_SOURCE_ROOT", "/elsewhere", 1), 0);
  EXPECT_EQ(fileOf(), "TraceTest.cpp");
  ASSERT_EQ(unsetenv("TROWEL_SOURCE_ROOT"), 0);
}

TEST(Trace, VariablesCopyMoveAndAreAssignedLikeNumbers) {
  compiler::TracedKernel kernel = traceOf([](Ptr<float> x) {
    struct Pair {
      Tile<float> a, b;
    };
    std::vector<Pair> pairs;
    for (int i = 0; i < 3; ++i)
      pairs.push_back({full<float>(8, i), full<float>(8, i + 10)});
    std::swap(pairs[0].a, pairs[1].b);
    Pair copy = pairs[0];
    pairs[2] = copy;
    store(x + iota(8), pairs[2].a + pairs[1].b);
  });
  EXPECT_IN_ORDER(textOf(kernel), "dense<1.100000e+01>", "dense<0.000000e+00>", "arith.addf");
}

TEST(Trace, ScalarConstantsOutliveTheTilesThatRepeatThem) {
  // On one line, so that the constant and its first user are at the same place.
  // clang-format off
  auto body = [](Ptr<float> y) { Scalar<float> c = 2.0f; store(y + iota(8), full<float>(8, c)); store(y + iota(8), c * full<float>(8, c)); };
  // clang-format on
  std::string text = tracedText(body);
  EXPECT_EQ(count(text, "arith.constant 2.000000e+00 : f32"), 1) << text;
  EXPECT_EQ(count(text, "dense<2.000000e+00>"), 3) << text;
}

} // namespace
} // namespace trowel::test
