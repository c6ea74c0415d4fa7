// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device memory, untyped. The templates of Buffer.h give it a type; Copy.cpp fills it.
//
// Memory of no bytes has address 0 and makes no driver call: the driver refuses to allocate
// nothing, while a kernel over no elements is ordinary.
//
// Freeing waits for the device first. Work that still uses the memory may be under way in any
// stream, also in one that does not wait for the default stream. The driver waits as well where it
// has to, but its documentation promises that only for some kinds of memory, and a buffer that goes
// out of scope after a launch is ordinary code.
//
// A destructor cannot report; if the driver refuses to free, the context is lost already and the
// next call that can throw says so.

#include "trowel/Buffer.h"

#include "runtime/device/DeviceState.h"

#include <utility>

namespace trowel::detail {

using namespace trowel::driver;

Allocation::Allocation(const Device &device, std::size_t count, std::size_t elementBytes,
                       const std::source_location &at)
    : owner(&device.state()) {
  CallSite here(at);
  std::size_t bytes = allocationBytes(count, elementBytes);
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
    waitBeforeFreeing(*owner);
    owner->api->memFree(start);
  } catch (const Error &) {
  }
  length = 0;
}

} // namespace trowel::detail
