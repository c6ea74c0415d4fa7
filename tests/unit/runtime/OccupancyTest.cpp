// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The limits of a multiprocessor against figures worked out by hand from the vendor's rules.

#include "Expect.h"
#include "FakeDriver.h"

#include "runtime/device/Occupancy.h"

#include <gtest/gtest.h>

namespace trowel {

using namespace trowel::driver;
using namespace trowel::test;

namespace {
class Occupancies : public testing::Test {
protected:
  Device device = newFakeDevice();

  Occupancy of(int threads, int registers, int sharedBytes, int programs, int asked = 0) {
    fake.occupancy = programs;
    KernelImage image;
    image.ptx = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n ret;\n}\n";
    image.manifest.kernel = image.manifest.entry = "k";
    image.manifest.target = "sm_80";
    image.manifest.threads = threads;
    image.manifest.dynamicSharedBytes = sharedBytes;
    fake.functionAttributes[functionMaxThreads] = 512;
    if (registers > 0)
      fake.functionAttributes[functionRegisters] = registers;
    else
      fake.functionAttributes.erase(functionRegisters);
    return occupancyOf(*Module::load(device, image), asked);
  }
};
} // namespace

TEST_F(Occupancies, AreLimitedByTheTightestResource) {
  struct Case {
    int threads, registers, sharedBytes, programs;
    const char *limitedBy;
  };
  for (const Case &given :
       {Case{128, 32, 0, 16, "threads and registers"}, Case{128, 16, 0, 16, "threads"},
        // 40 * 32 = 1280 a warp, 51 warps, 48 in fours
        Case{128, 40, 0, 12, "registers"},
        // 255 * 32 rounds up to 8192: 8 warps
        Case{256, 255, 0, 1, "registers"}, Case{32, 16, 0, 32, "the number of programs"},
        // 228 KiB / (50 + 1) KiB
        Case{128, 32, 50 * 1024, 4, "shared memory"},
        Case{512, 32, 56000, 4, "threads and registers and shared memory"}}) {
    Occupancy use = of(given.threads, given.registers, given.sharedBytes, given.programs);
    EXPECT_EQ(use.limitedBy, given.limitedBy) << use.text();
    EXPECT_EQ(use.programs, given.programs);
    EXPECT_EQ(use.sharedBytes, given.sharedBytes);
    EXPECT_EQ(use.warps, given.threads / 32);
  }
}

TEST_F(Occupancies, NameTheTightestLimitWhereTheDriverSaysLess) {
  EXPECT_EQ(of(128, 40, 0, 11).limitedBy, "registers");
  EXPECT_EQ(of(128, 40, 0, 11).programs, 11);
}

TEST_F(Occupancies, OfOtherThreadsAreAskedOfTheDriver) {
  Occupancy use = of(128, 32, 0, 5, 33);
  EXPECT_EQ(fake.occupancyThreads, 33);
  EXPECT_EQ(use.threads, 33);
  EXPECT_EQ(use.warps, 2);
  EXPECT_EQ(use.fraction(), 10.0 / 64);
  for (int asked : {-1, 513})
    EXPECT_ERROR(
        of(128, 32, 0, 5, asked),
        "kernel 'k': occupancy: " + std::to_string(asked) +
            " threads were asked about; on Fake GPU (cuda:0, sm_90a) this code runs with 1 "
            "to 512: compile the kernel with other Options{.warps} and ask again");
}

TEST_F(Occupancies, ThatTheDriverDoesNotTellAreAnError) {
  fake.results["cuOccupancyMaxActiveBlocksPerMultiprocessor"] = cudaErrorNotFound;
  EXPECT_ERROR(of(128, 32, 0, 5),
               "kernel 'k': cannot ask for the occupancy on Fake GPU (cuda:0, sm_90a): the driver "
               "says CUDA_ERROR_FAKE (fake text)");
}

TEST_F(Occupancies, WithoutRegistersAreABound) {
  fake.results["cuOccupancyMaxActiveBlocksPerMultiprocessor"] = cudaErrorNotFound;
  Occupancy use = of(128, 0, 0, 0);
  EXPECT_EQ(use.registers, Occupancy::unknown);
  EXPECT_EQ(use.byRegisters, Occupancy::unknown);
  EXPECT_EQ(use.text(), "at most 16 programs a multiprocessor, 64 of 64 warps, limited by threads; "
                        "128 threads and 0 bytes of shared memory a program, an unknown number of "
                        "registers a thread");
}

} // namespace trowel
