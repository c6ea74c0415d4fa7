// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The software device as a driver: what it refuses, what it reports and when.

#include "Programs.h"

#include "runtime/sim/SimDriver.h"

#include <gmock/gmock.h>

#include <thread>

namespace trowel::sim {
namespace {

using namespace driver;
using testing::HasSubstr;

class SimDriver : public testing::Test {
protected:
  const DriverApi &api = simulatorDriver();
  CUcontext context = nullptr;

  void SetUp() override {
    ASSERT_EQ(api.init(0), cudaSuccess);
    ASSERT_EQ(api.primaryCtxRetain(&context, 0), cudaSuccess);
    ASSERT_EQ(api.ctxPushCurrent(context), cudaSuccess);
    api.simulator->resetReport();
    api.simulator->takeFault();
  }
  void TearDown() override {
    api.ctxSynchronize();
    CUcontext popped;
    EXPECT_EQ(api.ctxPopCurrent(&popped), cudaSuccess);
    EXPECT_EQ(api.primaryCtxRelease(0), cudaSuccess);
  }

  std::string fault() { return api.simulator->takeFault().text; }

  CUmodule load(const std::string &text, std::string *log = nullptr) {
    char errors[512] = "untouched";
    int options[] = {jitErrorLogBuffer, jitErrorLogBufferBytes};
    void *values[] = {errors, reinterpret_cast<void *>(sizeof errors)};
    CUmodule module = nullptr;
    CUresult result = api.moduleLoadDataEx(&module, text.c_str(), 2, options, values);
    EXPECT_EQ(result, log ? cudaErrorInvalidPtx : cudaSuccess) << errors;
    if (log)
      *log = errors;
    return module;
  }
  CUfunction find(CUmodule module, const char *name = "k") {
    CUfunction function = nullptr;
    EXPECT_EQ(api.moduleGetFunction(&function, module, name), cudaSuccess);
    return function;
  }
  CUdeviceptr allocate(std::size_t bytes) {
    CUdeviceptr address = 0;
    EXPECT_EQ(api.memAlloc(&address, bytes), cudaSuccess);
    return address;
  }
  CUresult launch(CUfunction function, CUdeviceptr pointer, unsigned grid = 1,
                  unsigned block = 32) {
    void *parameters[] = {&pointer};
    return api.launchKernel(function, grid, 1, 1, block, 1, 1, 0, nullptr, parameters, nullptr);
  }

  /// Writes each thread's number.
  std::string numbers = kernelText(".param .u64 x", R"(
    mov.u32 %r0, %tid.x; ld.param.u64 %d0, [x]; mad.wide.u32 %d0, %r0, 4, %d0;
    st.global.b32 [%d0], %r0; ret;)");
};

TEST_F(SimDriver, TableIsCompleteAndSaysWhatItIs) {
#define TROWEL_DRIVER_FUNCTION(member, symbol, parameters) EXPECT_NE(api.member, nullptr);
#include "runtime/driver/DriverFunctions.def"
  EXPECT_EQ(api.origin, "software device");
  ASSERT_NE(api.simulator, nullptr);
  char name[64];
  EXPECT_EQ(api.deviceGetName(name, sizeof name, 0), cudaSuccess);
  EXPECT_STREQ(name, "Trowel software device");
  EXPECT_EQ(api.deviceGetName(name, 7, 0), cudaSuccess);
  EXPECT_STREQ(name, "Trowel");
}

TEST_F(SimDriver, HasTheLimitsOfAHopperChip) {
  auto attribute = [&](int which) {
    int value = -1;
    EXPECT_EQ(api.deviceGetAttribute(&value, which, 0), cudaSuccess);
    return value;
  };
  EXPECT_EQ(attribute(computeCapabilityMajor), 9);
  EXPECT_EQ(attribute(multiprocessorCount), 132);
  EXPECT_EQ(attribute(maxSharedBytesPerBlockOptin), 232448);
  EXPECT_EQ(attribute(maxGridX), 2147483647);
  EXPECT_EQ(attribute(maxGridY), 65535);
  int value;
  EXPECT_EQ(api.deviceGetAttribute(&value, 9999, 0), cudaErrorInvalidValue);
  EXPECT_EQ(api.deviceGetAttribute(&value, maxGridX, 1), cudaErrorInvalidDevice);
  EXPECT_EQ(api.deviceGetAttribute(nullptr, maxGridX, 0), cudaErrorInvalidValue);
}

TEST_F(SimDriver, LaunchWritesWhatTheKernelSays) {
  CUdeviceptr x = allocate(64 * 4);
  CUmodule module = load(numbers);
  EXPECT_EQ(launch(find(module), x, 1, 64), cudaSuccess);
  std::uint32_t result[64];
  EXPECT_EQ(api.memcpyDtoH(result, x, sizeof result), cudaSuccess);
  for (std::uint32_t i = 0; i < 64; ++i)
    EXPECT_EQ(result[i], i);
  EXPECT_EQ(api.moduleUnload(module), cudaSuccess);
  EXPECT_EQ(api.memFree(x), cudaSuccess);
}

TEST_F(SimDriver, ForeignAndStaleHandlesAreRefused) {
  int object = 0;
  auto foreign = [&](auto handle) { return reinterpret_cast<decltype(handle)>(&object); };
  EXPECT_EQ(api.ctxPushCurrent(foreign(CUcontext())), cudaErrorInvalidContext);
  EXPECT_EQ(api.moduleUnload(foreign(CUmodule())), cudaErrorInvalidHandle);
  EXPECT_EQ(api.streamSynchronize(foreign(CUstream())), cudaErrorInvalidHandle);
  EXPECT_EQ(api.streamDestroy(foreign(CUstream())), cudaErrorInvalidHandle);
  EXPECT_EQ(api.eventSynchronize(foreign(CUevent())), cudaErrorInvalidHandle);
  EXPECT_EQ(launch(foreign(CUfunction()), 0), cudaErrorInvalidHandle);
  EXPECT_EQ(fault(), "this is no function of the software device");
  CUmodule module = load(numbers);
  CUfunction function = find(module);
  // A handle of one kind is none of another.
  EXPECT_EQ(api.moduleUnload(reinterpret_cast<CUmodule>(function)), cudaErrorInvalidHandle);
  EXPECT_EQ(api.moduleUnload(module), cudaSuccess);
  EXPECT_EQ(api.moduleUnload(module), cudaErrorInvalidHandle);
  EXPECT_EQ(launch(function, 0), cudaErrorInvalidHandle);
  CUstream stream;
  EXPECT_EQ(api.streamCreate(&stream, 1), cudaSuccess);
  EXPECT_EQ(api.streamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(api.streamDestroy(stream), cudaSuccess);
  EXPECT_EQ(api.streamSynchronize(stream), cudaErrorInvalidHandle);
  EXPECT_EQ(api.streamCreate(&stream, 7), cudaErrorInvalidValue);
}

TEST_F(SimDriver, CallsNeedTheContext) {
  std::thread([&] {
    CUdeviceptr x = 0;
    EXPECT_EQ(api.memAlloc(&x, 4), cudaErrorInvalidContext);
    EXPECT_THAT(fault(), HasSubstr("no current context"));
    EXPECT_EQ(api.ctxSynchronize(), cudaErrorInvalidContext);
    CUcontext popped;
    EXPECT_EQ(api.ctxPopCurrent(&popped), cudaErrorInvalidContext);
  }).join();
  EXPECT_EQ(api.primaryCtxRetain(&context, 3), cudaErrorInvalidDevice);
  EXPECT_EQ(api.primaryCtxRetain(nullptr, 0), cudaErrorInvalidValue);
}

TEST_F(SimDriver, GridsAndBlocksAreHeldToTheLimits) {
  CUdeviceptr x = allocate(4096);
  CUfunction function = find(load(numbers));
  void *parameters[] = {&x};
  auto shape = [&](unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz) {
    return api.launchKernel(function, gx, gy, gz, bx, by, bz, 0, nullptr, parameters, nullptr);
  };
  EXPECT_EQ(shape(0, 1, 1, 1, 1, 1), cudaErrorInvalidValue);
  EXPECT_EQ(shape(1, 65536, 1, 1, 1, 1), cudaErrorInvalidValue);
  EXPECT_EQ(fault(), "the grid's y extent is 65536, it must be 1 to 65535");
  EXPECT_EQ(shape(0x80000000u, 1, 1, 1, 1, 1), cudaErrorInvalidValue);
  EXPECT_EQ(shape(1, 1, 65536, 1, 1, 1), cudaErrorInvalidValue);
  EXPECT_EQ(shape(1, 1, 1, 1025, 1, 1), cudaErrorInvalidValue);
  EXPECT_EQ(shape(1, 1, 1, 1, 1, 65), cudaErrorInvalidValue);
  EXPECT_EQ(shape(1, 1, 1, 32, 33, 1), cudaErrorInvalidValue);
  EXPECT_EQ(fault(), "a block of 1056 threads, at most 1024 are possible");
  EXPECT_EQ(shape(1, 1, 1, 0, 1, 1), cudaErrorInvalidValue);
  EXPECT_EQ(shape(1, 1, 1, 32, 32, 1), cudaSuccess);
  EXPECT_EQ(api.launchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr),
            cudaErrorInvalidValue);
  EXPECT_THAT(fault(), HasSubstr("takes 1 parameters, the pointer to number 0 is null"));
  EXPECT_EQ(api.memFree(x), cudaSuccess);
}

TEST_F(SimDriver, RequiredThreadsAreRequired) {
  std::string text = numbers;
  text.insert(text.find("\n{"), "\n.reqntid 64");
  CUdeviceptr x = allocate(4096);
  CUfunction function = find(load(text));
  EXPECT_EQ(launch(function, x, 1, 32), cudaErrorInvalidValue);
  EXPECT_THAT(fault(), HasSubstr("requires blocks of 64x1x1 threads (.reqntid), not 32x1x1"));
  EXPECT_EQ(launch(function, x, 1, 64), cudaSuccess);
  int value = 0;
  EXPECT_EQ(api.funcGetAttribute(&value, functionMaxThreads, function), cudaSuccess);
  EXPECT_EQ(value, 64);
}

TEST_F(SimDriver, DynamicSharedMemoryHasALimitThatCanBeRaised) {
  CUdeviceptr x = allocate(4096);
  CUfunction function = find(load(numbers));
  void *parameters[] = {&x};
  auto withBytes = [&](unsigned bytes) {
    return api.launchKernel(function, 1, 1, 1, 1, 1, 1, bytes, nullptr, parameters, nullptr);
  };
  EXPECT_EQ(withBytes(48 * 1024), cudaSuccess);
  EXPECT_EQ(withBytes(48 * 1024 + 1), cudaErrorInvalidValue);
  EXPECT_EQ(api.funcSetAttribute(function, functionMaxDynamicSharedBytes, 227 * 1024 + 1),
            cudaErrorInvalidValue);
  EXPECT_EQ(api.funcSetAttribute(function, functionMaxDynamicSharedBytes, 227 * 1024), cudaSuccess);
  EXPECT_EQ(withBytes(227 * 1024), cudaSuccess);
}

TEST_F(SimDriver, RegistersAreNotMadeUp) {
  CUfunction function = find(load(numbers));
  int value = 0;
  EXPECT_EQ(api.funcGetAttribute(&value, functionRegisters, function), cudaErrorNotFound);
  EXPECT_EQ(api.funcGetAttribute(&value, functionLocalBytes, function), cudaSuccess);
  EXPECT_EQ(value, 0);
  EXPECT_EQ(api.funcGetAttribute(&value, 77, function), cudaErrorInvalidValue);
}

TEST_F(SimDriver, ParseErrorsGoToTheLog) {
  std::string log;
  load(kernelText("", "add.s32 %r0, %r1;"), &log);
  EXPECT_EQ(log, "PTX line 9: 'add.s32' takes 3 operands, found 2");
  load("\177ELF", &log);
  EXPECT_THAT(log, HasSubstr("loads PTX text"));
  load(".version 8.0\n.target sm_80\n.extern .global .b32 elsewhere;\n", &log);
  EXPECT_EQ(log, "PTX line 3: the variable 'elsewhere' is .extern and defined nowhere");
  load(".version 8.0\n.target sm_80\n.global .u64 p = nothing;\n", &log);
  EXPECT_THAT(log, HasSubstr("the initial value of 'p' names 'nothing'"));
  CUmodule module;
  EXPECT_EQ(api.moduleLoadDataEx(&module, nullptr, 0, nullptr, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(api.moduleLoadDataEx(&module, "x", 0, nullptr, nullptr), cudaErrorInvalidPtx);
}

TEST_F(SimDriver, MissingEntriesAreNotFound) {
  CUmodule module = load(numbers);
  CUfunction function;
  EXPECT_EQ(api.moduleGetFunction(&function, module, "other"), cudaErrorNotFound);
  EXPECT_EQ(fault(), "the module has no entry 'other'");
}

TEST_F(SimDriver, FaultIsReportedOnceByTheNextSynchronisingCall) {
  CUdeviceptr x = allocate(16);
  CUfunction function = find(load(numbers));
  EXPECT_EQ(launch(function, x), cudaSuccess);
  // Work behind the fault is dropped, and does not report it.
  EXPECT_EQ(launch(function, x, 1, 4), cudaSuccess);
  EXPECT_EQ(api.memsetD8Async(x, 0, 16, nullptr), cudaSuccess);
  EXPECT_EQ(api.streamSynchronize(nullptr), cudaErrorIllegalAddress);
  Finding finding = api.simulator->takeFault();
  EXPECT_EQ(finding.kind, "out-of-bounds");
  EXPECT_EQ(finding.kernel, "k");
  EXPECT_THAT(finding.text, HasSubstr("st.global.b32 writes 4 bytes"));
  EXPECT_THAT(finding.text, HasSubstr("lanes 4-31"));
  EXPECT_EQ(api.simulator->takeFault().text, "");
  // The device is usable again.
  EXPECT_EQ(api.ctxSynchronize(), cudaSuccess);
  EXPECT_EQ(launch(function, x, 1, 4), cudaSuccess);
  std::uint32_t result[4] = {};
  EXPECT_EQ(api.memcpyDtoH(result, x, 16), cudaSuccess);
  EXPECT_EQ(result[3], 3u);
  ASSERT_EQ(api.simulator->report().findings.size(), 1u);
  EXPECT_EQ(api.simulator->report().findings[0].text, finding.text);
}

TEST_F(SimDriver, EachSynchronisingCallReports) {
  CUdeviceptr x = allocate(16);
  CUfunction function = find(load(numbers));
  CUevent event;
  ASSERT_EQ(api.eventCreate(&event, 0), cudaSuccess);
  std::uint32_t word = 0;
  launch(function, x);
  EXPECT_EQ(api.memcpyDtoH(&word, x, 4), cudaErrorIllegalAddress);
  launch(function, x);
  EXPECT_EQ(api.memcpyHtoD(x, &word, 4), cudaErrorIllegalAddress);
  launch(function, x + 2, 1, 1);
  EXPECT_EQ(api.eventRecord(event, nullptr), cudaSuccess);
  EXPECT_EQ(api.eventSynchronize(event), cudaErrorMisalignedAddress);
  launch(find(load(kernelText(".param .u64 x", "frob.b32 %r0;"))), x);
  EXPECT_EQ(api.ctxSynchronize(), cudaErrorIllegalInstruction);
  launch(find(load(kernelText(".param .u64 x", "trap;"))), x);
  EXPECT_EQ(api.ctxSynchronize(), cudaErrorLaunchFailed);
  EXPECT_EQ(api.eventDestroy(event), cudaSuccess);
}

TEST_F(SimDriver, CopiesStayInsideBuffers) {
  CUdeviceptr x = allocate(16);
  char bytes[32] = {};
  EXPECT_EQ(api.memcpyHtoD(x, bytes, 17), cudaErrorInvalidValue);
  EXPECT_THAT(fault(), HasSubstr("writes 17 bytes"));
  EXPECT_EQ(api.memcpyDtoH(bytes, x + 8, 9), cudaErrorInvalidValue);
  EXPECT_EQ(api.memcpyDtoH(bytes, x + 8, 8), cudaSuccess);
  EXPECT_EQ(api.memcpyDtoHAsync(bytes, x, 16, nullptr), cudaSuccess);
  EXPECT_EQ(api.memcpyHtoDAsync(x, nullptr, 4, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(api.memsetD8Async(x, 1, 17, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(api.memFree(x + 4), cudaErrorInvalidValue);
  EXPECT_EQ(api.memFree(x), cudaSuccess);
  EXPECT_EQ(api.memFree(x), cudaErrorInvalidValue);
  EXPECT_THAT(fault(), HasSubstr("that was freed"));
  EXPECT_EQ(api.memAlloc(&x, 0), cudaErrorInvalidValue);
  EXPECT_EQ(api.memAlloc(&x, std::size_t{1} << 60), cudaErrorOutOfMemory);
  EXPECT_THAT(fault(), HasSubstr("do not fit"));
}

TEST_F(SimDriver, MemoryInfoFollowsAllocations) {
  std::size_t before = 0, after = 0, total = 0, whole = 0;
  EXPECT_EQ(api.memGetInfo(&before, &total), cudaSuccess);
  CUdeviceptr x = allocate(1 << 20);
  EXPECT_EQ(api.memGetInfo(&after, &total), cudaSuccess);
  EXPECT_EQ(before - after, std::size_t{1} << 20);
  EXPECT_EQ(api.deviceTotalMem(&whole, 0), cudaSuccess);
  EXPECT_EQ(whole, total);
  api.memFree(x);
}

TEST_F(SimDriver, EventsMeasureHostTime) {
  CUevent first, second;
  ASSERT_EQ(api.eventCreate(&first, 0), cudaSuccess);
  ASSERT_EQ(api.eventCreate(&second, 0), cudaSuccess);
  float milliseconds = -1;
  EXPECT_EQ(api.eventElapsedTime(&milliseconds, first, second), cudaErrorInvalidHandle);
  EXPECT_EQ(api.eventRecord(first, nullptr), cudaSuccess);
  EXPECT_EQ(api.eventRecord(second, nullptr), cudaSuccess);
  EXPECT_EQ(api.eventElapsedTime(&milliseconds, first, second), cudaSuccess);
  EXPECT_GE(milliseconds, 0.0f);
  EXPECT_EQ(api.eventDestroy(first), cudaSuccess);
  EXPECT_EQ(api.eventDestroy(first), cudaErrorInvalidHandle);
}

TEST_F(SimDriver, ReportSumsLaunchesAndResets) {
  CUdeviceptr x = allocate(4096);
  CUfunction function = find(load(numbers));
  for (int round = 0; round < 3; ++round)
    EXPECT_EQ(launch(function, x, 2, 64), cudaSuccess);
  Report report = api.simulator->report();
  ASSERT_EQ(report.accesses.size(), 1u);
  EXPECT_EQ(report.accesses[0].instruction, "st.global.b32");
  EXPECT_TRUE(report.accesses[0].store);
  EXPECT_EQ(report.accesses[0].requests, 12u);
  EXPECT_EQ(report.accesses[0].sectors, 48u);
  EXPECT_EQ(report.warpInstructions, 60u);
  EXPECT_THAT(report.text(), HasSubstr("st.global.b32"));
  api.simulator->resetReport();
  EXPECT_EQ(api.simulator->report().text(), "nothing was counted\n");
}

TEST_F(SimDriver, ModuleVariablesAreZeroedInitialisedAndPrivateToTheirModule) {
  std::string text = kernelText(".param .u64 x", R"(
    ld.param.u64 %d0, [x];
    ld.global.b32 %r0, [cell]; ld.global.b32 %r1, [cell+4];
    st.global.v2.b32 [%d0], {%r0, %r1};
    st.global.b32 [cell], 99; ret;)");
  text.insert(text.find(".visible"), ".global .align 4 .u32 cell[2] = {7};\n");
  CUdeviceptr x = allocate(8);
  std::uint32_t result[2];
  for (std::uint32_t expected : {7u, 99u}) {
    static CUfunction function = find(load(text));
    EXPECT_EQ(launch(function, x, 1, 1), cudaSuccess);
    EXPECT_EQ(api.memcpyDtoH(result, x, 8), cudaSuccess);
    EXPECT_EQ(result[0], expected);
    EXPECT_EQ(result[1], 0u);
  }
  EXPECT_EQ(launch(find(load(text)), x, 1, 1), cudaSuccess);
  EXPECT_EQ(api.memcpyDtoH(result, x, 8), cudaSuccess);
  EXPECT_EQ(result[0], 7u);
}

TEST_F(SimDriver, ErrorsHaveTheDriversNames) {
  const char *text = nullptr;
  EXPECT_EQ(api.getErrorName(cudaErrorIllegalAddress, &text), cudaSuccess);
  EXPECT_STREQ(text, "CUDA_ERROR_ILLEGAL_ADDRESS");
  EXPECT_EQ(api.getErrorString(cudaErrorMisalignedAddress, &text), cudaSuccess);
  EXPECT_STREQ(text, "misaligned address");
  EXPECT_EQ(api.getErrorName(123456, &text), cudaErrorInvalidValue);
  EXPECT_EQ(text, nullptr);
}

TEST_F(SimDriver, ThreadsMayCallAtOnce) {
  CUfunction function = find(load(numbers));
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&] {
      ASSERT_EQ(api.ctxPushCurrent(context), cudaSuccess);
      for (int round = 0; round < 20; ++round) {
        CUdeviceptr x = allocate(128);
        EXPECT_EQ(launch(function, x), cudaSuccess);
        std::uint32_t result[32];
        EXPECT_EQ(api.memcpyDtoH(result, x, sizeof result), cudaSuccess);
        EXPECT_EQ(result[31], 31u);
        EXPECT_EQ(api.memFree(x), cudaSuccess);
      }
      CUcontext popped;
      api.ctxPopCurrent(&popped);
    });
  for (std::thread &thread : threads)
    thread.join();
}

} // namespace
} // namespace trowel::sim
