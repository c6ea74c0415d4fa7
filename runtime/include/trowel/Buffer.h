// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of a device, and typed pointers to memory that somebody else owns there.
//
//   Buffer<float> x = device.upload(host);
//   std::vector<float> back = x.download();
#pragma once

#include "trowel/Device.h"

namespace trowel {

namespace detail {

/// Untyped device memory, freed with the object. Memory of 0 bytes has address 0.
class TROWEL_API Allocation {
public:
  Allocation() = default;
  Allocation(const Device &device, std::size_t count, std::size_t elementBytes);
  Allocation(Allocation &&other) noexcept;
  Allocation &operator=(Allocation &&other) noexcept;
  ~Allocation();

  std::uint64_t address() const { return start; }
  std::size_t bytes() const { return length; }
  /// Null for a default-constructed allocation.
  DeviceState *device() const { return owner; }

  void copyFrom(const void *source, std::size_t bytes);
  void copyTo(void *destination, std::size_t bytes) const;
  void fill(unsigned char value);

private:
  void release() noexcept;

  DeviceState *owner = nullptr;
  std::uint64_t start = 0;
  std::size_t length = 0;
};

[[noreturn]] TROWEL_API void throwSizeMismatch(const char *call, std::size_t bufferElements,
                                               std::size_t hostElements);
[[noreturn]] TROWEL_API void throwNoDevice();

} // namespace detail

/// A typed address on a device, not owned: memory of another library, or a part of a Buffer.
///
///   DevicePointer<float> x{reinterpret_cast<std::uint64_t>(tensor.data_ptr()), Device::cuda(0)};
///   k.launch({rows}, x, y.devicePointer() + 1024);
template <class T> struct DevicePointer {
  static_assert(detail::ElementOf<T>::known,
                "DevicePointer<T>: T must be bool, an integer (int8 to int64, uint8 to uint64), "
                "f16, bf16, float or double, "
                "or one of these with const");
  /// The number of bytes behind a pointer of which only the address is known.
  static constexpr std::uint64_t unknownBytes = ~std::uint64_t{0};

  std::uint64_t address;
  Device device;
  /// Bytes from `address` to the end of the memory, where known.
  std::uint64_t bytes = unknownBytes;

  /// The pointer to the element `count` further on.
  DevicePointer operator+(std::int64_t count) const {
    std::int64_t step = count * static_cast<std::int64_t>(sizeof(T));
    DevicePointer moved = *this;
    moved.address += static_cast<std::uint64_t>(step);
    if (bytes != unknownBytes)
      moved.bytes -= static_cast<std::uint64_t>(step);
    return moved;
  }
  operator DevicePointer<const T>() const
    requires(!std::is_const_v<T>)
  {
    return {address, device, bytes};
  }
};

/// Device memory for a number of elements; owned, so it moves and does not copy. A bool takes one
/// byte, 0 or 1. Calls that copy wait for the copy, and for all earlier work on the device.
template <class T> class Buffer {
  static_assert(detail::ElementOf<T>::known && !std::is_const_v<T>,
                "Buffer<T>: T must be bool, an integer (int8 to int64, uint8 to uint64), f16, "
                "bf16, float or double");

public:
  /// A buffer of no elements on no device, to be assigned to.
  Buffer() = default;
  /// Uninitialised memory; `device.allocate<T>(count)` is the usual spelling.
  Buffer(const Device &device, std::size_t count) : memory(device, count, sizeof(T)) {}

  std::size_t size() const { return memory.bytes() / sizeof(T); }
  std::size_t bytes() const { return memory.bytes(); }
  bool empty() const { return memory.bytes() == 0; }
  /// The device address; 0 for an empty buffer.
  std::uint64_t address() const { return memory.address(); }
  /// A pointer to the first element, for launches on a part of the buffer.
  ///
  ///   k.launch({rows}, x.devicePointer() + offset, y);
  ///   DevicePointer<const float> reading = x.devicePointer();
  DevicePointer<T> devicePointer() const { return {address(), device(), memory.bytes()}; }
  Device device() const {
    if (!memory.device())
      detail::throwNoDevice();
    return Device(*memory.device());
  }

  /// Copies the elements to the host. A fault in earlier work is thrown here.
  ///
  ///   std::vector<float> result = y.download();
  ///   y.download(std::span(storage));  // without a new vector
  std::vector<T> download() const {
    if constexpr (std::is_same_v<T, bool>) {
      std::vector<unsigned char> raw(size());
      memory.copyTo(raw.data(), raw.size());
      return std::vector<bool>(raw.begin(), raw.end());
    } else {
      std::vector<T> values(size());
      memory.copyTo(values.data(), values.size() * sizeof(T));
      return values;
    }
  }
  void download(std::span<T> into) const {
    if (into.size() != size())
      detail::throwSizeMismatch("download", size(), into.size());
    memory.copyTo(into.data(), into.size_bytes());
  }

  /// Overwrites all elements with a host range of the same size.
  ///
  ///   x.upload(host);
  ///   flags.upload(std::vector<bool>(flags.size(), true));
  template <class Range>
    requires(std::is_same_v<detail::RangeElement<Range>, T>)
  void upload(const Range &values) {
    if (std::size(values) != size())
      detail::throwSizeMismatch("upload", size(), std::size(values));
    memory.copyFrom(std::data(values), size() * sizeof(T));
  }
  void upload(const std::vector<bool> &values)
    requires(std::is_same_v<T, bool>)
  {
    if (values.size() != size())
      detail::throwSizeMismatch("upload", size(), values.size());
    std::vector<unsigned char> raw(values.begin(), values.end());
    memory.copyFrom(raw.data(), raw.size());
  }

  /// Sets every byte, for instance to a poison that a kernel is then shown to overwrite.
  ///
  ///   y.fillBytes(0xff);  // every float is a NaN
  ///   k.launch({rows}, x, y);
  void fillBytes(unsigned char value) { memory.fill(value); }

private:
  detail::Allocation memory;
};

template <class T> Buffer<T> Device::allocate(std::size_t count) const {
  return Buffer<T>(*this, count);
}

template <class Range>
Buffer<detail::RangeElement<Range>> Device::upload(const Range &values) const {
  Buffer<detail::RangeElement<Range>> buffer(*this, std::size(values));
  buffer.upload(values);
  return buffer;
}

template <class T> Buffer<T> Device::upload(std::initializer_list<T> values) const {
  return upload(std::span<const T>(values.begin(), values.size()));
}

inline Buffer<bool> Device::upload(const std::vector<bool> &values) const {
  Buffer<bool> buffer(*this, values.size());
  buffer.upload(values);
  return buffer;
}

} // namespace trowel
