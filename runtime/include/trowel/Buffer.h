// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of a device, owned.
//
//   Buffer<float> x = device.upload(host);
//   std::vector<float> back = x.download();
#pragma once

#include "trowel/DeviceSpan.h"

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

private:
  void release() noexcept;

  DeviceState *owner = nullptr;
  std::uint64_t start = 0;
  std::size_t length = 0;
};

} // namespace detail

/// Device memory for a number of elements; owned, so it moves and does not copy. A bool takes one
/// byte, 0 or 1. Its destructor waits for the device, so that work in any stream of the device may
/// still use it. Converts to a DeviceSpan, which has the same calls for a part of the buffer.
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

  /// All elements, or `count` of them from the one with number `first` on.
  ///
  ///   x.subspan(0, 512).upload(host);
  ///   k.launch({1}, x.subspan(512, 512), y);
  DeviceSpan<T> span() { return spanOf<T>(); }
  DeviceSpan<const T> span() const { return spanOf<const T>(); }
  DeviceSpan<T> subspan(std::size_t first, std::size_t count) {
    return span().subspan(first, count);
  }
  DeviceSpan<const T> subspan(std::size_t first, std::size_t count) const {
    return span().subspan(first, count);
  }
  operator DeviceSpan<T>() { return span(); }
  operator DeviceSpan<const T>() const { return span(); }

  /// Copies the elements to the host and waits, also for earlier work on the device. A fault in
  /// that work is thrown here.
  ///
  ///   std::vector<float> result = y.download();
  ///   y.download(std::span(storage));  // without a new vector
  std::vector<T> download() const { return span().download(); }
  void download(std::span<T> into) const { span().download(into); }
  /// The same in a stream; `into` holds the values once the stream is synchronized, and must stay
  /// until then. With a PinnedBuffer the copy overlaps other work, with other memory the call may
  /// wait.
  ///
  ///   y.download(stream, pinned);
  ///   stream.synchronize();
  void download(const Stream &stream, std::span<T> into) const { span().download(stream, into); }

  /// Overwrites all elements with a host range of the same size, which may be changed on return.
  ///
  ///   x.upload(host);
  ///   flags.upload(std::vector<bool>(flags.size(), true));
  template <class Range>
    requires(detail::HostRange<Range, T>)
  void upload(const Range &values) {
    span().upload(values);
  }
  void upload(const std::vector<bool> &values)
    requires(std::is_same_v<T, bool>)
  {
    span().upload(values);
  }
  /// The same in a stream: the host range must stay as it is until the stream has passed the copy.
  /// With a PinnedBuffer the copy overlaps other work, with other memory the call may wait.
  ///
  ///   x.upload(stream, pinned);
  ///   k.launch(stream, {rows}, x, y);
  template <class Range> void upload(const Stream &stream, Range &&values) {
    span().upload(stream, std::forward<Range>(values));
  }

  /// Overwrites all elements with as many of another buffer, or of a part of one; DeviceSpan.h says
  /// how copies between devices are ordered.
  ///
  ///   y.copyFrom(x);
  ///   y.copyFrom(stream, x);
  void copyFrom(DeviceSpan<const T> source) { span().copyFrom(source); }
  void copyFrom(const Stream &stream, DeviceSpan<const T> source) {
    span().copyFrom(stream, source);
  }

  /// Sets every byte, for instance to a poison that a kernel is then shown to overwrite. Work on
  /// the device; ordered like a launch.
  ///
  ///   y.fillBytes(0xff);  // every float is a NaN
  ///   y.fillBytes(stream, 0);
  void fillBytes(unsigned char value) { span().fillBytes(value); }
  void fillBytes(const Stream &stream, unsigned char value) { span().fillBytes(stream, value); }

private:
  template <class U> DeviceSpan<U> spanOf() const {
    return memory.device() ? DeviceSpan<U>(devicePointer(), size()) : DeviceSpan<U>();
  }

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
