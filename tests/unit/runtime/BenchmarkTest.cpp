// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In which order a benchmark warms up, flushes, marks and calls; and what it refuses.

#include "Expect.h"
#include "FakeDriver.h"

#include "trowel/Benchmark.h"

#include <gtest/gtest.h>

namespace trowel {

using namespace trowel::test;

namespace {
class Benchmarks : public testing::Test {
protected:
  ~Benchmarks() override {
    EXPECT_EQ(fake.liveAllocations, 0);
    EXPECT_EQ(fake.liveEvents, 0);
  }
  /// The calls that make up samples, in order.
  std::string sequence() const {
    std::string text;
    for (const std::string &call : fake.calls)
      if (call == "call" || call == "cuMemsetD8Async" || call == "cuEventRecord" ||
          call == "cuStreamSynchronize")
        text += (text.empty() ? "" : " ") + call;
    return text;
  }
  Device device = newFakeDevice();
  void (*call)() = [] { fake.calls.push_back("call"); };
};
} // namespace

TEST_F(Benchmarks, FlushBeforeTheFirstMarkOfEachSample) {
  fake.calls.clear();
  BenchmarkResult result = benchmark(device, call, {.warmUps = 1, .samples = 2});
  // What keeps the device busy before the samples ends with a wait.
  std::string calls = sequence();
  EXPECT_EQ(calls.substr(0, 20), "call cuMemsetD8Async");
  EXPECT_EQ(calls.substr(calls.rfind(" cuStreamSynchronize", calls.size() - 21)),
            " cuStreamSynchronize cuMemsetD8Async cuEventRecord call cuEventRecord "
            "cuMemsetD8Async cuEventRecord call cuEventRecord cuStreamSynchronize");
  EXPECT_EQ(result.samples, 2);
}

TEST_F(Benchmarks, KeepTheCacheWhereAsked) {
  fake.calls.clear();
  benchmark(device, call, {.warmUps = 0, .samples = 1, .flushL2 = false});
  EXPECT_EQ(sequence(), "cuEventRecord call cuEventRecord cuStreamSynchronize");
}

TEST_F(Benchmarks, LetTheExceptionsOfTheCallThrough) {
  EXPECT_THROW(benchmark(device, [] { throw 7; }), int);
}

TEST_F(Benchmarks, RefuseCountsThatMeasureNothing) {
  EXPECT_ERROR(benchmark(device, call, {.samples = 0}),
               "benchmark: asked for 0 samples; at least 1 is needed");
  EXPECT_ERROR(benchmark(device, call, {.warmUps = -3}),
               "benchmark: asked for -3 warm-ups; 0 is the fewest");
}

TEST_F(Benchmarks, RefuseTheSoftwareDevice) {
  EXPECT_ERROR(benchmark(Device::simulator(), call),
               "benchmark: Trowel software device (sim) has no speed to measure; run on a GPU "
               "(Device::cuda(0), or TROWEL_DEVICE=cuda)");
}

TEST(BenchmarkResults, GiveWorkASecondByTheMedian) {
  BenchmarkResult result{.median = 4, .low = 3, .high = 9, .samples = 5};
  EXPECT_DOUBLE_EQ(result.perSecond(8e6), 2e12);
}

} // namespace trowel
