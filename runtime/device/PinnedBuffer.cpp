// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Page-locked host memory, untyped. The template of PinnedBuffer.h gives it a type.
//
// The memory is of no particular device: the driver maps it for all, so a copy to or from any GPU
// runs at full speed. The device that it is allocated with stands for the driver. It is not
// write-combined, since the host would read it a hundred times slower, and downloads are read.
//
// Freeing waits for the device first, as with device memory: a copy may still be under way. Copies
// that another device makes are not known here; who shares a buffer between devices waits for them.

#include "trowel/PinnedBuffer.h"

#include "runtime/device/DeviceState.h"

#include <utility>

namespace trowel::detail {

using namespace trowel::driver;

PinnedAllocation::PinnedAllocation(const Device &device, std::size_t count,
                                   std::size_t elementBytes, const std::source_location &at)
    : owner(&device.state()) {
  CallSite here(at);
  std::size_t bytes = allocationBytes(count, elementBytes);
  if (bytes == 0)
    return;
  CurrentContext current(*owner);
  if (CUresult result = owner->api->memHostAlloc(&start, bytes, hostAllocPortable);
      result != cudaSuccess)
    throw deviceError(*owner, result,
                      "allocate " + std::to_string(bytes) + " bytes of page-locked host memory");
  length = bytes;
}

PinnedAllocation::PinnedAllocation(PinnedAllocation &&other) noexcept
    : owner(std::exchange(other.owner, nullptr)), start(std::exchange(other.start, nullptr)),
      length(std::exchange(other.length, 0)) {}

PinnedAllocation &PinnedAllocation::operator=(PinnedAllocation &&other) noexcept {
  if (this != &other) {
    release();
    owner = std::exchange(other.owner, nullptr);
    start = std::exchange(other.start, nullptr);
    length = std::exchange(other.length, 0);
  }
  return *this;
}

PinnedAllocation::~PinnedAllocation() { release(); }

DeviceState &PinnedAllocation::device() const {
  if (!owner)
    throw Error("the pinned buffer has no device: it was default-constructed or moved from; make "
                "it with device.allocatePinned<T>(count)");
  return *owner;
}

void PinnedAllocation::release() noexcept {
  if (length == 0)
    return;
  try {
    CurrentContext current(*owner);
    waitBeforeFreeing(*owner);
    owner->api->memFreeHost(start);
  } catch (const Error &) {
  }
  length = 0;
}

} // namespace trowel::detail
