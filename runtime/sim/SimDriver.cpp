// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The software device behind the driver's interface: the table, the device's properties, its
// memory.
//
// Every row of DriverFunctions.def is a function of the same name in namespace calls; the table
// below is generated from the same rows, so a row without a function does not link. Properties are
// those of a Hopper-class chip, because that is what most kernels are compiled for; the name says
// what it is.
//
// Bad arguments are refused as the real driver refuses them, with a sentence besides (takeFault).

#include "runtime/sim/SimDriver.h"

#include "runtime/sim/AddressSpaces.h"
#include "runtime/sim/SimState.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <new>

namespace trowel::sim {

namespace {

Report currentReport() {
  SimState &state = simState();
  std::lock_guard lock(state.mutex);
  Report report;
  state.totals.fill(report);
  report.findings = state.findings;
  return report;
}

void resetReport() {
  SimState &state = simState();
  std::lock_guard lock(state.mutex);
  state.totals.clear();
  state.findings.clear();
  state.told.clear();
}

void setWarpOrder(std::uint64_t seed) {
  SimState &state = simState();
  std::lock_guard lock(state.mutex);
  state.warpOrder = seed;
}

std::uint64_t warpOrder() {
  SimState &state = simState();
  std::lock_guard lock(state.mutex);
  return state.warpOrder;
}

/// What TROWEL_SIM_SEED asks for; nothing if it is no number.
std::optional<std::uint64_t> warpOrderOfEnvironment() {
  const char *text = std::getenv("TROWEL_SIM_SEED");
  if (!text || *text == '\0')
    return 0;
  std::uint64_t seed = 0;
  const char *end = text + std::strlen(text);
  auto [stop, error] = std::from_chars(text, end, seed);
  return error == std::errc() && stop == end ? std::optional(seed) : std::nullopt;
}

constexpr driver::SimulatorHooks hooks = {currentReport, resetReport, takeFault, setWarpOrder,
                                          warpOrder};

driver::DriverApi makeTable() {
  driver::DriverApi table;
#define TROWEL_DRIVER_FUNCTION(member, symbol, parameters) table.member = calls::member;
#include "runtime/driver/DriverFunctions.def"
  table.origin = "software device";
  table.simulator = &hooks;
  return table;
}

struct AttributeRow {
  int attribute;
  int value;
};
constexpr AttributeRow attributes[] = {
    {driver::maxThreadsPerBlock, 1024},
    {2, 1024}, // block x
    {3, 1024}, // block y
    {4, 64},   // block z
    {driver::maxGridX, 0x7fffffff},
    {driver::maxGridY, 65535},
    {driver::maxGridZ, 65535},
    {driver::maxSharedBytesPerBlock, static_cast<int>(defaultSharedBytesPerBlock)},
    {driver::warpSize, lanesPerWarp},
    {driver::clockRateKilohertz, 1980000},
    {driver::multiprocessorCount, static_cast<int>(multiprocessors)},
    {driver::memoryClockKilohertz, 3201000},
    {driver::memoryBusBits, 6144},
    {driver::l2CacheBytes, 62914560},
    {driver::computeCapabilityMajor, 9},
    {driver::computeCapabilityMinor, 0},
    {driver::maxSharedBytesPerBlockOptin, static_cast<int>(maximumSharedBytesPerBlock)},
    {driver::maxThreadsPerMultiprocessor, 2048},
    {driver::maxSharedBytesPerMultiprocessor, 228 * 1024},
    {driver::maxRegistersPerMultiprocessor, 65536},
    {driver::maxBlocksPerMultiprocessor, 32},
    {driver::reservedSharedBytesPerBlock, 1024},
};

CUresult wrongDevice(int device) {
  return fail(driver::cudaErrorInvalidDevice,
              fmt::format("there is one software device, 0, not {}", device));
}
CUresult nullPointer(const char *what) {
  return fail(driver::cudaErrorInvalidValue, fmt::format("the pointer for {} is null", what));
}

} // namespace

const driver::DriverApi &simulatorDriver() {
  static const driver::DriverApi &table = *new driver::DriverApi(makeTable());
  return table;
}

namespace calls {

CUresult init(unsigned flags) {
  Call call(Call::Nothing);
  if (flags != 0)
    return fail(cudaErrorInvalidValue, "cuInit takes the flags 0");
  if (call.state.memory.totalBytes() == 0)
    return fail(cudaErrorOutOfMemory,
                "the host gives no address space for the software device's memory");
  if (!call.state.initialised) {
    std::optional<std::uint64_t> seed = warpOrderOfEnvironment();
    if (!seed)
      return fail(cudaErrorInvalidValue,
                  fmt::format("TROWEL_SIM_SEED is '{}'; it must be a whole number, 0 for the order "
                              "of warps without a seed",
                              std::getenv("TROWEL_SIM_SEED")));
    call.state.warpOrder = *seed;
  }
  call.state.initialised = true;
  return cudaSuccess;
}

CUresult driverGetVersion(int *version) {
  if (!version)
    return nullPointer("the version");
  *version = 13000;
  return cudaSuccess;
}

CUresult getErrorName(CUresult error, const char **text) {
  if (!text)
    return nullPointer("the name");
  *text = resultName(error);
  return *text ? cudaSuccess : cudaErrorInvalidValue;
}

CUresult getErrorString(CUresult error, const char **text) {
  if (!text)
    return nullPointer("the text");
  *text = resultText(error);
  return *text ? cudaSuccess : cudaErrorInvalidValue;
}

CUresult deviceGetCount(int *count) {
  Call call(Call::Initialised);
  if (!call)
    return call.result;
  if (!count)
    return nullPointer("the count");
  *count = 1;
  return cudaSuccess;
}

CUresult deviceGet(CUdevice *device, int ordinal) {
  Call call(Call::Initialised);
  if (!call)
    return call.result;
  if (!device)
    return nullPointer("the device");
  if (ordinal != 0)
    return wrongDevice(ordinal);
  *device = 0;
  return cudaSuccess;
}

CUresult deviceGetName(char *name, int length, CUdevice device) {
  Call call(Call::Initialised);
  if (!call)
    return call.result;
  if (!name || length <= 0)
    return nullPointer("the name");
  if (device != 0)
    return wrongDevice(device);
  std::strncpy(name, "Trowel software device", static_cast<std::size_t>(length));
  name[length - 1] = '\0';
  return cudaSuccess;
}

CUresult deviceGetAttribute(int *value, int attribute, CUdevice device) {
  Call call(Call::Initialised);
  if (!call)
    return call.result;
  if (!value)
    return nullPointer("the attribute");
  if (device != 0)
    return wrongDevice(device);
  for (const AttributeRow &row : attributes)
    if (row.attribute == attribute) {
      *value = row.value;
      return cudaSuccess;
    }
  return fail(cudaErrorInvalidValue,
              fmt::format("the software device has no attribute {}", attribute));
}

CUresult deviceTotalMem(std::size_t *bytes, CUdevice device) {
  Call call(Call::Initialised);
  if (!call)
    return call.result;
  if (!bytes)
    return nullPointer("the size");
  if (device != 0)
    return wrongDevice(device);
  *bytes = call.state.memory.totalBytes();
  return cudaSuccess;
}

// ---- memory ----

CUresult memAlloc(CUdeviceptr *pointer, std::size_t bytes) {
  Call call(Call::Context);
  if (!call)
    return call.result;
  if (!pointer)
    return nullPointer("the address");
  if (bytes == 0)
    return fail(cudaErrorInvalidValue, "an allocation of 0 bytes");
  const DeviceMemory &memory = call.state.memory;
  std::uint64_t address = call.state.memory.allocate(bytes);
  if (address == 0)
    return fail(cudaErrorOutOfMemory,
                fmt::format("{} bytes do not fit: the software device has {} bytes, {} are in use",
                            bytes, memory.totalBytes(), memory.usedBytes()));
  *pointer = address;
  return cudaSuccess;
}

CUresult memFree(CUdeviceptr pointer) {
  Call call(Call::Context);
  if (!call)
    return call.result;
  if (!call.state.memory.free(pointer))
    return fail(cudaErrorInvalidValue,
                fmt::format("{:#x} is not the start of a buffer of the software device; {}",
                            pointer, call.state.memory.describe(pointer, 1)));
  return cudaSuccess;
}

// Host memory is the process's own and cannot be page-locked by a device that is none; what is kept
// is the set of blocks, so that a stranger's is refused. They are filled with ones as device memory
// is.
CUresult memHostAlloc(void **pointer, std::size_t bytes, unsigned flags) {
  Call call(Call::Context);
  if (!call)
    return call.result;
  if (!pointer)
    return nullPointer("the address");
  if (bytes == 0 || flags > 7)
    return fail(cudaErrorInvalidValue,
                fmt::format("a host allocation of {} bytes with flags {}", bytes, flags));
  std::unique_ptr<std::byte[]> block(new (std::nothrow) std::byte[bytes]);
  if (!block)
    return fail(cudaErrorOutOfMemory, fmt::format("the host has no {} bytes", bytes));
  *pointer = block.get();
  call.state.hostAllocations.emplace(*pointer, std::move(block));
  return cudaSuccess;
}

CUresult memFreeHost(void *pointer) {
  Call call(Call::Context);
  if (!call)
    return call.result;
  if (call.state.hostAllocations.erase(pointer) == 0)
    return fail(cudaErrorInvalidValue,
                fmt::format("{} is not the start of page-locked memory", pointer));
  return cudaSuccess;
}

CUresult memGetInfo(std::size_t *freeBytes, std::size_t *totalBytes) {
  Call call(Call::Context);
  if (!call)
    return call.result;
  if (!freeBytes || !totalBytes)
    return nullPointer("the sizes");
  *totalBytes = call.state.memory.totalBytes();
  *freeBytes = *totalBytes - call.state.memory.usedBytes();
  return cudaSuccess;
}

} // namespace calls

namespace {

/// Checks the device side of a copy.
CUresult checkRange(SimState &state, driver::CUdeviceptr address, std::size_t bytes,
                    const char *does) {
  if (state.memory.contains(address, bytes))
    return driver::cudaSuccess;
  return fail(driver::cudaErrorInvalidValue,
              fmt::format("a copy that {} {} bytes at {:#x} leaves the buffers of the software "
                          "device; {}",
                          does, bytes, address, state.memory.describe(address, bytes)));
}

bool isStream(SimState &state, driver::CUstream stream) {
  // 0, 1 and 2 are the default streams that need no creation.
  return reinterpret_cast<std::uintptr_t>(stream) <= 2 || state.streams.find(stream);
}
CUresult wrongStream() {
  return fail(driver::cudaErrorInvalidHandle, "this is no stream of the software device");
}
CUresult wrongEvent() {
  return fail(driver::cudaErrorInvalidHandle, "this is no event of the software device");
}

CUresult upload(SimState &state, driver::CUdeviceptr destination, const void *source,
                std::size_t bytes) {
  if (bytes == 0)
    return driver::cudaSuccess;
  if (!source)
    return nullPointer("the host's data");
  if (CUresult result = checkRange(state, destination, bytes, "writes"))
    return result;
  if (!state.pendingFault)
    state.memory.write(destination, source, bytes);
  return driver::cudaSuccess;
}

CUresult download(SimState &state, void *destination, driver::CUdeviceptr source,
                  std::size_t bytes) {
  if (bytes == 0)
    return driver::cudaSuccess;
  if (!destination)
    return nullPointer("the host's data");
  if (CUresult result = checkRange(state, source, bytes, "reads"))
    return result;
  if (!state.pendingFault)
    std::memcpy(destination, state.memory.host(source), bytes);
  return driver::cudaSuccess;
}

CUresult copyInMemory(SimState &state, driver::CUdeviceptr destination, driver::CUdeviceptr source,
                      std::size_t bytes) {
  if (bytes == 0)
    return driver::cudaSuccess;
  if (CUresult result = checkRange(state, source, bytes, "reads"))
    return result;
  if (CUresult result = checkRange(state, destination, bytes, "writes"))
    return result;
  if (!state.pendingFault)
    state.memory.copy(destination, source, bytes);
  return driver::cudaSuccess;
}

/// A copy between devices, of which there is one.
CUresult copyBetweenContexts(SimState &state, driver::CUdeviceptr destination,
                             driver::CUcontext destinationContext, driver::CUdeviceptr source,
                             driver::CUcontext sourceContext, std::size_t bytes) {
  for (driver::CUcontext context : {destinationContext, sourceContext})
    if (context != reinterpret_cast<driver::CUcontext>(SimState::contextHandle))
      return fail(driver::cudaErrorInvalidContext, "this is no context of the software device");
  return copyInMemory(state, destination, source, bytes);
}

} // namespace

namespace calls {

CUresult memcpyHtoD(CUdeviceptr destination, const void *source, std::size_t bytes) {
  Call call(Call::Context);
  if (!call)
    return call.result;
  if (CUresult result = reportPending(call.state))
    return result;
  return upload(call.state, destination, source, bytes);
}

CUresult memcpyDtoH(void *destination, CUdeviceptr source, std::size_t bytes) {
  Call call(Call::Context);
  if (!call)
    return call.result;
  if (CUresult result = reportPending(call.state))
    return result;
  return download(call.state, destination, source, bytes);
}

CUresult memcpyHtoDAsync(CUdeviceptr destination, const void *source, std::size_t bytes,
                         CUstream stream) {
  Call call(Call::Context);
  if (!call)
    return call.result;
  if (!isStream(call.state, stream))
    return wrongStream();
  return upload(call.state, destination, source, bytes);
}

CUresult memcpyDtoHAsync(void *destination, CUdeviceptr source, std::size_t bytes,
                         CUstream stream) {
  Call call(Call::Context);
  if (!call)
    return call.result;
  if (!isStream(call.state, stream))
    return wrongStream();
  return download(call.state, destination, source, bytes);
}

CUresult memcpyDtoDAsync(CUdeviceptr destination, CUdeviceptr source, std::size_t bytes,
                         CUstream stream) {
  Call call(Call::Context);
  if (!call)
    return call.result;
  if (!isStream(call.state, stream))
    return wrongStream();
  return copyInMemory(call.state, destination, source, bytes);
}

CUresult memcpyPeer(CUdeviceptr destination, CUcontext destinationContext, CUdeviceptr source,
                    CUcontext sourceContext, std::size_t bytes) {
  Call call(Call::Context);
  if (!call)
    return call.result;
  return copyBetweenContexts(call.state, destination, destinationContext, source, sourceContext,
                             bytes);
}

CUresult memcpyPeerAsync(CUdeviceptr destination, CUcontext destinationContext, CUdeviceptr source,
                         CUcontext sourceContext, std::size_t bytes, CUstream stream) {
  Call call(Call::Context);
  if (!call)
    return call.result;
  if (!isStream(call.state, stream))
    return wrongStream();
  return copyBetweenContexts(call.state, destination, destinationContext, source, sourceContext,
                             bytes);
}

CUresult memsetD8Async(CUdeviceptr destination, unsigned char value, std::size_t bytes,
                       CUstream stream) {
  Call call(Call::Context);
  if (!call)
    return call.result;
  if (!isStream(call.state, stream))
    return wrongStream();
  if (bytes == 0)
    return cudaSuccess;
  if (CUresult result = checkRange(call.state, destination, bytes, "sets"))
    return result;
  if (!call.state.pendingFault)
    call.state.memory.fill(destination, value, bytes);
  return cudaSuccess;
}

// ---- streams and events ----

CUresult streamCreate(CUstream *stream, unsigned flags) {
  Call call(Call::Context);
  if (!call)
    return call.result;
  if (!stream)
    return nullPointer("the stream");
  if (flags > 1)
    return fail(cudaErrorInvalidValue,
                fmt::format("a stream takes the flags 0 or 1, not {}", flags));
  *stream = call.state.streams.add<CUstream>(std::make_unique<Stream>());
  return cudaSuccess;
}

CUresult streamDestroy(CUstream stream) {
  Call call(Call::Context);
  if (!call)
    return call.result;
  return call.state.streams.remove(stream) ? cudaSuccess : wrongStream();
}

CUresult streamSynchronize(CUstream stream) {
  Call call(Call::Context);
  if (!call)
    return call.result;
  return isStream(call.state, stream) ? reportPending(call.state) : wrongStream();
}

CUresult streamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  Call call(Call::Context);
  if (!call)
    return call.result;
  if (!isStream(call.state, stream))
    return wrongStream();
  if (!call.state.events.find(event))
    return wrongEvent();
  // What was recorded has happened: work is done within the call that enqueues it.
  return flags <= 1 ? cudaSuccess
                    : fail(cudaErrorInvalidValue,
                           fmt::format("waiting takes the flags 0 or 1, not {}", flags));
}

CUresult eventCreate(CUevent *event, unsigned flags) {
  Call call(Call::Context);
  if (!call)
    return call.result;
  if (!event)
    return nullPointer("the event");
  *event = call.state.events.add<CUevent>(std::make_unique<Event>());
  return cudaSuccess;
}

CUresult eventRecord(CUevent event, CUstream stream) {
  Call call(Call::Context);
  if (!call)
    return call.result;
  Event *found = call.state.events.find(event);
  if (!found)
    return wrongEvent();
  if (!isStream(call.state, stream))
    return wrongStream();
  found->recorded = std::chrono::steady_clock::now();
  return cudaSuccess;
}

CUresult eventSynchronize(CUevent event) {
  Call call(Call::Context);
  if (!call)
    return call.result;
  return call.state.events.find(event) ? reportPending(call.state) : wrongEvent();
}

CUresult eventQuery(CUevent event) {
  Call call(Call::Context);
  if (!call)
    return call.result;
  return call.state.events.find(event) ? reportPending(call.state) : wrongEvent();
}

CUresult eventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
  Call call(Call::Context);
  if (!call)
    return call.result;
  if (!milliseconds)
    return nullPointer("the time");
  Event *first = call.state.events.find(start), *last = call.state.events.find(end);
  if (!first || !last)
    return wrongEvent();
  if (!first->recorded || !last->recorded)
    return fail(cudaErrorInvalidHandle, "an event that was never recorded has no time");
  *milliseconds =
      std::chrono::duration<float, std::milli>(*last->recorded - *first->recorded).count();
  return cudaSuccess;
}

CUresult eventDestroy(CUevent event) {
  Call call(Call::Context);
  if (!call)
    return call.result;
  return call.state.events.remove(event) ? cudaSuccess : wrongEvent();
}

} // namespace calls

} // namespace trowel::sim
