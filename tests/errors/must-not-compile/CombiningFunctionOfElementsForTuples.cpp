// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: the combining function takes two tuples of elements and returns one: [](auto a, auto b)
// { auto [x, i] = a; …; return std::tuple{x, i}; }
#include <trowel/trowel.h>

using namespace trowel;

auto k = kernel("k", [](Ptr<int32> x) {
  auto four = [](Scalar<int32> a, Scalar<int32>, Scalar<int32>, Scalar<int32>) { return a; };
  auto [a, b] = reduce(std::tuple{iota(8), iota(8)}, four);
  store(x, a + b);
});
