// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of a device: owned, a part of it, or somebody else's behind a typed address.
//
//   Buffer<float> x = device.upload(host);
//   std::vector<float> tail = x.subspan(1000, 24).download();
#pragma once

#include "trowel/Device.h"

namespace trowel {

class Stream;

namespace detail {

// Copies of bytes. Without a stream those from and to the host are finished on return, and the
// others are put into the default stream. Copies of 0 bytes do nothing. Throw trowel::Error.

TROWEL_API void copyToDevice(DeviceState *device, const Stream *stream, std::uint64_t destination,
                             const void *source, std::size_t bytes);
TROWEL_API void copyToHost(DeviceState *device, const Stream *stream, void *destination,
                           std::uint64_t source, std::size_t bytes);
TROWEL_API void copyOnDevice(DeviceState *device, const Stream *stream, std::uint64_t destination,
                             DeviceState *sourceDevice, std::uint64_t source, std::size_t bytes);
TROWEL_API void fillDevice(DeviceState *device, const Stream *stream, std::uint64_t destination,
                           unsigned char value, std::size_t bytes);

[[noreturn]] TROWEL_API void throwHostSize(const char *call, std::size_t bufferElements,
                                           std::size_t hostElements);
[[noreturn]] TROWEL_API void throwSourceSize(std::size_t elements, std::size_t sourceElements);
[[noreturn]] TROWEL_API void throwPartSize(std::size_t first, std::size_t count, std::size_t size);
[[noreturn]] TROWEL_API void throwNoDevice();

/// A contiguous range of T on the host.
template <class Range, class T>
concept HostRange = requires(const Range &values) {
  requires std::is_same_v<RangeElement<Range>, T>;
  std::size(values);
};
/// What an expression of type Range&& refers to is still there after the call.
template <class Range>
inline constexpr bool outlivesTheCall = std::is_lvalue_reference_v<Range> ||
                                        std::ranges::enable_borrowed_range<std::remove_cv_t<Range>>;

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

/// A range of elements on a device, not owned: a Buffer, a part of one, or memory of another
/// library. As with std::span, a const DeviceSpan<T> still writes; a DeviceSpan<const T> does not.
/// Calls that take a stream return before the work is done, and a fault in it is thrown by the next
/// call that waits; the memory on both sides must stay until then.
template <class T> class DeviceSpan {
  static_assert(detail::ElementOf<T>::known,
                "DeviceSpan<T>: T must be bool, an integer (int8 to int64, uint8 to uint64), f16, "
                "bf16, float or double, or one of these with const");
  using Element = std::remove_const_t<T>;
  static constexpr bool writes = !std::is_const_v<T>;

public:
  /// No elements on no device.
  DeviceSpan() = default;
  /// The first `count` elements behind a pointer. Throws where it is known that there are fewer.
  ///
  ///   DeviceSpan<float> part(x.devicePointer() + offset, 16);
  ///   std::vector<float> values = part.download();
  DeviceSpan(const DevicePointer<T> &pointer, std::size_t count)
      : owner(&pointer.device.state()), start(pointer.address), count(count) {
    if (pointer.bytes != DevicePointer<T>::unknownBytes && count > pointer.bytes / sizeof(T))
      detail::throwPartSize(0, count, static_cast<std::size_t>(pointer.bytes / sizeof(T)));
  }
  operator DeviceSpan<const T>() const
    requires(writes)
  {
    return owner ? DeviceSpan<const T>(devicePointer(), count) : DeviceSpan<const T>();
  }

  std::size_t size() const { return count; }
  std::size_t bytes() const { return count * sizeof(T); }
  bool empty() const { return count == 0; }
  std::uint64_t address() const { return start; }
  Device device() const {
    if (!owner)
      detail::throwNoDevice();
    return Device(*owner);
  }
  DevicePointer<T> devicePointer() const { return {start, device(), bytes()}; }

  /// The elements `first`, `first + 1`, … `first + count - 1`.
  ///
  ///   k.launch({1}, x.subspan(64, 32), y);
  ///   y.subspan(0, 16).fillBytes(0);
  DeviceSpan subspan(std::size_t first, std::size_t elements) const {
    if (first > count || elements > count - first)
      detail::throwPartSize(first, elements, count);
    DeviceSpan part = *this;
    part.start += first * sizeof(T);
    part.count = elements;
    return part;
  }

  /// Copies the elements to the host and waits, also for earlier work on the device.
  ///
  ///   std::vector<float> head = y.subspan(0, 16).download();
  ///   y.subspan(0, storage.size()).download(std::span(storage));  // without a new vector
  std::vector<Element> download() const {
    if constexpr (std::is_same_v<Element, bool>) {
      std::vector<unsigned char> raw(count);
      detail::copyToHost(owner, nullptr, raw.data(), start, count);
      return std::vector<bool>(raw.begin(), raw.end());
    } else {
      std::vector<Element> values(count);
      detail::copyToHost(owner, nullptr, values.data(), start, bytes());
      return values;
    }
  }
  void download(std::span<Element> into) const { copyOut(nullptr, into); }
  /// The same in a stream; `into` holds the values once the stream is synchronized, and must stay
  /// until then. With a PinnedBuffer the copy overlaps other work, with other memory the call may
  /// wait.
  ///
  ///   y.download(stream, pinned);
  ///   stream.synchronize();
  void download(const Stream &stream, std::span<Element> into) const { copyOut(&stream, into); }

  /// Overwrites all elements with a host range of the same size, which may be changed on return.
  ///
  ///   x.subspan(0, host.size()).upload(host);
  ///   flags.upload(std::vector<bool>(flags.size(), true));
  template <class Range>
    requires(writes && detail::HostRange<Range, Element>)
  void upload(const Range &values) const {
    copyIn(nullptr, std::data(values), std::size(values));
  }
  void upload(const std::vector<bool> &values) const
    requires(std::is_same_v<T, bool>)
  {
    std::vector<unsigned char> raw(values.begin(), values.end());
    copyIn(nullptr, raw.data(), raw.size());
  }
  /// The same in a stream: the host range must stay as it is until the stream has passed the copy.
  /// With a PinnedBuffer the copy overlaps other work, with other memory the call may wait.
  ///
  ///   x.upload(stream, pinned);
  ///   k.launch(stream, {rows}, x, y);
  template <class Range>
    requires(writes)
  void upload(const Stream &stream, Range &&values) const {
    using Plain = std::remove_cvref_t<Range>;
    static_assert(detail::HostRange<Plain, Element>,
                  "upload(stream, values): values must be contiguous memory of the host (a "
                  "PinnedBuffer, vector, array or span) with the buffer's element type");
    static_assert(detail::outlivesTheCall<Range>,
                  "upload(stream, values): the copy is made later, when these temporary values are "
                  "gone: give them a name and keep them until the stream is synchronized");
    if constexpr (detail::HostRange<Plain, Element> && detail::outlivesTheCall<Range>)
      copyIn(&stream, std::data(values), std::size(values));
  }

  /// Overwrites all elements with as many of the same type on this device or on another of the same
  /// driver. Work on the device; ordered like a launch in the default stream, or in the stream that
  /// is named. Between devices only the named stream knows of the copy: let streams of the other
  /// device wait for an event.
  ///
  ///   y.copyFrom(x);
  ///   y.copyFrom(stream, x);
  void copyFrom(DeviceSpan<const Element> source) const
    requires(writes)
  {
    copyAcross(nullptr, source);
  }
  void copyFrom(const Stream &stream, DeviceSpan<const Element> source) const
    requires(writes)
  {
    copyAcross(&stream, source);
  }

  /// Sets every byte, for instance to a poison that a kernel is then shown to overwrite. Work on
  /// the device; ordered like a launch.
  ///
  ///   y.fillBytes(0xff);  // every float is a NaN
  ///   y.fillBytes(stream, 0);
  void fillBytes(unsigned char value) const
    requires(writes)
  {
    detail::fillDevice(owner, nullptr, start, value, bytes());
  }
  void fillBytes(const Stream &stream, unsigned char value) const
    requires(writes)
  {
    detail::fillDevice(owner, &stream, start, value, bytes());
  }

private:
  void copyOut(const Stream *stream, std::span<Element> into) const {
    if (into.size() != count)
      detail::throwHostSize("download", count, into.size());
    detail::copyToHost(owner, stream, into.data(), start, bytes());
  }
  void copyIn(const Stream *stream, const void *values, std::size_t size) const {
    if (size != count)
      detail::throwHostSize("upload", count, size);
    detail::copyToDevice(owner, stream, start, values, bytes());
  }
  void copyAcross(const Stream *stream, const DeviceSpan<const Element> &source) const {
    if (source.size() != count)
      detail::throwSourceSize(count, source.size());
    if (count != 0)
      detail::copyOnDevice(owner, stream, start, &source.device().state(), source.address(),
                           bytes());
  }

  detail::DeviceState *owner = nullptr;
  std::uint64_t start = 0;
  std::size_t count = 0;
};

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

  /// Overwrites all elements with as many of another buffer, or of a part of one; DeviceSpan
  /// says how copies between devices are ordered.
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
