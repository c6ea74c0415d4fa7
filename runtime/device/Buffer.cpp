// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device memory, untyped. The templates of Buffer.h give it a type.
//
// Copies use the driver's synchronous calls in the default stream. They come after all earlier work
// in streams that Trowel made, since those wait for the default stream and it for them, and the
// host memory may be reused as soon as they return.
//
// Memory of no bytes has address 0 and makes no driver call: the driver refuses to allocate
// nothing, while a kernel over no elements is ordinary.
//
// A destructor cannot report; if the driver refuses to free, the context is lost already and the
// next call that can throw says so.

#include "trowel/Buffer.h"

#include "runtime/device/DeviceState.h"

#include <utility>

namespace trowel::detail {

using namespace trowel::driver;

Allocation::Allocation(const Device &device, std::size_t count, std::size_t elementBytes)
    : owner(&device.state()) {
  if (count > SIZE_MAX / elementBytes)
    throw Error("cannot allocate " + std::to_string(count) + " elements of " +
                std::to_string(elementBytes) + " bytes: that is more than 2^64 bytes");
  std::size_t bytes = count * elementBytes;
  if (bytes == 0)
    return;
  CurrentContext current(*owner);
  CUresult result = owner->api->memAlloc(&start, bytes);
  if (result != cudaSuccess) {
    std::string detail;
    std::size_t freeBytes = 0, totalBytes = 0;
    if (result == cudaErrorOutOfMemory &&
        owner->api->memGetInfo(&freeBytes, &totalBytes) == cudaSuccess)
      detail = std::to_string(freeBytes) + " of " + std::to_string(totalBytes) + " bytes are free";
    throw deviceError(*owner, result, "allocate " + std::to_string(bytes) + " bytes", {}, detail);
  }
  length = bytes;
}

Allocation::Allocation(Allocation &&other) noexcept
    : owner(std::exchange(other.owner, nullptr)), start(std::exchange(other.start, 0)),
      length(std::exchange(other.length, 0)) {}

Allocation &Allocation::operator=(Allocation &&other) noexcept {
  if (this != &other) {
    release();
    owner = std::exchange(other.owner, nullptr);
    start = std::exchange(other.start, 0);
    length = std::exchange(other.length, 0);
  }
  return *this;
}

Allocation::~Allocation() { release(); }

void Allocation::release() noexcept {
  if (length == 0)
    return;
  try {
    CurrentContext current(*owner);
    owner->api->memFree(start);
  } catch (const Error &) {
  }
  length = 0;
}

void Allocation::copyFrom(const void *source, std::size_t bytes) {
  if (bytes == 0)
    return;
  CurrentContext current(*owner);
  if (CUresult result = owner->api->memcpyHtoD(start, source, bytes); result != cudaSuccess)
    throw deviceError(*owner, result, "upload " + std::to_string(bytes) + " bytes");
}

void Allocation::copyTo(void *destination, std::size_t bytes) const {
  if (bytes == 0)
    return;
  CurrentContext current(*owner);
  if (CUresult result = owner->api->memcpyDtoH(destination, start, bytes); result != cudaSuccess)
    throw deviceError(*owner, result, "download " + std::to_string(bytes) + " bytes");
}

void Allocation::fill(unsigned char value) {
  if (length == 0)
    return;
  CurrentContext current(*owner);
  if (CUresult result = owner->api->memsetD8Async(start, value, length, nullptr);
      result != cudaSuccess)
    throw deviceError(*owner, result, "fill " + std::to_string(length) + " bytes");
}

void throwSizeMismatch(const char *call, std::size_t bufferElements, std::size_t hostElements) {
  throw Error(std::string(call) + ": the host range has " + std::to_string(hostElements) +
              " elements, the buffer has " + std::to_string(bufferElements) +
              "; they must be equal");
}

void throwNoDevice() {
  throw Error("the buffer has no device: it was default-constructed or moved from; make it with "
              "device.allocate<T>(count) or device.upload(values)");
}

} // namespace trowel::detail
