// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One test body, every device: the software device always, a GPU where there is one.
//
//   class Add : public OnEveryDevice {};
//   TROWEL_ON_EVERY_DEVICE(Add);
//   TEST_P(Add, OfOnesIsTwo) { Buffer<float> x = device().upload(ones); ... }
//
// TROWEL_DEVICE=sim leaves the GPU out, TROWEL_DEVICE=cuda:1 takes that one. A test that is left
// out says why.
#pragma once

#include <trowel/Device.h>
#include <trowel/Error.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

namespace trowel::support {

/// The GPU that tests run on, or the reason why there is none.
struct TestGpu {
  std::optional<Device> device;
  std::string reason;
};

/// Looked for once a process, since a driver takes a while to start.
inline const TestGpu &testGpu() {
  static const TestGpu gpu = [] {
    TestGpu found;
    const char *chosen = std::getenv("TROWEL_DEVICE");
    if (chosen && std::string(chosen) == "sim") {
      found.reason = "no GPU test: TROWEL_DEVICE=sim";
      return found;
    }
    // A driver that is there and does not start is an error, and fails the test that asks.
    Device best = Device::best();
    if (best.isSimulator())
      found.reason = "no GPU test: this machine has no NVIDIA driver or no GPU";
    else
      found.device = best;
    return found;
  }();
  return gpu;
}

class OnEveryDevice : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    if (!isSimulator() && !testGpu().device)
      GTEST_SKIP() << testGpu().reason;
  }
  bool isSimulator() const { return std::string(GetParam()) == "sim"; }
  Device device() const { return isSimulator() ? Device::simulator() : *testGpu().device; }
};

} // namespace trowel::support

#define TROWEL_ON_EVERY_DEVICE(Suite)                                                              \
  INSTANTIATE_TEST_SUITE_P(                                                                        \
      , Suite, testing::Values("sim", "gpu"),                                                      \
      [](const testing::TestParamInfo<const char *> &info) { return std::string(info.param); })
