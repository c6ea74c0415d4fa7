// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels from the outside: when a lambda is traced, which variants a launch gets, and that both
// hold under threads. Everything runs on the software device.
#include <trowel/trowel.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <cstdlib>
#include <thread>

namespace trowel {
namespace {

/// A kernel that adds 1 to `n` elements, and counts how often it is traced.
auto increment(std::atomic<int> *traces, int block = 64) {
  return kernel("increment", [=](Ptr<float> x, Index n) {
    ++*traces;
    Tile<int32> lane = iota(block);
    Index start = programId(0) * block;
    Tile<bool> inside = start + lane < n;
    store(x + start + lane, load(x + start + lane, inside) + 1.0f, inside);
  });
}

class KernelOnSimulator : public testing::Test {
protected:
  Device device = Device::simulator();
};

TEST_F(KernelOnSimulator, IsTracedOnceWhateverIsAskedOfIt) {
  std::atomic<int> traces = 0;
  auto k = increment(&traces);
  EXPECT_EQ(traces, 0);
  Buffer<float> x = device.upload(std::vector<float>(100, 1.0f));
  k.launch({2}, x, 100);
  k.launch({2}, x, 96);
  k.launch({2}, x, 100);
  auto copy = k;
  copy.launch({2}, x, 99);
  EXPECT_NE(copy.ptx("sm_80"), k.ptx("sm_90a"));
  EXPECT_EQ(traces, 1);
  std::vector<float> result = x.download();
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(result[i], i < 96 ? 5.0f : i < 99 ? 4.0f : 3.0f) << i;
}

TEST_F(KernelOnSimulator, IsRightForEveryPairOfFacts) {
  std::atomic<int> traces = 0;
  auto k = increment(&traces);
  std::vector<float> zeros(200, 0.0f);
  for (int offset : {0, 1, 2, 4})
    for (int n : {0, 1, 2, 15, 16, 17, 64, 65, 128, 130}) {
      Buffer<float> x = device.upload(zeros);
      k.launch({(n + 63) / 64}, x.devicePointer() + offset, n);
      std::vector<float> result = x.download();
      for (int i = 0; i < 200; ++i)
        EXPECT_EQ(result[i], i >= offset && i < offset + n ? 1.0f : 0.0f)
            << "offset " << offset << ", n " << n << ", element " << i;
    }
  EXPECT_EQ(traces, 1);
}

TEST_F(KernelOnSimulator, IsTracedOnceByManyThreads) {
  std::atomic<int> traces = 0;
  auto k = increment(&traces);
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      Buffer<float> x = device.upload(std::vector<float>(100 + t, 1.0f));
      k.launch({2}, x, 100 + t);
      std::vector<float> result = x.download();
      right += std::count(result.begin(), result.end(), 2.0f) == 100 + t;
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(right, 8);
  EXPECT_EQ(traces, 1);
}

TEST_F(KernelOnSimulator, MayBeAChainOfThousandsOfIntegerOperations) {
  // A pass of LLVM's takes minutes for it.
  constexpr int rounds = 1000;
  auto k = kernel("chain", [](Ptr<int32> y) {
    Tile<int32> i = iota(128), x = i;
    for (int round = 0; round < rounds; ++round)
      x = (x ^ round) * 3 + i;
    store(y + i, x);
  });
  Buffer<int32> y = device.allocate<int32>(128);
  k.launch({1}, y);
  std::vector<int32> result = y.download();
  for (std::uint32_t i = 0; i < 128; ++i) {
    std::uint32_t x = i;
    for (std::uint32_t round = 0; round < rounds; ++round)
      x = (x ^ round) * 3 + i;
    ASSERT_EQ(static_cast<std::uint32_t>(result[i]), x) << i;
  }
}

/// Launches one shared kernel, and an equal one of each thread, from eight threads at once, and
/// ends the process: 0 if all results are right.
[[noreturn]] void meet() {
  setenv("TROWEL_LOG", "jit", 1);
  std::atomic<int> traces = 0, right = 0;
  auto shared = increment(&traces);
  std::barrier start(8);
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&] {
      Buffer<float> x = Device::simulator().upload(std::vector<float>(96, 1.0f));
      auto own = increment(&traces);
      start.arrive_and_wait();
      shared.launch({2}, x, 96);
      start.arrive_and_wait();
      own.launch({2}, x, 96);
      right += x.download() == std::vector<float>(96, 3.0f);
    });
  for (std::thread &thread : threads)
    thread.join();
  std::exit(right == 8 && traces == 9 ? 0 : 1);
}

TEST(KernelDeathTest, IsCompiledAndLoadedOnceByThreadsThatMeet) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  auto countOf = [](const char *piece) {
    return testing::ResultOf(
        piece,
        [=](const std::string &log) {
          int count = 0;
          for (std::size_t at = log.find(piece); at != log.npos; at = log.find(piece, at + 1))
            ++count;
          return count;
        },
        1);
  };
  EXPECT_EXIT(meet(), testing::ExitedWithCode(0),
              testing::AllOf(countOf("compile 'increment'"), countOf("load 'increment'")));
}

TEST_F(KernelOnSimulator, ThatThrewIsTracedAgain) {
  bool bad = true;
  auto k = kernel("moody", [&bad](Ptr<float> x) {
    if (bad)
      throw 7;
    store(x, 2.0f);
  });
  Buffer<float> x = device.upload({1.0f});
  EXPECT_THROW(k.launch({1}, x), int);
  EXPECT_THROW(k.launch({1}, x), int);
  bad = false;
  k.launch({1}, x);
  EXPECT_EQ(x.download()[0], 2.0f);
}

TEST_F(KernelOnSimulator, LaunchedInsideAnotherIsRefusedEvenWhenItIsCompiled) {
  auto inner = kernel("inner", [](Ptr<float> x) { store(x, 1.0f); });
  Buffer<float> x = device.upload({0.0f});
  inner.launch({1}, x);
  auto outer = kernel("outer", [&](Ptr<float> y) {
    inner.launch({1}, x);
    store(y, 2.0f);
  });
  EXPECT_THROW(outer.launch({1}, x), Error);
  EXPECT_EQ(x.download()[0], 1.0f);
}

TEST_F(KernelOnSimulator, OutlivesTheKernelThatItWasCopiedFrom) {
  Buffer<float> x = device.upload({0.0f});
  auto k = kernel("one", [](Ptr<float> x) { store(x, 1.0f); });
  {
    auto other = kernel("two", [](Ptr<float> x) { store(x, 2.0f); });
    other.launch({1}, x);
    k = decltype(k)(other);
  }
  EXPECT_EQ(k.name(), "two");
  k.launch({1}, x);
  EXPECT_EQ(x.download()[0], 2.0f);
}

TEST_F(KernelOnSimulator, TakesItsArgumentsInOrderAndInEveryType) {
  Buffer<float> floats = device.allocate<float>(2);
  Buffer<int64> integers = device.allocate<int64>(2);
  Buffer<bool> bools = device.upload({false, true});
  auto k =
      kernel("all", [](Ptr<float> f, Scalar<bool> b, Scalar<int32> i, Ptr<int64> l, Scalar<bf16> h,
                       Index n, Scalar<int64> w, Scalar<float> s, Ptr<const bool> flags) {
        store(f, where(b, cast<float>(h), 0.0f));
        store(f + 1, where(load(flags + 1), s, 0.0f));
        store(l, n);
        store(l + 1, w + i);
      });
  k.launch({1}, floats, true, -5, integers, bf16(1.5f), 1ll << 40, 7, 2.25f, bools);
  EXPECT_EQ(floats.download(), (std::vector<float>{1.5f, 2.25f}));
  EXPECT_EQ(integers.download(), (std::vector<int64>{1ll << 40, 2}));
}

TEST_F(KernelOnSimulator, RunsInTheStreamThatItIsGiven) {
  Stream stream(device);
  Buffer<float> x = device.upload({0.0f});
  auto k = kernel("store", [](Ptr<float> x, Scalar<float> v) { store(x, v); });
  k.launch(stream, {1}, x, 3.0f);
  stream.synchronize();
  EXPECT_EQ(x.download()[0], 3.0f);
}

TEST_F(KernelOnSimulator, WithAnIndexBeyondInt64IsRefused) {
  std::atomic<int> traces = 0;
  Buffer<float> x = device.upload({0.0f});
  try {
    increment(&traces).launch({1}, x, ~0ull);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error &error) {
    EXPECT_EQ(error.text(),
              "launch: the argument 18446744073709551615 does not fit an Index, which "
              "holds at most 9223372036854775807: pass a smaller integer");
  }
}

TEST(Kernel, GivesTheSamePtxFromEqualLambdas) {
  std::atomic<int> traces = 0;
  auto a = increment(&traces), b = increment(&traces), c = increment(&traces, 32);
  EXPECT_EQ(a.ptx("sm_80"), b.ptx("sm_80"));
  EXPECT_NE(a.ptx("sm_80"), c.ptx("sm_80"));
  EXPECT_EQ(traces, 3);
}

TEST(Kernel, CanBeLookedAtAfterEveryStage) {
  std::atomic<int> traces = 0;
  auto k = increment(&traces);
  struct Case {
    const char *stage, *piece;
  };
  for (Case given : {Case{"tile", "tile.load"},
                     {"layout", "#tile.layout"},
                     {"llvm-dialect", "llvm.func"},
                     {"llvm", "define"},
                     {"ptx", ".entry increment"}})
    EXPECT_NE(k.stage(given.stage, "sm_90a").find(given.piece), std::string::npos) << given.stage;
  EXPECT_NE(AnyKernel(k).layouts("sm_90a").find("load"), std::string::npos);
}

TEST(Kernel, ForAnUnknownTargetIsRefusedWithTheKnownOnes) {
  std::atomic<int> traces = 0;
  try {
    increment(&traces).ptx("sm_42");
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error &error) {
    EXPECT_NE(error.text().find("sm_42"), std::string::npos) << error.what();
    EXPECT_NE(error.text().find("sm_90a"), std::string::npos) << error.what();
    EXPECT_EQ(error.kernel(), "increment");
  }
}

} // namespace
} // namespace trowel
