// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of one name in several folders. A #line directive puts a function into each; the last one
// holds to the end of this file, so the functions stand there.
#include "tests/unit/frontend/Traced.h"

namespace trowel::test {
namespace {

Tile<float> inFirst(const Tile<float> &x);
Tile<float> inSecond(const Tile<float> &x);
Tile<float> inThird(const Tile<float> &x);

TEST(FileName, OfFilesOfOneNameKeepsTheFoldersThatTellThemApart) {
  compiler::TracedKernel kernel = traceOf([](Ptr<float> x) {
    store(x + iota(8), inThird(inSecond(inFirst(inSecond(inFirst(load(x + iota(8))))))));
  });
  std::map<std::string, std::string> others = kernel.fullFileNames;
  others.erase("FileNameTest.cpp");
  EXPECT_EQ(others,
            (std::map<std::string, std::string>{{"kernels/Shared.h", "/build/a/kernels/Shared.h"},
                                                {"a/other/Shared.h", "/build/a/other/Shared.h"},
                                                {"b/other/Shared.h", "/build/b/other/Shared.h"}}));
}

TEST(FileName, DoesNotDependOnWhichCameFirst) {
  auto keyOf = [](bool firstComesFirst) {
    return traceOf([&](Ptr<float> x) {
             // Each has a line of its own, so the order of the two calls is all that differs, and
             // the trace puts that in order.
             Tile<float> a, b, v = load(x + iota(8));
             if (firstComesFirst) {
               a = inFirst(v);
               b = inSecond(v);
             } else {
               b = inSecond(v);
               a = inFirst(v);
             }
             store(x + iota(8), a * b);
           })
        .key;
  };
  EXPECT_EQ(keyOf(true), keyOf(false));
}

TEST(FileName, InAMessageIsThatOfTheRightFile) {
  try {
    traceOf([](Ptr<float> x) {
      Tile<float> total = inFirst(load(x + iota(8)));
      for (Index k : range(0, 4))
        total = inSecond(expand(total, Axis{0}));
    });
    ADD_FAILURE() << "a carried variable may not change its shape";
  } catch (const Error &error) {
    EXPECT_EQ(error.file(), "/build/a/other/Shared.h");
    EXPECT_EQ(error.line(), 200);
  }
}

// clang-format off
#line 100 "/build/a/kernels/Shared.h"
Tile<float> inFirst(const Tile<float> &x) { return x + 1; }
#line 200 "/build/a/other/Shared.h"
Tile<float> inSecond(const Tile<float> &x) { return x + 2; }
#line 300 "/build/b/other/Shared.h"
Tile<float> inThird(const Tile<float> &x) { return x + 3; }

} // namespace
} // namespace trowel::test
