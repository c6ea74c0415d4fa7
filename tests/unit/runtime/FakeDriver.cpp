// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions behind FakeDriver.h. Each writes its name down, returns the result that the test
// asked for, and otherwise does the least that keeps its caller going. A function that needs a
// current context fails without one, so that a forgotten push is found without a GPU.

#include "FakeDriver.h"

#include "runtime/device/DeviceState.h"

#include <cstdlib>
#include <cstring>

namespace trowel::test {

using namespace trowel::driver;

FakeDriver fake;
Finding nextFault;

namespace {
CUresult enter(const char *symbol, bool needsContext) {
  fake.calls.push_back(symbol);
  auto planned = fake.results.find(symbol);
  if (planned != fake.results.end())
    return planned->second;
  return needsContext && fake.contextDepth == 0 ? cudaErrorInvalidContext : cudaSuccess;
}

#define ENTER(symbol, needsContext)                                                                \
  if (CUresult result = enter(#symbol, needsContext); result != cudaSuccess)                       \
  return result

template <class Handle> Handle numbered(int &live) {
  static std::uintptr_t next = 0x1000;
  ++live;
  return reinterpret_cast<Handle>(next += 16);
}

int attributeValue(int attribute) {
  switch (attribute) {
  case maxThreadsPerBlock:
    return 1024;
  case maxGridX:
    return 2147483647;
  case maxGridY:
  case maxGridZ:
    return 65535;
  case maxSharedBytesPerBlockOptin:
    return 232448;
  case multiprocessorCount:
    return 132;
  case maxThreadsPerMultiprocessor:
    return 2048;
  case maxSharedBytesPerMultiprocessor:
    return 228 * 1024;
  case maxRegistersPerMultiprocessor:
    return 65536;
  case maxBlocksPerMultiprocessor:
    return 32;
  case reservedSharedBytesPerBlock:
    return 1024;
  case computeCapabilityMajor:
    return fake.major;
  case computeCapabilityMinor:
    return fake.minor;
  default:
    return 1;
  }
}

void fill(DriverApi &api) {
  api.origin = "fake";
  api.init = [](unsigned) -> CUresult {
    ENTER(cuInit, false);
    return cudaSuccess;
  };
  api.driverGetVersion = [](int *version) -> CUresult {
    *version = 12040;
    return cudaSuccess;
  };
  api.getErrorName = [](CUresult error, const char **text) -> CUresult {
    *text = error == cudaErrorOutOfMemory ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_FAKE";
    return error == 4242 ? cudaErrorInvalidValue : cudaSuccess;
  };
  api.getErrorString = [](CUresult, const char **text) -> CUresult {
    *text = "fake text";
    return cudaSuccess;
  };
  api.deviceGetCount = [](int *count) -> CUresult {
    ENTER(cuDeviceGetCount, false);
    *count = fake.gpuCount;
    return cudaSuccess;
  };
  api.deviceGet = [](CUdevice *device, int ordinal) -> CUresult {
    ENTER(cuDeviceGet, false);
    *device = 100 + ordinal;
    return cudaSuccess;
  };
  api.deviceGetName = [](char *name, int length, CUdevice) -> CUresult {
    std::strncpy(name, fake.deviceName.c_str(), static_cast<std::size_t>(length));
    return cudaSuccess;
  };
  api.deviceGetAttribute = [](int *value, int attribute, CUdevice) -> CUresult {
    *value = attributeValue(attribute);
    return cudaSuccess;
  };
  api.deviceTotalMem = [](std::size_t *bytes, CUdevice) -> CUresult {
    *bytes = fake.totalBytes;
    return cudaSuccess;
  };
  api.primaryCtxRetain = [](CUcontext *context, CUdevice device) -> CUresult {
    ENTER(cuDevicePrimaryCtxRetain, false);
    *context = reinterpret_cast<CUcontext>(static_cast<std::uintptr_t>(device));
    return cudaSuccess;
  };
  api.primaryCtxRelease = [](CUdevice) -> CUresult { return cudaSuccess; };
  api.ctxPushCurrent = [](CUcontext) -> CUresult {
    ENTER(cuCtxPushCurrent, false);
    ++fake.contextDepth;
    return cudaSuccess;
  };
  api.ctxPopCurrent = [](CUcontext *) -> CUresult {
    ENTER(cuCtxPopCurrent, true);
    --fake.contextDepth;
    return cudaSuccess;
  };
  api.ctxSynchronize = []() -> CUresult {
    ENTER(cuCtxSynchronize, true);
    return cudaSuccess;
  };
  api.memAlloc = [](CUdeviceptr *pointer, std::size_t bytes) -> CUresult {
    ENTER(cuMemAlloc, true);
    if (bytes == 0)
      return cudaErrorInvalidValue;
    *pointer = reinterpret_cast<CUdeviceptr>(std::aligned_alloc(256, (bytes + 255) / 256 * 256));
    ++fake.liveAllocations;
    return cudaSuccess;
  };
  api.memFree = [](CUdeviceptr pointer) -> CUresult {
    ENTER(cuMemFree, true);
    std::free(reinterpret_cast<void *>(pointer));
    --fake.liveAllocations;
    return cudaSuccess;
  };
  api.memGetInfo = [](std::size_t *freeBytes, std::size_t *totalBytes) -> CUresult {
    *freeBytes = fake.freeBytes;
    *totalBytes = fake.totalBytes;
    return cudaSuccess;
  };
  api.memcpyHtoD = [](CUdeviceptr destination, const void *source, std::size_t bytes) -> CUresult {
    ENTER(cuMemcpyHtoD, true);
    std::memcpy(reinterpret_cast<void *>(destination), source, bytes);
    return cudaSuccess;
  };
  api.memcpyDtoH = [](void *destination, CUdeviceptr source, std::size_t bytes) -> CUresult {
    ENTER(cuMemcpyDtoH, true);
    std::memcpy(destination, reinterpret_cast<const void *>(source), bytes);
    return cudaSuccess;
  };
  api.memHostAlloc = [](void **pointer, std::size_t bytes, unsigned) -> CUresult {
    ENTER(cuMemHostAlloc, true);
    *pointer = std::malloc(bytes);
    ++fake.livePinned;
    return cudaSuccess;
  };
  api.memFreeHost = [](void *pointer) -> CUresult {
    ENTER(cuMemFreeHost, true);
    std::free(pointer);
    --fake.livePinned;
    return cudaSuccess;
  };
  api.memcpyHtoDAsync = [](CUdeviceptr destination, const void *source, std::size_t bytes,
                           CUstream stream) -> CUresult {
    ENTER(cuMemcpyHtoDAsync, true);
    fake.copyStreams.push_back(stream);
    std::memcpy(reinterpret_cast<void *>(destination), source, bytes);
    return cudaSuccess;
  };
  api.memcpyDtoHAsync = [](void *destination, CUdeviceptr source, std::size_t bytes,
                           CUstream stream) -> CUresult {
    ENTER(cuMemcpyDtoHAsync, true);
    fake.copyStreams.push_back(stream);
    std::memcpy(destination, reinterpret_cast<const void *>(source), bytes);
    return cudaSuccess;
  };
  api.memcpyDtoDAsync = [](CUdeviceptr destination, CUdeviceptr source, std::size_t bytes,
                           CUstream stream) -> CUresult {
    ENTER(cuMemcpyDtoDAsync, true);
    fake.copyStreams.push_back(stream);
    std::memcpy(reinterpret_cast<void *>(destination), reinterpret_cast<const void *>(source),
                bytes);
    return cudaSuccess;
  };
  api.memcpyPeer = [](CUdeviceptr destination, CUcontext to, CUdeviceptr source, CUcontext from,
                      std::size_t bytes) -> CUresult {
    ENTER(cuMemcpyPeer, true);
    fake.peers = {to, from};
    std::memcpy(reinterpret_cast<void *>(destination), reinterpret_cast<const void *>(source),
                bytes);
    return cudaSuccess;
  };
  api.memcpyPeerAsync = [](CUdeviceptr destination, CUcontext to, CUdeviceptr source,
                           CUcontext from, std::size_t bytes, CUstream stream) -> CUresult {
    ENTER(cuMemcpyPeerAsync, true);
    fake.peers = {to, from};
    fake.copyStreams.push_back(stream);
    std::memcpy(reinterpret_cast<void *>(destination), reinterpret_cast<const void *>(source),
                bytes);
    return cudaSuccess;
  };
  api.memsetD8Async = [](CUdeviceptr destination, unsigned char value, std::size_t bytes,
                         CUstream stream) -> CUresult {
    ENTER(cuMemsetD8Async, true);
    fake.copyStreams.push_back(stream);
    std::memset(reinterpret_cast<void *>(destination), value, bytes);
    return cudaSuccess;
  };
  api.moduleLoadDataEx = [](CUmodule *module, const void *, unsigned count, int *options,
                            void **values) -> CUresult {
    for (unsigned i = 0; i < count; ++i) {
      if (options[i] == jitInfoLogBuffer)
        std::strcpy(static_cast<char *>(values[i]), fake.infoLog.c_str());
      if (options[i] == jitErrorLogBuffer)
        std::strcpy(static_cast<char *>(values[i]), fake.errorLog.c_str());
    }
    ENTER(cuModuleLoadDataEx, true);
    *module = numbered<CUmodule>(fake.liveModules);
    return cudaSuccess;
  };
  api.moduleUnload = [](CUmodule) -> CUresult {
    ENTER(cuModuleUnload, true);
    --fake.liveModules;
    return cudaSuccess;
  };
  api.moduleGetFunction = [](CUfunction *function, CUmodule, const char *) -> CUresult {
    ENTER(cuModuleGetFunction, true);
    *function = reinterpret_cast<CUfunction>(std::uintptr_t{0xf});
    return cudaSuccess;
  };
  api.funcGetAttribute = [](int *value, int attribute, CUfunction) -> CUresult {
    auto found = fake.functionAttributes.find(attribute);
    if (found == fake.functionAttributes.end())
      return cudaErrorInvalidValue;
    *value = found->second;
    return cudaSuccess;
  };
  api.funcSetAttribute = [](CUfunction, int attribute, int value) -> CUresult {
    ENTER(cuFuncSetAttribute, true);
    fake.functionAttributes[attribute] = value;
    return cudaSuccess;
  };
  api.occupancyMaxActiveBlocks = [](int *blocks, CUfunction, int threads, std::size_t) -> CUresult {
    ENTER(cuOccupancyMaxActiveBlocksPerMultiprocessor, true);
    *blocks = fake.occupancy;
    fake.occupancyThreads = threads;
    return cudaSuccess;
  };
  api.launchKernel = [](CUfunction, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                        unsigned blockY, unsigned blockZ, unsigned dynamicSharedBytes,
                        CUstream stream, void **parameters, void **) -> CUresult {
    ENTER(cuLaunchKernel, true);
    FakeLaunch launch{
        {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, dynamicSharedBytes, stream, {}};
    for (std::size_t i = 0; i < fake.parameterCount; ++i)
      launch.parameters.push_back(*static_cast<const std::uint64_t *>(parameters[i]));
    fake.launches.push_back(std::move(launch));
    return cudaSuccess;
  };
  api.streamCreate = [](CUstream *stream, unsigned) -> CUresult {
    ENTER(cuStreamCreate, true);
    *stream = numbered<CUstream>(fake.liveStreams);
    return cudaSuccess;
  };
  api.streamDestroy = [](CUstream) -> CUresult {
    ENTER(cuStreamDestroy, true);
    --fake.liveStreams;
    return cudaSuccess;
  };
  api.streamSynchronize = [](CUstream) -> CUresult {
    ENTER(cuStreamSynchronize, true);
    return cudaSuccess;
  };
  api.streamWaitEvent = [](CUstream, CUevent event, unsigned) -> CUresult {
    ENTER(cuStreamWaitEvent, true);
    return event ? cudaSuccess : cudaErrorInvalidHandle;
  };
  api.eventCreate = [](CUevent *event, unsigned) -> CUresult {
    ENTER(cuEventCreate, true);
    *event = numbered<CUevent>(fake.liveEvents);
    return cudaSuccess;
  };
  api.eventRecord = [](CUevent, CUstream) -> CUresult {
    ENTER(cuEventRecord, true);
    return cudaSuccess;
  };
  api.eventQuery = [](CUevent) -> CUresult {
    ENTER(cuEventQuery, true);
    return cudaSuccess;
  };
  api.eventSynchronize = [](CUevent) -> CUresult {
    ENTER(cuEventSynchronize, true);
    return cudaSuccess;
  };
  api.eventElapsedTime = [](float *milliseconds, CUevent, CUevent) -> CUresult {
    ENTER(cuEventElapsedTime, true);
    *milliseconds = 0.25f;
    return cudaSuccess;
  };
  api.eventDestroy = [](CUevent) -> CUresult {
    ENTER(cuEventDestroy, true);
    --fake.liveEvents;
    return cudaSuccess;
  };
}

constexpr SimulatorHooks fakeHooks{
    [] {
      Report report;
      report.warpInstructions = 7;
      return report;
    },
    [] {},
    [] { return std::exchange(nextFault, Finding{}); },
    [](std::uint64_t seed) { fake.warpOrder = seed; },
    [] { return fake.warpOrder; },
};
} // namespace

DriverApi &newFakeApi() {
  static auto &tables = *new std::vector<DriverApi *>;
  tables.push_back(new DriverApi);
  fill(*tables.back());
  return *tables.back();
}

DriverApi &newFakeSimulatorApi() {
  DriverApi &api = newFakeApi();
  api.simulator = &fakeHooks;
  // The software device starts whatever the played driver does.
  api.init = [](unsigned) -> CUresult { return cudaSuccess; };
  return api;
}

Device newFakeDevice() {
  fake = FakeDriver{};
  return Device(detail::openDevice(newFakeApi(), 0));
}

} // namespace trowel::test
