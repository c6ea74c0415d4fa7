// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The example kernels ask memory as few times as they can, by the software device's counters.
//
// These are figures that a profiler would show, and unlike times they are the same on each run: a
// warp that moves 16 bytes a thread touches 16 sectors of 32 bytes in 4 lines of 128, and every
// byte of them is wanted. A change of the compiler that narrows an access or spreads a warp over
// more lines fails here, on any machine.
#include "examples/kernels/BiasGelu.h"
#include "examples/kernels/VectorAdd.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

using namespace trowel;

namespace {

void expectFewestSectors(const Report &report, std::size_t accesses, std::uint64_t bytesEach) {
  ASSERT_EQ(report.accesses.size(), accesses) << report.text();
  for (const AccessReport &access : report.accesses) {
    EXPECT_EQ(access.bytes, bytesEach) << access.instruction;
    EXPECT_EQ(access.sectors * 32, access.bytes) << access.instruction;
    EXPECT_EQ(access.sectors, 16 * access.requests) << access.instruction;
    EXPECT_EQ(access.lines, 4 * access.requests) << access.instruction;
  }
  EXPECT_TRUE(report.findings.empty()) << report.text();
}

TEST(Counters, OfVectorAddAreTheFewest) {
  const std::int64_t n = 1 << 16;
  Device device = Device::simulator();
  Buffer<float> x = device.upload(std::vector<float>(n, 1.0f));
  Buffer<float> y = device.upload(std::vector<float>(n, 2.0f));
  Buffer<float> z = device.allocate<float>(n);
  device.resetReport();
  examples::vectorAdd(1024).launch({n / 1024}, x, y, z, n);
  expectFewestSectors(device.report(), 3, 4 * n);
}

TEST(Counters, OfBiasGeluAreTheFewest) {
  const std::int64_t rows = 8, cols = 8192;
  Device device = Device::simulator();
  Buffer<bf16> x = device.upload(std::vector<bf16>(rows * cols, bf16(1.0f)));
  Buffer<bf16> bias = device.upload(std::vector<bf16>(cols, bf16(0.5f)));
  Buffer<bf16> y = device.allocate<bf16>(rows * cols);
  device.resetReport();
  examples::biasGelu<bf16>(2048).launch({rows, cols / 2048}, x, bias, y, cols);
  expectFewestSectors(device.report(), 3, 2 * rows * cols);
}

TEST(Counters, NameTheLineOfEachAccess) {
  const std::int64_t n = 1024;
  Device device = Device::simulator();
  Buffer<float> x = device.upload(std::vector<float>(n, 1.0f));
  Buffer<float> z = device.allocate<float>(n);
  device.resetReport();
  examples::vectorAdd(1024).launch({1}, x, x, z, n);
  Report report = device.report();
  ASSERT_EQ(report.accesses.size(), 3u);
  for (const AccessReport &access : report.accesses) {
    EXPECT_EQ(access.kernel, "vector_add");
    EXPECT_NE(access.file.find("VectorAdd.cpp"), std::string::npos) << access.file;
    EXPECT_GT(access.line, 0);
  }
  EXPECT_FALSE(report.accesses[0].store);
  EXPECT_TRUE(report.accesses[2].store);
}

} // namespace
