// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops and branches: which ops they become, and what of the C++ around them a trace sees.
#include "tests/unit/frontend/Traced.h"

#include <array>
#include <utility>
#include <vector>

namespace trowel::test {
namespace {

TEST(Control, ALoopCarriesWhatItAssigns) {
  std::string text = tracedText([](Ptr<const float> x, Ptr<float> y, Index n) {
    Scalar<float> sum = 0.0f;
    for (Index k : range(0, n, 4))
      sum += load(x + k);
    store(y, sum);
  });
  EXPECT_IN_ORDER(text,
                  "%0 = scf.for %arg3 = %c0_i64 to %arg2 step %c4_i64 iter_args(%arg4 = %cst)",
                  "-> (f32)  : i64 {", "%1 = tile.ptr_add %arg0, %arg3", "%2 = tile.load %1",
                  "%3 = arith.addf %arg4, %2 : f32", "scf.yield %3 : f32", "tile.store %arg1, %0");
}

TEST(Control, ALoopCarriesNothingThatItOnlyReads) {
  std::string text = tracedText([](Ptr<const float> x, Ptr<float> y, Index n) {
    Scalar<float> factor = load(x);
    for (Index k : range(0, n))
      store(y + k, load(x + k) * factor);
  });
  EXPECT_IN_ORDER(text, "%0 = tile.load %arg0",
                  "scf.for %arg3 = %c0_i64 to %arg2 step %c1_i64  : i64 {", "arith.mulf %3, %0");
  EXPECT_EQ(count(text, "iter_args"), 0);
}

TEST(Control, TheSecondTripReadsWhatTheFirstLeft) {
  // Fibonacci: each of the two is assigned what the other was.
  std::string text = tracedText([](Ptr<int32> y, Index n) {
    Scalar<int32> a = 0, b = 1;
    for (Index k : range(0, n)) {
      Scalar<int32> next = a + b;
      a = b;
      b = next;
    }
    store(y, a);
  });
  EXPECT_IN_ORDER(text, "%0:2 = scf.for %arg2 = ", "iter_args(%arg3 = %c0_i32, %arg4 = %c1_i32)",
                  "%1 = arith.addi %arg3, %arg4", "scf.yield %arg4, %1", "tile.store %arg0, %0#0");
}

TEST(Control, BothBranchesStartFromTheSameValuesAndMeetAfter) {
  std::string text = tracedText([](Ptr<float> y, Scalar<bool> c) {
    Scalar<float> a = 1.0f, b = 2.0f;
    if_(c, [&] {
      a = a + b;
      b = 5.0f;
    }).else_([&] { a = a * b; });
    store(y, a - b);
  });
  EXPECT_IN_ORDER(text, "%0:2 = scf.if %arg1 -> (f32, f32) {", "arith.addf %cst, %cst_0",
                  "} else {", "%2 = arith.mulf %cst, %cst_0", "scf.yield %2, %cst_0",
                  "arith.subf %0#0, %0#1");
}

TEST(Control, AnIfAloneKeepsTheOldValueOnTheOtherPath) {
  std::string text = tracedText([](Ptr<float> y, Scalar<bool> c) {
    Scalar<float> a = 1.0f;
    if_(c, [&] { a = 2.0f; });
    store(y, a);
  });
  EXPECT_IN_ORDER(text, "%0 = scf.if %arg1 -> (f32) {", "} else {", "scf.yield %cst : f32",
                  "tile.store %arg0, %0");
}

TEST(Control, AnIfThatAssignsNothingHasNoElse) {
  std::string text =
      tracedText([](Ptr<float> y, Scalar<bool> c) { if_(c, [&] { store(y, 1.0f); }); });
  EXPECT_IN_ORDER(text, "scf.if %arg1 {", "tile.store");
  EXPECT_EQ(count(text, "else"), 0);
}

TEST(Control, AWhileComputesItsConditionBeforeEachTrip) {
  std::string text = tracedText([](Ptr<int32> y, Scalar<int32> n) {
    Scalar<int32> steps = 0;
    while_([&] { return n > 1; },
           [&] {
             n = where(n % 2 == 0, n / 2, 3 * n + 1);
             steps += 1;
           });
    store(y, steps);
  });
  EXPECT_IN_ORDER(text, "%0:2 = scf.while (%arg2 = %arg1, %arg3 = %c0_i32)",
                  "arith.cmpi sgt, %arg2", "scf.condition", "%arg2, %arg3", "} do {",
                  "^bb0(%arg2: i32, %arg3: i32):", "arith.addi %arg3", "scf.yield",
                  "tile.store %arg0, %0#1");
}

TEST(Control, AConditionMayAssignAndTheBodySeesIt) {
  std::string text = tracedText([](Ptr<const int32> x, Ptr<int32> y) {
    Index i = 0;
    Scalar<int32> v;
    while_(
        [&] {
          v = load(x + i);
          return v != 0;
        },
        [&] {
          store(y + i, v);
          i += 1;
        });
    store(y + i, v); // set however often the body ran
  });
  EXPECT_IN_ORDER(text, "%0:2 = scf.while (%arg2 = %c0_i64)", "tile.load", "scf.condition",
                  "} do {", "tile.store", "scf.yield", "tile.store");
}

TEST(Control, ABodyOfAWhileReadsOuterValuesDirectly) {
  std::string text = tracedText([](Ptr<int32> y, Scalar<int32> n, Scalar<int32> step) {
    Scalar<int32> twice = step * 2;
    while_([&] { return n > twice; }, [&] { n -= twice; });
    store(y, n);
  });
  EXPECT_IN_ORDER(text, "%1 = scf.while (%arg3 = %arg1)", "arith.cmpi sgt, %arg3, %0",
                  "arith.subi %arg3, %0");
}

TEST(Control, ReturnIfIsAnOp) {
  EXPECT_IN_ORDER(tracedText([](Ptr<float> y, Index n) {
                    returnIf(programId(0) >= n);
                    store(y, 1.0f);
                  }),
                  "arith.cmpi sge", "tile.return_if %1", "tile.store");
}

TEST(Control, BodiesAreTracedOnceAndLoopsOfTheHostUnroll) {
  int bodies = 0;
  std::string text = tracedText([&](Ptr<float> y, Index n) {
    for (Index k : range(0, n)) {
      ++bodies;
      for (int i = 0; i < 3; ++i)
        store(y + k + i, 1.0f);
    }
    if_(n > 0, [&] { ++bodies; }).else_([&] { ++bodies; });
  });
  EXPECT_EQ(bodies, 3);
  EXPECT_EQ(count(text, "tile.store"), 3);
}

TEST(Control, ConstructsNestAtWill) {
  std::string text = tracedText([](Ptr<const int32> x, Ptr<int32> y, Index n) {
    Scalar<int32> total = 0;
    for (Index i : range(0, n)) {
      Index j = 0;
      while_([&] { return j < i; },
             [&] {
               if_(load(x + j) > 0, [&] {
                 for (Index k : range(j, i))
                   total += load(x + k);
               });
               j += 1;
             });
    }
    store(y, total);
  });
  EXPECT_IN_ORDER(text, "scf.for", "iter_args(%arg4 = %c0_i32)", "scf.while", "scf.if", "scf.for",
                  "scf.yield", "} else {", "scf.yield", "scf.yield", "tile.store");
}

TEST(Control, ContinueEndsATrip) {
  std::string text = tracedText([](Ptr<float> y, Index n) {
    bool rest = false;
    for (Index k : range(0, n)) {
      store(y + k, 1.0f);
      if (!rest)
        continue;
      store(y + k, 2.0f);
    }
    store(y, 3.0f);
  });
  EXPECT_IN_ORDER(text, "scf.for", "tile.store", "}", "tile.store");
  EXPECT_EQ(count(text, "tile.store"), 2);
}

TEST(Control, VariablesInStructsArraysAndVectorsAreFollowed) {
  struct State {
    Scalar<float> sum;
    std::array<Scalar<float>, 2> pair;
  };
  std::string text = tracedText([](Ptr<float> y, Index n) {
    State state{0.0f, {1.0f, 2.0f}};
    std::vector<Scalar<float>> list{3.0f, 4.0f};
    for (Index k : range(0, n)) {
      state.sum += state.pair[1];
      list[0] = list[1] + 1.0f;
    }
    store(y, state.sum + list[0]);
  });
  EXPECT_IN_ORDER(text, "%0:2 = scf.for", "arith.addf %0#0, %0#1");
}

TEST(Control, AssignmentsAreSeenHoweverTheyAreWritten) {
  struct Pair {
    Scalar<float> a, b;
  };
  auto carried = [](auto body) {
    std::string text = tracedText([=](Ptr<float> y, Index n) {
      Pair p{1.0f, 2.0f};
      for (Index k : range(0, n))
        body(p);
      store(y, p.a - p.b);
    });
    return count(text, "%0:2 = scf.for") == 1 ? 2 : count(text, "%0 = scf.for");
  };
  EXPECT_EQ(carried([](Pair &p) { p.a = 3.0f; }), 1);
  EXPECT_EQ(carried([](Pair &p) { p.a += 3.0f; }), 1);
  EXPECT_EQ(carried([](Pair &p) { std::swap(p.a, p.b); }), 2);
  EXPECT_EQ(carried([](Pair &p) { p = Pair{5.0f, 6.0f}; }), 2);
  EXPECT_EQ(carried([](Pair &p) {
              Pair q = p;
              p = q;
            }),
            2);
  EXPECT_EQ(carried([](Pair &p) {
              Scalar<float> &reference = p.b;
              reference = 3.0f;
            }),
            1);
  EXPECT_EQ(carried([](Pair &p) {
              auto step = [](Scalar<float> v) {
                v *= 2.0f;
                return v;
              };
              p.a = step(std::move(p.a));
            }),
            1);
  EXPECT_EQ(carried([](Pair &p) {
              Pair q = p; // a copy is another variable
              q.a = 3.0f;
            }),
            0);
}

TEST(Control, SwappingCarriesEachWhereTheOtherWas) {
  std::string text = tracedText([](Ptr<float> y, Index n) {
    Scalar<float> a = 1.0f, b = 2.0f;
    for (Index k : range(0, n))
      std::swap(a, b);
    store(y, a - b);
  });
  EXPECT_IN_ORDER(text, "iter_args(%arg3 = %cst, %arg4 = %cst_0)", "scf.yield %arg4, %arg3",
                  "arith.subf %0#0, %0#1");
}

TEST(Control, AVectorThatGrowsInALoopKeepsItsVariables) {
  std::string text = tracedText([](Ptr<float> y, Index n) {
    std::vector<Scalar<float>> list{1.0f, 2.0f};
    list.shrink_to_fit();
    for (Index k : range(0, n)) {
      list.push_back(3.0f); // moves the others
      list[0] = list[0] + list[1];
      for (Index l : range(0, k))
        list[1] += 1.0f;
    }
    list.pop_back();
    store(y, list[0] - list[1]);
  });
  EXPECT_IN_ORDER(text, "%0:2 = scf.for", "iter_args(%arg3 = %cst, %arg4 = %cst_0)",
                  "arith.addf %arg3, %arg4", "scf.for", "arith.subf %0#0, %0#1");
}

TEST(Control, AVectorThatGrowsInABranchKeepsItsVariables) {
  std::string text = tracedText([](Ptr<float> y, Scalar<bool> c) {
    std::vector<Scalar<float>> list{1.0f};
    if_(c, [&] {
      list.push_back(3.0f);
      list[0] += 1.0f;
    }).else_([&] { list[0] += 2.0f; });
    store(y, list[0]);
  });
  EXPECT_IN_ORDER(text, "%0 = scf.if", "arith.addf %cst", "else", "arith.addf %cst",
                  "tile.store %arg0, %0");
}

TEST(Control, AMovedVariableThatIsAssignedAgainIsItselfAgain) {
  std::string text = tracedText([](Ptr<float> y, Index n) {
    Scalar<float> a = 1.0f, b;
    for (Index k : range(0, n)) {
      Scalar<float> old = std::exchange(a, a + 1.0f);
      b = std::move(old);
      store(y, b);
    }
    store(y, a);
  });
  EXPECT_IN_ORDER(text, "%0 = scf.for", "iter_args(%arg3 = %cst)", "%1 = arith.addf %arg3",
                  "tile.store %arg0, %arg3", "scf.yield %1", "tile.store %arg0, %0");
}

TEST(Control, AMovedVariableThatIsAssignedInAnInnerScopeIsAnother) {
  std::string text = tracedText([](Ptr<float> y, Index n) {
    Scalar<float> a = 1.0f, b = std::move(a);
    for (Index k : range(0, n)) {
      a = b + 1.0f;
      b = a * 2.0f;
    }
    store(y, b);
  });
  EXPECT_IN_ORDER(text, "%0 = scf.for", "iter_args(%arg3 = %cst)", "%1 = arith.addf %arg3",
                  "%2 = arith.mulf %1", "scf.yield %2 : f32", "tile.store %arg0, %0");
}

TEST(Control, AVariableSetInBothBranchesNeedsNoValueBefore) {
  std::string text = tracedText([](Ptr<float> y, Scalar<bool> c) {
    Tile<float> v;
    if_(c, [&] { v = full<float>(8, 1.0f); }).else_([&] { v = full<float>(8, 2.0f); });
    store(y + iota(8), v);
  });
  EXPECT_IN_ORDER(text, "%0 = scf.if %arg1 -> (tensor<8xf32>)", "else", "tile.iota", "tile.store");
}

TEST(Control, ALambdaForElseMayCopy) {
  std::string text = tracedText([](Ptr<float> y, Scalar<bool> c) {
    Scalar<float> a = 1.0f;
    if_(c, [&] { a = 2.0f; }).else_([=] { store(y, a); });
    Scalar<float> b = a; // the first copy after the if_ is what came out of it
    store(y, b);
  });
  EXPECT_IN_ORDER(text, "scf.if", "} else {", "tile.store %arg0, %cst :", "tile.store %arg0, %0 :");
  text = tracedText([](Ptr<float> y, Scalar<bool> c) {
    Scalar<float> a = 1.0f;
    if_(c, [&] { a = 2.0f; });
    Scalar<float> b = a;
    a = 3.0f;
    store(y, b);
  });
  EXPECT_IN_ORDER(text, "%0 = scf.if", "tile.store %arg0, %0 :");
}

TEST(Control, BoundsAreEvaluatedBeforeTheLoop) {
  std::string text = tracedText([](Ptr<float> y, Index n) {
    for (Index k : range(0, n)) {
      n = 5;
      store(y + k, 1.0f);
    }
    auto later = range(0, n);
    n = 7;
    for (Index k : later)
      store(y + k, 1.0f);
  });
  EXPECT_IN_ORDER(text, "%0 = scf.for %arg2 = %c0_i64 to %arg1", "scf.for", "to %0");
}

TEST(Control, PointersAreVariablesToo) {
  std::string text = tracedText([](Ptr<const float> x, Ptr<float> y, Index n) {
    Tile<Ptr<const float>> p = x + iota(8);
    Tile<float> sum = zeros<float>(8);
    for (Index k : range(0, n)) {
      sum += load(p);
      p += 8;
    }
    store(y + iota(8), sum);
  });
  EXPECT_IN_ORDER(text, "scf.for", "-> (tensor<8xf32>, tensor<8x!tile.ptr<f32>>)");
}

TEST(Control, WhatNobodyReadsAfterMayChangeItsShape) {
  std::string text = tracedText([](Ptr<float> y, Index n) {
    Tile<float> scratch = zeros<float>(8);
    store(y + iota(8), scratch);
    for (Index k : range(0, n)) {
      scratch = full<float>(16, 1.0f);
      store(y + iota(16), scratch);
    }
  });
  EXPECT_EQ(count(text, "iter_args"), 0);
}

TEST(Control, OpsTellTheirLines) {
  compiler::TracedKernel kernel = traceOf([](Ptr<float> y, Index n) {
    for (Index k : range(0, n))
      store(y + k, 1.0f);
    if_(n > 0, [&] { store(y, 2.0f); });
    while_([&] { return n > 0; }, [&] { n -= 1; });
    returnIf(n > 0);
  });
  int first = kernel.line + 1;
  EXPECT_EQ(linesOf(kernel, "scf.for"), std::vector{first});
  EXPECT_EQ(linesOf(kernel, "scf.if"), std::vector{first + 2});
  EXPECT_EQ(linesOf(kernel, "scf.while"), std::vector{first + 3});
  EXPECT_EQ(linesOf(kernel, "tile.return_if"), std::vector{first + 4});
  EXPECT_EQ(linesOf(kernel, "tile.store"), (std::vector{first + 1, first + 2}));
}

TEST(Control, AnExceptionInABodyPassesAndTheThreadCanTraceAgain) {
  struct Own {};
  EXPECT_THROW(traceOf([](Ptr<float> x, Index n) {
                 for (Index k : range(0, n))
                   if_(k > 0, [&] {
                     while_([&] { return n > 0; },
                            [&] {
                              store(x, 1.0f);
                              throw Own();
                            });
                   });
               }),
               Own);
  EXPECT_EQ(compiler::kernelBeingTraced(), nullptr);
  EXPECT_EQ(opsOf(traceOf([](Ptr<float> x) { store(x, 1.0f); })).size(), 3u);
}

TEST(Control, TheOrderOfEvaluationDoesNotShow) {
  auto traced = [](bool fromTheLeft) {
    return tracedText([=](Ptr<const float> x, Ptr<float> y, Index n) {
      Scalar<float> a = 0.0f, b = 1.0f;
      for (Index k : range(0, n)) {
        Scalar<float> l, r;
        if (fromTheLeft)
          l = load(x + k), r = b * 2.0f;
        else
          r = b * 2.0f, l = load(x + k);
        a += l - r;
        b += a;
      }
      store(y, a / b);
    });
  };
  EXPECT_EQ(traced(true), traced(false));
}

TEST(Control, NothingMovesAcrossALoopOrAReturn) {
  compiler::TracedKernel kernel = traceOf([](Ptr<float> x, Ptr<float> y, Index n) {
    Scalar<float> a = load(x);
    for (Index k : range(0, n))
      store(x + k, 1.0f);
    Scalar<float> b = load(x);
    returnIf(n > 3);
    Scalar<float> c = load(x);
    store(y, c * b * a);
  });
  std::string order;
  for (const std::string &op : opsOf(kernel))
    if (op == "tile.load" || op == "tile.store" || op == "scf.for" || op == "tile.return_if")
      order += op.substr(op.find('.') + 1) + " ";
  // The walk names a loop after its body.
  EXPECT_EQ(order, "load store for load return_if load store ");
}

} // namespace
} // namespace trowel::test
