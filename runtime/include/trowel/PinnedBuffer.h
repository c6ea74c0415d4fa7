// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Page-locked memory of the host, which a device copies from and to while other work runs.
//
//   PinnedBuffer<float> pinned = device.allocatePinned<float>(1024);
//   x.upload(stream, pinned);
#pragma once

#include "trowel/Device.h"

namespace trowel {

namespace detail {

/// Untyped page-locked host memory, freed with the object. Memory of 0 bytes is null.
class TROWEL_API PinnedAllocation {
public:
  PinnedAllocation() = default;
  PinnedAllocation(const Device &device, std::size_t count, std::size_t elementBytes,
                   const std::source_location &at);
  PinnedAllocation(PinnedAllocation &&other) noexcept;
  PinnedAllocation &operator=(PinnedAllocation &&other) noexcept;
  ~PinnedAllocation();

  void *data() const { return start; }
  std::size_t bytes() const { return length; }
  /// Throws trowel::Error where there is none.
  DeviceState &device() const;

private:
  void release() noexcept;

  DeviceState *owner = nullptr;
  void *start = nullptr;
  std::size_t length = 0;
};

} // namespace detail

/// Host memory that stays in place, so that copies in a stream run beside the host and beside
/// kernels of other streams; with pageable memory, such as a vector's, they may make the call wait.
/// A contiguous range that the host reads and writes like an array, owned: it moves and does not
/// copy. Its destructor waits for the device, so that copies may be under way. Page-locked memory
/// is taken from all other programs: allocate it once and use it again.
template <class T> class PinnedBuffer {
  static_assert(
      detail::ElementOf<T>::known && !std::is_const_v<T>,
      "PinnedBuffer<T>: T must be bool, an integer (int8 to int64, uint8 to uint64), f16, "
      "bf16, float or double");

public:
  /// A buffer of no elements, to be assigned to.
  PinnedBuffer() = default;
  /// Uninitialised memory; `device.allocatePinned<T>(count)` is the usual spelling.
  PinnedBuffer(const Device &device, std::size_t count,
               std::source_location at = std::source_location::current())
      : memory(device, count, sizeof(T), at) {}

  /// The elements, as of a std::span; an index is not checked.
  ///
  ///   pinned[0] = 1.0f;
  ///   for (float &value : pinned) value *= 2.0f;
  T *data() { return static_cast<T *>(memory.data()); }
  const T *data() const { return static_cast<const T *>(memory.data()); }
  std::size_t size() const { return memory.bytes() / sizeof(T); }
  std::size_t bytes() const { return memory.bytes(); }
  bool empty() const { return memory.bytes() == 0; }
  T *begin() { return data(); }
  T *end() { return data() + size(); }
  const T *begin() const { return data(); }
  const T *end() const { return data() + size(); }
  T &operator[](std::size_t index) { return data()[index]; }
  const T &operator[](std::size_t index) const { return data()[index]; }

  Device device(std::source_location at = std::source_location::current()) const {
    detail::CallSite here(at);
    return Device(memory.device());
  }

private:
  detail::PinnedAllocation memory;
};

template <class T>
PinnedBuffer<T> Device::allocatePinned(std::size_t count, std::source_location at) const {
  return PinnedBuffer<T>(*this, count, at);
}

} // namespace trowel
