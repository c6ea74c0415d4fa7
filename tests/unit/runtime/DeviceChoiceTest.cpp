// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which device is chosen on which machine, with machines that are played.

#include "Expect.h"
#include "FakeDriver.h"

#include "runtime/device/DeviceChoice.h"
#include "runtime/device/DeviceState.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace trowel {

using namespace trowel::driver;
using namespace trowel::test;

namespace {
CudaLibrary library;
DriverApi *simulator = nullptr;

const CudaLibrary &playedLibrary() { return library; }
const DriverApi &playedSimulator() { return *simulator; }

class DeviceChoice : public testing::Test {
protected:
  void SetUp() override {
    fake = FakeDriver{};
    simulator = &newFakeSimulatorApi();
    library = CudaLibrary{};
    library.problem = "libcuda.so.1: no such file";
  }

  void playGpus(int count) {
    // The library's table is at one address, so devices opened by another test are kept. They are
    // the same fake GPUs.
    library.state = CudaLibrary::State::Loaded;
    library.api = newFakeApi();
    library.api.origin = "libcuda.so.1";
    fake.gpuCount = count;
  }

  Device choose(const char *request) { return chooseDevice(request, sources); }

  const DriverSources sources{playedLibrary, playedSimulator};
};
} // namespace

TEST_F(DeviceChoice, WithoutLibcudaIsTheSoftwareDevice) {
  EXPECT_TRUE(choose(nullptr).isSimulator());
  EXPECT_TRUE(choose("").isSimulator());
}

TEST_F(DeviceChoice, WithADriverThatCountsNoGpuIsTheSoftwareDevice) {
  playGpus(0);
  EXPECT_TRUE(choose(nullptr).isSimulator());
}

TEST_F(DeviceChoice, WithADriverThatStartsWithNoGpuIsTheSoftwareDevice) {
  playGpus(0);
  fake.results["cuInit"] = cudaErrorNoDevice;
  EXPECT_TRUE(choose(nullptr).isSimulator());
}

TEST_F(DeviceChoice, WithGpusIsTheFirst) {
  playGpus(2);
  EXPECT_EQ(choose(nullptr).describe(), "Fake GPU (cuda:0, sm_90a)");
}

TEST_F(DeviceChoice, WithADriverThatDoesNotStartIsAnErrorThatQuotesIt) {
  playGpus(1);
  fake.results["cuInit"] = 999;
  EXPECT_ERROR(
      choose(nullptr),
      "cannot start the CUDA driver (libcuda.so.1): the driver says CUDA_ERROR_FAKE (fake "
      "text); the driver is installed but does not work; `nvidia-smi` and the kernel log say "
      "more, and TROWEL_DEVICE=sim runs on the software device");
}

TEST_F(DeviceChoice, WithABrokenLibcudaIsAnErrorThatQuotesIt) {
  library.state = CudaLibrary::State::Unusable;
  library.problem = "libcuda.so.1 has no symbol cuInit";
  EXPECT_ERROR(choose(nullptr),
               "the CUDA driver cannot be used: libcuda.so.1 has no symbol cuInit; "
               "repair it, or set TROWEL_DEVICE=sim to run on the software device");
  EXPECT_ERROR(choose("cuda"), "the CUDA driver cannot be used: libcuda.so.1 has no symbol cuInit; "
                               "repair it, or set TROWEL_DEVICE=sim to run on the software device");
}

TEST_F(DeviceChoice, SimDoesNotLookAtTheDriver) {
  playGpus(1);
  fake.results["cuDeviceGetCount"] = 999;
  EXPECT_TRUE(choose("sim").isSimulator());
}

TEST_F(DeviceChoice, CudaNamesAGpuByItsOrdinal) {
  playGpus(3);
  EXPECT_EQ(choose("cuda").describe(), "Fake GPU (cuda:0, sm_90a)");
  EXPECT_EQ(choose("cuda:2").describe(), "Fake GPU (cuda:2, sm_90a)");
}

TEST_F(DeviceChoice, CudaWithoutADriverIsRefused) {
  EXPECT_ERROR(choose("cuda:1"),
               "there is no cuda:1: no CUDA driver was found (libcuda.so.1: no such file); install "
               "NVIDIA's driver, or set TROWEL_DEVICE=sim to run on the software device");
}

TEST_F(DeviceChoice, AnOrdinalThatDoesNotExistIsRefusedWithThoseThatDo) {
  const std::string wayOut = "; name one that exists (CUDA_VISIBLE_DEVICES may hide some), or set "
                             "TROWEL_DEVICE=sim to run on the software device";
  playGpus(0);
  EXPECT_ERROR(choose("cuda"), "there is no cuda:0: the CUDA driver reports no GPU" + wayOut);
  playGpus(1);
  EXPECT_ERROR(choose("cuda:1"),
               "there is no cuda:1: the CUDA driver reports 1 GPU, cuda:0" + wayOut);
  playGpus(2);
  EXPECT_ERROR(choose("cuda:2"),
               "there is no cuda:2: the CUDA driver reports 2 GPUs, cuda:0 to cuda:1" + wayOut);
  EXPECT_ERROR(openCuda(-1, sources),
               "there is no cuda:-1: the CUDA driver reports 2 GPUs, cuda:0 to cuda:1" + wayOut);
}

TEST_F(DeviceChoice, AnythingElseIsRefusedWithTheAcceptedForms) {
  playGpus(1);
  for (const char *request :
       {"gpu", "SIM", "cuda:", "cuda:x", "cuda:-1", "cuda:0 ", "cuda0", "cuda:99999999999"})
    EXPECT_ERROR(choose(request),
                 std::string("TROWEL_DEVICE is '") + request +
                     "'; it must be 'sim' (the software device), 'cuda' (the first "
                     "GPU) or 'cuda:N' (the GPU with ordinal N, such as cuda:1), or "
                     "be unset");
}

TEST_F(DeviceChoice, OpensADeviceOnce) {
  EXPECT_EQ(choose("sim"), choose(nullptr));
  EXPECT_EQ(std::count(fake.calls.begin(), fake.calls.end(), "cuDevicePrimaryCtxRetain"), 1);
}

TEST(Device, OfAnOldArchitectureIsRefused) {
  fake = FakeDriver{};
  fake.major = 7;
  fake.minor = 5;
  EXPECT_ERROR(detail::openDevice(newFakeApi(), 1),
               "Fake GPU (cuda:1) has compute capability 7.5; Trowel needs 8.0 or later: choose "
               "another GPU with TROWEL_DEVICE=cuda:N, or the software device with "
               "TROWEL_DEVICE=sim");
}

TEST(Device, ThatFailedToOpenIsTriedAgain) {
  fake = FakeDriver{};
  DriverApi &api = newFakeApi();
  fake.results["cuDevicePrimaryCtxRetain"] = cudaErrorOutOfMemory;
  EXPECT_THROW(detail::openDevice(api, 0), Error);
  fake.results.clear();
  EXPECT_EQ(Device(detail::openDevice(api, 0)).name(), "Fake GPU");
}

TEST(Device, TellsItsLimits) {
  Device device = newFakeDevice();
  EXPECT_EQ(device.limits().gridX, 2147483647);
  EXPECT_EQ(device.limits().gridY, 65535);
  EXPECT_EQ(device.limits().sharedBytes, 232448);
  EXPECT_EQ(device.limits().multiprocessors, 132);
  EXPECT_EQ(device.limits().memoryBytes, 2000);
}

TEST(Device, FaultsOfEarlierWorkAreThrownBySynchronize) {
  Device device = newFakeDevice();
  fake.results["cuCtxSynchronize"] = cudaErrorIllegalAddress;
  EXPECT_THROW(device.synchronize(), Error);
  EXPECT_EQ(fake.contextDepth, 0);
}

TEST(Device, ReportsOnlyOnTheSoftwareDevice) {
  fake = FakeDriver{};
  EXPECT_EQ(newFakeDevice().report().warpInstructions, 0u);
  EXPECT_EQ(Device(detail::openDevice(newFakeSimulatorApi(), 0)).report().warpInstructions, 7u);
}

TEST(Device, OrdersWarpsOnlyOnTheSoftwareDevice) {
  fake = FakeDriver{};
  Device gpu = newFakeDevice();
  EXPECT_EQ(gpu.warpOrder(), 0u);
  EXPECT_ERROR(gpu.setWarpOrder(3),
               "the order of warps can be chosen on the software device only, this is Fake GPU "
               "(cuda:0, sm_90a): use Device::simulator()");
  Device simulator(detail::openDevice(newFakeSimulatorApi(), 0));
  simulator.setWarpOrder(3);
  EXPECT_EQ(simulator.warpOrder(), 3u);
}

struct Capability {
  int major, minor;
  const char *target;
};

TEST(Target, IsTheOwnOneOrTheNewestPortableOneBelow) {
  for (Capability row : {Capability{8, 0, "sm_80"},
                         {8, 6, "sm_86"},
                         {8, 7, "sm_86"},
                         {8, 9, "sm_89"},
                         {9, 0, "sm_90a"},
                         {10, 0, "sm_100a"},
                         {10, 3, "sm_89"},
                         {12, 0, "sm_120"},
                         {12, 1, "sm_120"},
                         {13, 0, "sm_120"}})
    EXPECT_STREQ(detail::targetForCapability(row.major, row.minor), row.target)
        << row.major << "." << row.minor;
  EXPECT_EQ(detail::targetForCapability(7, 5), nullptr);
}

} // namespace trowel
