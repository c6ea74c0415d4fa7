// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel on two devices of one driver, over a driver that plays them. The library's own objects
// are linked here, since the public interface opens only devices that are there.
#include "tests/unit/runtime/FakeDriver.h"

#include "runtime/device/DeviceState.h"

#include <trowel/trowel.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace trowel {

using namespace trowel::driver;
using namespace trowel::test;

namespace {
class TwoDevices : public testing::Test {
protected:
  ~TwoDevices() override {
    EXPECT_EQ(fake.liveModules, 0);
    EXPECT_EQ(fake.contextDepth, 0);
  }
  Device first = newFakeDevice(), second{detail::openDevice(*first.state().api, 1)};
  int traces = 0;

  auto scale() {
    return kernel("scale", [this](Ptr<const float> x, Ptr<float> y, Scalar<float> factor) {
      ++traces;
      store(y + iota(64), load(x + iota(64)) * factor);
    });
  }
  /// The sentence with which a launch in this file is refused.
  template <class Call> static std::string refusal(Call call) {
    try {
      call();
      return "nothing was thrown";
    } catch (const Error &error) {
      EXPECT_EQ(error.file(), __FILE__);
      EXPECT_EQ(error.kernel(), "scale");
      return error.text();
    }
  }
  long loads() const {
    return std::count(fake.calls.begin(), fake.calls.end(), "cuModuleLoadDataEx");
  }
};
} // namespace

TEST_F(TwoDevices, ShareATraceAndHaveModulesOfTheirOwn) {
  auto k = scale();
  Buffer<float> x = first.allocate<float>(64), y = first.allocate<float>(64);
  Buffer<float> far = second.allocate<float>(64), farther = second.allocate<float>(64);
  for (int round = 0; round < 3; ++round) {
    k.launch({1}, x, y, 2.0f);
    k.launch({1}, far, farther, 2.0f);
    k.launch(Stream(second), {1}, far, farther, 2.0f);
  }
  EXPECT_EQ(traces, 1);
  EXPECT_EQ(loads(), 2);
  EXPECT_EQ(fake.liveModules, 2);
  EXPECT_EQ(fake.launches.size(), 9u);
}

TEST_F(TwoDevices, InOneLaunchAreRefusedWithBothNames) {
  auto k = scale();
  Buffer<float> x = first.allocate<float>(64), y = first.allocate<float>(64);
  Buffer<float> far = second.allocate<float>(64);
  auto sentence = [](int argument, const char *its, const char *other) {
    return "argument " + std::to_string(argument) + " (counted from 0) lies on Fake GPU (" + its +
           ", sm_90a), the launch is on Fake GPU (" + other +
           ", sm_90a); upload it there, or launch on a stream of its own device";
  };
  EXPECT_EQ(refusal([&] { k.launch({1}, x, far, 2.0f); }), sentence(1, "cuda:1", "cuda:0"));
  EXPECT_EQ(refusal([&] { AnyKernel(k).launch({1}, {far, x, 2.0f}); }),
            sentence(1, "cuda:0", "cuda:1"));
  EXPECT_EQ(refusal([&] { k.launch(Stream(second), {1}, x, y, 2.0f); }),
            sentence(0, "cuda:0", "cuda:1"));
  EXPECT_TRUE(fake.launches.empty());
}

TEST_F(TwoDevices, OfOneTargetCompileOnce) {
  auto k = scale(), equal = scale();
  Buffer<float> x = first.allocate<float>(64), far = second.allocate<float>(64);
  k.launch({1}, x, x, 2.0f);
  equal.launch({1}, x, x, 2.0f);
  EXPECT_EQ(loads(), 1);
  equal.launch({1}, far, far, 2.0f);
  EXPECT_EQ(loads(), 2);
}

TEST_F(TwoDevices, FillTheirMultiprocessorsFromTheDriversFigures) {
  fake.functionAttributes = {{functionRegisters, 40}, {functionMaxThreads, 1024}};
  fake.occupancy = 12;
  auto k = kernel("full", [](Ptr<float> y) { store(y + iota(512), 1.0f); }, Options{.warps = 4});
  Occupancy use = second.occupancy(k);
  EXPECT_EQ(use.text(), "12 programs a multiprocessor, 48 of 64 warps, limited by registers; 128 "
                        "threads and 0 bytes of shared memory a program, 40 registers a thread");
  EXPECT_EQ(use.fraction(), 0.75);
  EXPECT_EQ(fake.occupancyThreads, 128);
  EXPECT_EQ(second.occupancy(k, 1000).byThreads, 2);
  EXPECT_EQ(fake.occupancyThreads, 1000);
  EXPECT_EQ(loads(), 1);
}

} // namespace trowel
