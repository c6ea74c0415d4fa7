// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finding libcuda, and the sentences for failed calls.

#include "FakeDriver.h"

#include "runtime/driver/DriverError.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <clocale>
#include <thread>

namespace trowel {

using namespace trowel::driver;
using namespace trowel::test;

TEST(CudaLibrary, ThatIsNotThereIsNotFound) {
  CudaLibrary library = openCudaLibrary("libcuda-of-nobody.so.1");
  EXPECT_EQ(library.state, CudaLibrary::State::NotFound);
  EXPECT_THAT(library.problem, testing::HasSubstr("libcuda-of-nobody.so.1"));
}

TEST(CudaLibrary, WithoutASymbolIsUnusableAndNamesTheSymbol) {
  CudaLibrary library = openCudaLibrary("libm.so.6");
  EXPECT_EQ(library.state, CudaLibrary::State::Unusable);
  EXPECT_EQ(library.problem,
            "libm.so.6 has no symbol cuInit; Trowel needs a driver of CUDA 12.0 or later");
  EXPECT_EQ(library.api.init, nullptr);
}

TEST(CudaLibrary, ThatIsNoLibraryIsUnusable) {
  CudaLibrary library = openCudaLibrary("/proc/self/cmdline");
  EXPECT_EQ(library.state, CudaLibrary::State::Unusable);
  EXPECT_THAT(library.problem, testing::HasSubstr("/proc/self/cmdline"));
}

TEST(CudaLibrary, IsOpenedOnceFromAnyThread) {
  const CudaLibrary *seen[4] = {};
  std::vector<std::thread> threads;
  for (auto &slot : seen)
    threads.emplace_back([&slot] { slot = &cudaLibrary(); });
  for (std::thread &thread : threads)
    thread.join();
  for (const CudaLibrary *library : seen)
    EXPECT_EQ(library, &cudaLibrary());
}

TEST(LoadCuda, GivesTheTableOrTheReason) {
  Result<const DriverApi *> api = loadCuda();
  if (cudaLibrary().state == CudaLibrary::State::Loaded)
    EXPECT_EQ(*api, &cudaLibrary().api);
  else
    EXPECT_EQ(api.error(), cudaLibrary().problem);
}

TEST(DriverError, SaysAttemptDriversWordsAndWayOut) {
  Error error = driverError(newFakeApi(), cudaErrorOutOfMemory, "allocate 8 bytes", "add",
                            "3 of 4 bytes are free");
  EXPECT_STREQ(error.what(),
               "kernel 'add': cannot allocate 8 bytes: 3 of 4 bytes are free; the driver says "
               "CUDA_ERROR_OUT_OF_MEMORY (fake text); free other buffers or use smaller ones");
}

TEST(DriverError, QuotesCodesThatItHasNoAdviceFor) {
  EXPECT_STREQ(driverError(newFakeApi(), 12345, "do it").what(),
               "cannot do it: the driver says CUDA_ERROR_FAKE (fake text)");
}

TEST(DriverError, GivesTheNumberWhereTheDriverHasNoName) {
  EXPECT_STREQ(driverError(newFakeApi(), 4242, "do it").what(),
               "cannot do it: the driver says code 4242");
  EXPECT_STREQ(driverError(DriverApi{}, 3, "do it").what(), "cannot do it: the driver says code 3");
}

TEST(DriverError, OfALostContextDoesNotBlameTheCall) {
  for (CUresult result : {cudaErrorIllegalAddress, cudaErrorMisalignedAddress,
                          cudaErrorLaunchFailed, cudaErrorIllegalInstruction})
    EXPECT_THAT(driverError(newFakeApi(), result, "download 4 bytes").what(),
                testing::HasSubstr("the fault is in a kernel that was launched earlier"));
}

TEST(DriverError, OfTheSoftwareDeviceIsItsFinding) {
  nextFault = Finding{"out-of-bounds", "add", "add.cpp", 7, 31, "lane 3 loads past the end"};
  Error error = driverError(newFakeSimulatorApi(), cudaErrorIllegalAddress, "download 4 bytes");
  EXPECT_STREQ(error.what(), "add.cpp:7: kernel 'add': lane 3 loads past the end");
  EXPECT_EQ(error.file(), "add.cpp");
  EXPECT_EQ(error.line(), 7);
  EXPECT_EQ(error.kernel(), "add");
}

TEST(DriverError, OfTheSoftwareDeviceWithoutAKernelSaysTheAttempt) {
  nextFault = Finding{"handle", "", "", 0, 0, "the stream belongs to another driver"};
  EXPECT_STREQ(driverError(newFakeSimulatorApi(), cudaErrorInvalidHandle, "wait", "add").what(),
               "kernel 'add': cannot wait: the stream belongs to another driver");
}

TEST(DriverVersion, IsWrittenAsPeopleDo) {
  EXPECT_EQ(driverVersion(newFakeApi()), "12.4");
  EXPECT_EQ(driverVersion(DriverApi{}), "unknown");
}

} // namespace trowel
