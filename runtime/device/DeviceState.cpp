// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opens devices and keeps them.
//
// A device is opened once for each driver table and ordinal, and stays open until the process ends:
// its primary context takes the driver 100 ms and more to make, the modules of the kernel cache
// live in it, and handles can then be plain pointers that are valid in any order of static
// destruction. What is given up is a way to release the context earlier; whoever shares the process
// and wants the memory back frees the buffers.
//
// The primary context is the one that the CUDA runtime, and with it every other framework, uses.
// Retaining it and making it current only for the time of a call leaves their state as it was.
//
// A compute capability without a row of its own gets the newest portable target that is not newer,
// because PTX for sm_86 is taken by every later device. Targets that end in "a" are not portable:
// an sm_90a kernel runs on 9.0 alone.

#include "runtime/device/DeviceState.h"

#include "runtime/driver/DriverError.h"

#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

namespace trowel::detail {

using namespace trowel::driver;

namespace {
struct TargetRow {
  int major;
  int minor;
  const char *target;
};
constexpr TargetRow targetRows[] = {
    {8, 0, "sm_80"},  {8, 6, "sm_86"},    {8, 9, "sm_89"},
    {9, 0, "sm_90a"}, {10, 0, "sm_100a"}, {12, 0, "sm_120"},
};

void require(const DriverApi &api, CUresult result, const char *verb, const std::string &what) {
  if (result != cudaSuccess)
    throw driverError(api, result, std::string(verb) + " " + what);
}

std::unique_ptr<DeviceState> open(const DriverApi &api, int ordinal) {
  std::string place = api.simulator ? "the software device" : "cuda:" + std::to_string(ordinal);
  auto state = std::make_unique<DeviceState>();
  state->api = &api;
  state->ordinal = ordinal;
  require(api, api.deviceGet(&state->handle, ordinal), "open", place);

  char name[256] = {};
  require(api, api.deviceGetName(name, sizeof name, state->handle), "ask for the name of", place);
  state->name = name;
  auto attribute = [&](int which) {
    int value = 0;
    require(api, api.deviceGetAttribute(&value, which, state->handle), "ask for a property of",
            place);
    return value;
  };
  int major = attribute(computeCapabilityMajor), minor = attribute(computeCapabilityMinor);
  const char *target = targetForCapability(major, minor);
  if (!target)
    throw Error(state->name + " (" + place + ") has compute capability " + std::to_string(major) +
                "." + std::to_string(minor) +
                "; Trowel needs 8.0 or later: choose another GPU with TROWEL_DEVICE=cuda:N, or the "
                "software device with TROWEL_DEVICE=sim");
  state->target = target;
  state->description =
      state->name + (api.simulator ? " (sim)" : " (" + place + ", " + state->target + ")");

  state->limits.gridX = attribute(maxGridX);
  state->limits.gridY = attribute(maxGridY);
  state->limits.gridZ = attribute(maxGridZ);
  state->limits.threads = attribute(maxThreadsPerBlock);
  state->limits.sharedBytes = attribute(maxSharedBytesPerBlockOptin);
  state->limits.multiprocessors = attribute(multiprocessorCount);
  state->limits.l2Bytes = attribute(l2CacheBytes);
  std::size_t memoryBytes = 0;
  require(api, api.deviceTotalMem(&memoryBytes, state->handle), "ask for the memory of", place);
  state->limits.memoryBytes = static_cast<std::int64_t>(memoryBytes);

  require(api, api.primaryCtxRetain(&state->context, state->handle),
          "retain the primary context of", state->description);
  return state;
}
} // namespace

const char *targetForCapability(int major, int minor) {
  const char *portable = nullptr;
  for (const TargetRow &row : targetRows) {
    if (row.major == major && row.minor == minor)
      return row.target;
    bool isNewer = row.major > major || (row.major == major && row.minor > minor);
    if (!isNewer && !std::string_view(row.target).ends_with('a'))
      portable = row.target;
  }
  return portable;
}

DeviceState &openDevice(const DriverApi &api, int ordinal) {
  static std::mutex mutex;
  static auto &opened = *new std::vector<std::unique_ptr<DeviceState>>;
  std::lock_guard lock(mutex);
  for (const std::unique_ptr<DeviceState> &state : opened)
    if (state->api == &api && state->ordinal == ordinal)
      return *state;
  opened.push_back(open(api, ordinal));
  return *opened.back();
}

CurrentContext::CurrentContext(const DeviceState &device) : api(*device.api) {
  if (CUresult result = api.ctxPushCurrent(device.context); result != cudaSuccess)
    throw deviceError(device, result, "make the context current");
}

CurrentContext::~CurrentContext() {
  CUcontext popped = nullptr;
  api.ctxPopCurrent(&popped);
}

void waitBeforeFreeing(const DeviceState &device) {
  if (!device.api->simulator)
    device.api->ctxSynchronize();
}

std::size_t allocationBytes(std::size_t count, std::size_t elementBytes) {
  if (count > SIZE_MAX / elementBytes)
    throw Error("cannot allocate " + std::to_string(count) + " elements of " +
                std::to_string(elementBytes) + " bytes: that is 2^64 bytes or more");
  return count * elementBytes;
}

Error deviceError(const DeviceState &device, CUresult result, const std::string &attempt,
                  const std::string &kernel, const std::string &detail) {
  return driverError(*device.api, result, attempt + " on " + device.description, kernel, detail);
}

} // namespace trowel::detail
