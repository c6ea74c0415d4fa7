// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that read what nothing wrote: the finding leads to the C++ line of the load.
#include "examples/kernels/VectorAdd.h"

#include <trowel/trowel.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

using namespace trowel;
using testing::HasSubstr;

namespace {

/// The report of a launch, which is empty afterwards.
Report takeReport(const Device &device) {
  Report report = device.report();
  device.resetReport();
  return report;
}

TEST(UnwrittenRead, NamesTheLineOfTheLoadAndTheBuffer) {
  const std::int64_t n = 1024;
  Device device = Device::simulator();
  device.resetReport();
  Buffer<float> x = device.upload(std::vector<float>(n, 1.0f));
  Buffer<float> y = device.allocate<float>(n), z = device.allocate<float>(n);
  examples::vectorAdd(256).launch({n / 256}, x, y, z, n);
  device.synchronize(); // it ends no launch
  Report report = takeReport(device);
  ASSERT_EQ(report.findings.size(), 1u) << report.text();
  const Finding &finding = report.findings[0];
  EXPECT_EQ(finding.kind, "uninitialised-read");
  EXPECT_EQ(finding.kernel, "vector_add");
  EXPECT_THAT(finding.file, HasSubstr("VectorAdd.cpp"));
  EXPECT_GT(finding.line, 0);
  EXPECT_THAT(finding.text, HasSubstr("byte 0 of the buffer of 4096 bytes"));
}

TEST(UnwrittenRead, IsToldOnceForAllLaunchesOfAKernel) {
  const std::int64_t n = 256;
  Device device = Device::simulator();
  device.resetReport();
  Buffer<float> x = device.allocate<float>(n), z = device.allocate<float>(n);
  auto add = examples::vectorAdd(256);
  for (int round = 0; round < 3; ++round)
    add.launch({1}, x, x, z, n);
  device.synchronize();
  EXPECT_EQ(takeReport(device).findings.size(), 1u); // of two sources the first is named
  add.launch({1}, x, x, z, n);
  device.synchronize();
  EXPECT_EQ(takeReport(device).findings.size(), 1u);
}

TEST(UnwrittenRead, OfMaskedElementsOrThoseNotChosenIsNone) {
  const std::int64_t n = 200;
  Device device = Device::simulator();
  device.resetReport();
  Buffer<float> x = device.allocate<float>(256), y = device.allocate<float>(256);
  auto firstHalf = kernel("first_half", [](Ptr<float> x) {
    Tile<int32> i = iota(256);
    store(x + i, cast<float>(i), i < 200);
  });
  firstHalf.launch({1}, x);
  auto masked = kernel("masked", [](Ptr<const float> x, Ptr<float> y, Index n) {
    Tile<int32> i = iota(256);
    store(y + i, load(x + i, i < n) * 2.0f, i < n);
  });
  masked.launch({1}, x, y, n);
  auto chosen = kernel("chosen", [](Ptr<const float> x, Ptr<float> y, Index n) {
    Tile<int32> i = iota(256);
    store(y + i, where(i < n, load(x + i), 0.0f));
  });
  chosen.launch({1}, x, y, n);
  device.synchronize();
  Report report = takeReport(device);
  EXPECT_TRUE(report.findings.empty()) << report.text();
  EXPECT_EQ(y.download()[199], 199.0f);
}

} // namespace
