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
[[noreturn]] TROWEL_API void throwNoHostMemory(std::size_t elements, std::size_t elementBytes);

/// The vector that `make` makes of so many elements; where there is no memory for it, an Error.
template <class Make> auto onHost(std::size_t elements, std::size_t elementBytes, Make make) {
  try {
    return make();
  } catch (const std::exception &) {
    throwNoHostMemory(elements, elementBytes);
  }
}

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
  /// The most elements that may lie behind the pointer: none where it has been moved past the end,
  /// as many as 63 bits count bytes of where nothing is known.
  std::size_t mostElements() const {
    constexpr std::uint64_t mostBytes = ~std::uint64_t{0} >> 1;
    std::uint64_t known = bytes == unknownBytes ? mostBytes : bytes > mostBytes ? 0 : bytes;
    return static_cast<std::size_t>(known / sizeof(T));
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
  DeviceSpan(const DevicePointer<T> &pointer, std::size_t count,
             std::source_location at = std::source_location::current())
      : owner(&pointer.device.state()), start(pointer.address), count(count) {
    if (count > pointer.mostElements()) {
      detail::CallSite here(at);
      detail::throwPartSize(0, count, pointer.mostElements());
    }
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
  Device device(std::source_location at = std::source_location::current()) const {
    if (!owner) {
      detail::CallSite here(at);
      detail::throwNoDevice();
    }
    return Device(*owner);
  }
  DevicePointer<T> devicePointer(std::source_location at = std::source_location::current()) const {
    return {start, device(at), bytes()};
  }

  /// The elements `first`, `first + 1`, … `first + count - 1`.
  ///
  ///   k.launch({1}, x.subspan(64, 32), y);
  ///   y.subspan(0, 16).fillBytes(0);
  DeviceSpan subspan(std::size_t first, std::size_t elements,
                     std::source_location at = std::source_location::current()) const {
    if (first > count || elements > count - first) {
      detail::CallSite here(at);
      detail::throwPartSize(first, elements, count);
    }
    DeviceSpan part = *this;
    part.start += first * sizeof(T);
    part.count = elements;
    return part;
  }

  /// Copies the elements to the host and waits, also for earlier work on the device.
  ///
  ///   std::vector<float> head = y.subspan(0, 16).download();
  ///   y.subspan(0, storage.size()).download(std::span(storage));  // without a new vector
  std::vector<Element> download(std::source_location at = std::source_location::current()) const {
    detail::CallSite here(at);
    if constexpr (std::is_same_v<Element, bool>) {
      auto raw = detail::onHost(count, 1, [&] { return std::vector<unsigned char>(count); });
      detail::copyToHost(owner, nullptr, raw.data(), start, count);
      return detail::onHost(count, 1, [&] { return std::vector<bool>(raw.begin(), raw.end()); });
    } else {
      auto values = detail::onHost(count, sizeof(T), [&] { return std::vector<Element>(count); });
      detail::copyToHost(owner, nullptr, values.data(), start, bytes());
      return values;
    }
  }
  void download(std::span<Element> into,
                std::source_location at = std::source_location::current()) const {
    detail::CallSite here(at);
    copyOut(nullptr, into);
  }
  /// The same in a stream; `into` holds the values once the stream is synchronized, and must stay
  /// until then. With a PinnedBuffer the copy overlaps other work, with other memory the call may
  /// wait.
  ///
  ///   y.download(stream, pinned);
  ///   stream.synchronize();
  void download(const Stream &stream, std::span<Element> into,
                std::source_location at = std::source_location::current()) const {
    detail::CallSite here(at);
    copyOut(&stream, into);
  }

  /// Overwrites all elements with a host range of the same size, which may be changed on return.
  ///
  ///   x.subspan(0, host.size()).upload(host);
  ///   flags.upload(std::vector<bool>(flags.size(), true));
  template <class Range>
    requires(writes && detail::HostRange<Range, Element>)
  void upload(const Range &values,
              std::source_location at = std::source_location::current()) const {
    detail::CallSite here(at);
    copyIn(nullptr, std::data(values), std::size(values));
  }
  void upload(const std::vector<bool> &values,
              std::source_location at = std::source_location::current()) const
    requires(std::is_same_v<T, bool>)
  {
    detail::CallSite here(at);
    auto raw = detail::onHost(
        values.size(), 1, [&] { return std::vector<unsigned char>(values.begin(), values.end()); });
    copyIn(nullptr, raw.data(), raw.size());
  }
  /// The same in a stream: the host range must stay as it is until the stream has passed the copy.
  /// With a PinnedBuffer the copy overlaps other work, with other memory the call may wait.
  ///
  ///   x.upload(stream, pinned);
  ///   k.launch(stream, {rows}, x, y);
  template <class Range>
    requires(writes)
  void upload(const Stream &stream, Range &&values,
              std::source_location at = std::source_location::current()) const {
    detail::CallSite here(at);
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
  void copyFrom(DeviceSpan<const Element> source,
                std::source_location at = std::source_location::current()) const
    requires(writes)
  {
    detail::CallSite here(at);
    copyAcross(nullptr, source);
  }
  void copyFrom(const Stream &stream, DeviceSpan<const Element> source,
                std::source_location at = std::source_location::current()) const
    requires(writes)
  {
    detail::CallSite here(at);
    copyAcross(&stream, source);
  }

  /// Sets every byte, for instance to a poison that a kernel is then shown to overwrite. Work on
  /// the device; ordered like a launch.
  ///
  ///   y.fillBytes(0xff);  // every float is a NaN
  ///   y.fillBytes(stream, 0);
  void fillBytes(unsigned char value,
                 std::source_location at = std::source_location::current()) const
    requires(writes)
  {
    detail::CallSite here(at);
    detail::fillDevice(owner, nullptr, start, value, bytes());
  }
  void fillBytes(const Stream &stream, unsigned char value,
                 std::source_location at = std::source_location::current()) const
    requires(writes)
  {
    detail::CallSite here(at);
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
  Allocation(const Device &device, std::size_t count, std::size_t elementBytes,
             const std::source_location &at);
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
  Buffer(const Device &device, std::size_t count,
         std::source_location at = std::source_location::current())
      : memory(device, count, sizeof(T), at) {}

  std::size_t size() const { return memory.bytes() / sizeof(T); }
  std::size_t bytes() const { return memory.bytes(); }
  bool empty() const { return memory.bytes() == 0; }
  /// The device address; 0 for an empty buffer.
  std::uint64_t address() const { return memory.address(); }
  /// A pointer to the first element, for launches on a part of the buffer.
  ///
  ///   k.launch({rows}, x.devicePointer() + offset, y);
  ///   DevicePointer<const float> reading = x.devicePointer();
  DevicePointer<T> devicePointer(std::source_location at = std::source_location::current()) const {
    return {address(), device(at), memory.bytes()};
  }
  Device device(std::source_location at = std::source_location::current()) const {
    if (!memory.device()) {
      detail::CallSite here(at);
      detail::throwNoDevice();
    }
    return Device(*memory.device());
  }

  /// All elements, or `count` of them from the one with number `first` on.
  ///
  ///   x.subspan(0, 512).upload(host);
  ///   k.launch({1}, x.subspan(512, 512), y);
  DeviceSpan<T> span() { return spanOf<T>(); }
  DeviceSpan<const T> span() const { return spanOf<const T>(); }
  DeviceSpan<T> subspan(std::size_t first, std::size_t count,
                        std::source_location at = std::source_location::current()) {
    return span().subspan(first, count, at);
  }
  DeviceSpan<const T> subspan(std::size_t first, std::size_t count,
                              std::source_location at = std::source_location::current()) const {
    return span().subspan(first, count, at);
  }
  operator DeviceSpan<T>() { return span(); }
  operator DeviceSpan<const T>() const { return span(); }

  /// Copies the elements to the host and waits, also for earlier work on the device. A fault in
  /// that work is thrown here.
  ///
  ///   std::vector<float> result = y.download();
  ///   y.download(std::span(storage));  // without a new vector
  std::vector<T> download(std::source_location at = std::source_location::current()) const {
    return span().download(at);
  }
  void download(std::span<T> into,
                std::source_location at = std::source_location::current()) const {
    span().download(into, at);
  }
  /// The same in a stream; `into` holds the values once the stream is synchronized, and must stay
  /// until then. With a PinnedBuffer the copy overlaps other work, with other memory the call may
  /// wait.
  ///
  ///   y.download(stream, pinned);
  ///   stream.synchronize();
  void download(const Stream &stream, std::span<T> into,
                std::source_location at = std::source_location::current()) const {
    span().download(stream, into, at);
  }

  /// Overwrites all elements with a host range of the same size, which may be changed on return.
  ///
  ///   x.upload(host);
  ///   flags.upload(std::vector<bool>(flags.size(), true));
  template <class Range>
    requires(detail::HostRange<Range, T>)
  void upload(const Range &values, std::source_location at = std::source_location::current()) {
    span().upload(values, at);
  }
  void upload(const std::vector<bool> &values,
              std::source_location at = std::source_location::current())
    requires(std::is_same_v<T, bool>)
  {
    span().upload(values, at);
  }
  /// The same in a stream: the host range must stay as it is until the stream has passed the copy.
  /// With a PinnedBuffer the copy overlaps other work, with other memory the call may wait.
  ///
  ///   x.upload(stream, pinned);
  ///   k.launch(stream, {rows}, x, y);
  template <class Range>
  void upload(const Stream &stream, Range &&values,
              std::source_location at = std::source_location::current()) {
    span().upload(stream, std::forward<Range>(values), at);
  }

  /// Overwrites all elements with as many of another buffer, or of a part of one; DeviceSpan
  /// says how copies between devices are ordered.
  ///
  ///   y.copyFrom(x);
  ///   y.copyFrom(stream, x);
  void copyFrom(DeviceSpan<const T> source,
                std::source_location at = std::source_location::current()) {
    span().copyFrom(source, at);
  }
  void copyFrom(const Stream &stream, DeviceSpan<const T> source,
                std::source_location at = std::source_location::current()) {
    span().copyFrom(stream, source, at);
  }

  /// Sets every byte, for instance to a poison that a kernel is then shown to overwrite. Work on
  /// the device; ordered like a launch.
  ///
  ///   y.fillBytes(0xff);  // every float is a NaN
  ///   y.fillBytes(stream, 0);
  void fillBytes(unsigned char value, std::source_location at = std::source_location::current()) {
    span().fillBytes(value, at);
  }
  void fillBytes(const Stream &stream, unsigned char value,
                 std::source_location at = std::source_location::current()) {
    span().fillBytes(stream, value, at);
  }

private:
  template <class U> DeviceSpan<U> spanOf() const {
    return memory.device() ? DeviceSpan<U>(devicePointer(), size()) : DeviceSpan<U>();
  }

  detail::Allocation memory;
};

template <class T> Buffer<T> Device::allocate(std::size_t count, std::source_location at) const {
  return Buffer<T>(*this, count, at);
}

template <class Range>
Buffer<detail::RangeElement<Range>> Device::upload(const Range &values,
                                                   std::source_location at) const {
  Buffer<detail::RangeElement<Range>> buffer(*this, std::size(values), at);
  buffer.upload(values, at);
  return buffer;
}

template <class T>
Buffer<T> Device::upload(std::initializer_list<T> values, std::source_location at) const {
  return upload(std::span<const T>(values.begin(), values.size()), at);
}

inline Buffer<bool> Device::upload(const std::vector<bool> &values, std::source_location at) const {
  Buffer<bool> buffer(*this, values.size(), at);
  buffer.upload(values, at);
  return buffer;
}

} // namespace trowel
