// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel's PTX is the same bytes whatever happened before: each time it is traced, whichever
// kernels were traced and compiled before, on whatever thread. The stage is asked for rather than
// the image, since that is compiled anew each time.
#include <trowel/trowel.h>

#include <gtest/gtest.h>

#include <functional>
#include <thread>

namespace trowel {
namespace {

template <class K> std::string ptxOf(const K &k) {
  return k.untyped().stage("ptx", "sm_90a", Assume::Typical);
}

std::string scale() {
  return ptxOf(kernel("scale", [](Ptr<float> x, Scalar<float> a, Index n) {
    Tile<int64> i = programId(0) * 512 + iota(512);
    store(x + i, load(x + i, i < n) * a + exp(a), i < n);
  }));
}

std::string table() {
  return ptxOf(kernel("table", [](Ptr<const int8> x, Ptr<int64> y, Index rows, Index pitch) {
    Tile<int64> row = expand(programId(1) * 16 + iota(16), Axis{1});
    Tile<int32> column = expand(iota(100), Axis{0});
    Tile<int64> total = zeros<int64>({16, 100});
    for (Index k : range(0, rows, 16)) {
      Tile<bool> inside = row + k < rows;
      if_(k % 32 == 0, [&] { total += load(x + (row + k) * pitch + column, inside); }).else_([&] {
        total -= column;
      });
    }
    store(y + row * 100 + column, total);
  }));
}

std::string walk() {
  return ptxOf(kernel("walk", [](Ptr<const int32> next, Ptr<bf16> out, Scalar<int32> start) {
    Scalar<int32> at = start;
    while_([&] { return at >= 0; },
           [&] {
             store(out + at, cast<bf16>(at));
             at = load(next + at);
           });
  }));
}

const std::vector<std::function<std::string()>> kernels = {scale, table, walk};

TEST(Determinism, OfAKernelThatIsTracedTwice) {
  for (const auto &k : kernels)
    EXPECT_EQ(k(), k());
}

TEST(Determinism, InAnotherOrderAndAfterOtherKernels) {
  std::vector<std::string> forwards, backwards;
  for (const auto &k : kernels)
    forwards.push_back(k());
  EXPECT_THROW(ptxOf(kernel("wrong", [](Ptr<float> x) { store(x + iota(0), 1.0f); })), Error);
  for (std::size_t i = kernels.size(); i-- > 0;)
    backwards.insert(backwards.begin(), kernels[i]());
  EXPECT_EQ(forwards, backwards);
}

TEST(Determinism, OnAnyThread) {
  std::vector<std::string> expected, made(2 * kernels.size());
  for (const auto &k : kernels)
    expected.push_back(k());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < made.size(); ++i)
    threads.emplace_back([&, i] { made[i] = kernels[i % kernels.size()](); });
  for (std::thread &thread : threads)
    thread.join();
  for (std::size_t i = 0; i < made.size(); ++i)
    EXPECT_EQ(made[i], expected[i % kernels.size()]);
}

} // namespace
} // namespace trowel
