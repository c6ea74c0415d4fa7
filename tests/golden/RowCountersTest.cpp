// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the kernels of rows ask of memory, by the software device's counters and by their PTX.
#include "examples/kernels/Norms.h"
#include "examples/kernels/RowSum.h"
#include "examples/kernels/Softmax.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

using namespace trowel;

namespace {

constexpr int rows = 2;

TEST(RowCounters, HasNoLocalMemory) {
  auto expectNone = [](const std::string &ptx, int cols) {
    EXPECT_EQ(ptx.find(".local"), std::string::npos) << cols;
    EXPECT_EQ(ptx.find("__local_depot"), std::string::npos) << cols;
  };
  for (int cols : {3, 1000, 3000, 5001}) {
    expectNone(examples::softmaxRows<float>(cols).ptx("sm_90a"), cols);
    expectNone(examples::softmaxRows<bf16>(cols).ptx("sm_80"), cols);
    expectNone(examples::layerNormRows<float>(cols).ptx("sm_90a"), cols);
    expectNone(examples::rmsNormRows<bf16>(cols).ptx("sm_90a"), cols);
  }
}

/// Runs a kernel of rows on the software device and looks at its counters: every sector of global
/// memory is asked for once and wanted whole, and shared memory serves each request in one turn.
void expectFewest(const char *what, std::uint64_t bytesOfMatrix,
                  const std::function<void(const Device &)> &run) {
  Device device = Device::simulator();
  device.resetReport();
  run(device);
  Report report = device.report();
  std::uint64_t largest = 0;
  for (const AccessReport &access : report.accesses) {
    if (access.instruction.find(".shared") != std::string::npos)
      continue;
    // What is one number a row is a sector each.
    std::uint64_t least = access.bytes == 4 * access.requests ? access.requests : access.bytes / 32;
    EXPECT_EQ(access.sectors, least) << what << ": " << access.instruction;
    largest = std::max(largest, access.bytes);
  }
  EXPECT_LE(largest, bytesOfMatrix) << what;
  EXPECT_EQ(report.bankConflicts, 0u) << what << report.text();
  EXPECT_TRUE(report.findings.empty()) << report.text();
}

template <class T> void expectFewestOfAll(int cols, int warps) {
  const std::uint64_t bytes = rows * cols * sizeof(T);
  Options options{.warps = warps};
  auto ones = [](const Device &device, int count) {
    return device.upload(std::vector<T>(count, T(1.0f)));
  };
  expectFewest("softmax", bytes, [&](const Device &device) {
    Buffer<T> x = ones(device, rows * cols), y = device.allocate<T>(rows * cols);
    examples::softmaxRows<T>(cols, options).launch({rows}, x, y);
  });
  expectFewest("online softmax", bytes, [&](const Device &device) {
    Buffer<T> x = ones(device, rows * cols), y = device.allocate<T>(rows * cols);
    examples::onlineSoftmax<T>(1024, 2, options).launch({rows}, x, y, cols);
  });
  expectFewest("row sum", bytes, [&](const Device &device) {
    Buffer<T> x = ones(device, rows * cols);
    Buffer<float> sums = device.allocate<float>(rows);
    examples::rowSum<T>(512 * warps / sizeof(T), options).launch({rows}, x, sums, cols);
  });
  expectFewest("layer norm", bytes, [&](const Device &device) {
    Buffer<T> x = ones(device, rows * cols), y = device.allocate<T>(rows * cols);
    Buffer<T> weight = ones(device, cols), bias = ones(device, cols);
    examples::layerNormRows<T>(cols, options).launch({rows}, x, weight, bias, y);
  });
  expectFewest("RMS norm", bytes, [&](const Device &device) {
    Buffer<T> x = ones(device, rows * cols), y = device.allocate<T>(rows * cols);
    Buffer<T> weight = ones(device, cols);
    examples::rmsNormRows<T>(cols, options).launch({rows}, x, weight, y);
  });
}

TEST(RowCounters, AreTheFewest) {
  // With 16 bytes a thread these are as many warps as have work of their own, or fewer.
  expectFewestOfAll<float>(1024, 4);
  expectFewestOfAll<bf16>(1024, 4);
  expectFewestOfAll<float>(4096, 8);
  expectFewestOfAll<bf16>(4096, 8);
  expectFewestOfAll<bf16>(4096, 4);
}

} // namespace
