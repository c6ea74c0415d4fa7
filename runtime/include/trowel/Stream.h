// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queues of work on a device, and marks in them that tell the time.
//
//   Stream stream(device);
//   k.launch(stream, {rows}, x, y);
#pragma once

#include "trowel/Device.h"

namespace trowel {

class Event;

/// A queue; work in one stream runs in order. It moves and does not copy. Streams that Trowel
/// creates wait for the device's default stream and it for them, so that uploads and downloads need
/// no further care; a wrapped stream keeps the flags that its owner gave it.
class TROWEL_API Stream {
public:
  /// A new stream, destroyed with this object once its work is done.
  ///
  ///   Stream stream(device);
  ///   k.launch(stream, {rows}, x, y);
  explicit Stream(const Device &device, std::source_location at = std::source_location::current());
  /// The stream that launches use when none is named.
  ///
  ///   Stream stream = Stream::defaultOf(device);
  ///   stream.synchronize();
  static Stream defaultOf(const Device &device);
  /// A stream of the caller's (a CUstream or cudaStream_t), never destroyed here.
  ///
  ///   Stream stream = Stream::wrap(device, c10::cuda::getCurrentCUDAStream().stream());
  ///   k.launch(stream, {rows}, x, y);
  static Stream wrap(const Device &device, void *nativeStream);

  Stream(Stream &&other) noexcept;
  Stream &operator=(Stream &&other) noexcept;
  ~Stream();

  Device device() const { return owner; }
  /// The CUstream; null for the default stream. Throws for a stream that was moved from, as do all
  /// calls that are given one.
  void *native(std::source_location at = std::source_location::current()) const;
  /// Waits for the work in this stream. A fault in it is thrown here.
  ///
  ///   k.launch(stream, {rows}, x, y);
  ///   stream.synchronize();
  void synchronize(std::source_location at = std::source_location::current()) const;
  /// Lets the work that comes later in this stream wait for an event, also one of another device.
  /// The host does not wait. An event that was never recorded counts as passed.
  ///
  ///   copied.record(other);  stream.wait(copied);
  ///   k.launch(stream, {rows}, x, y);
  void wait(const Event &event, std::source_location at = std::source_location::current()) const;

private:
  enum class Kind : unsigned char { NotOwned, Owned, MovedFrom };

  Stream(const Device &device, void *handle, Kind kind)
      : owner(device), handle(handle), kind(kind) {}
  void release() noexcept;

  Device owner;
  void *handle = nullptr;
  Kind kind;
};

/// A mark in a stream; the device writes down the time when it passes the mark.
///
///   Event begin(device), end(device);
///   begin.record(stream);  k.launch(stream, {rows}, x, y);  end.record(stream);
class TROWEL_API Event {
public:
  explicit Event(const Device &device, std::source_location at = std::source_location::current());
  Event(Event &&other) noexcept;
  Event &operator=(Event &&other) noexcept;
  ~Event();

  Device device() const { return owner; }
  void record(const Stream &stream, std::source_location at = std::source_location::current());
  /// Waits until the device has passed the mark. A fault in earlier work is thrown here.
  ///
  ///   end.record(stream);
  ///   end.synchronize();
  void synchronize(std::source_location at = std::source_location::current()) const;
  /// Whether the device has passed the mark, without waiting; true for an event that was never
  /// recorded. A fault in earlier work is thrown here.
  ///
  ///   end.record(stream);
  ///   while (!end.isDone()) std::puts("still at work");
  bool isDone(std::source_location at = std::source_location::current()) const;
  /// The CUevent. Throws for an event that was moved from, as do all calls that are given one.
  void *native(std::source_location at = std::source_location::current()) const;
  /// Time between two marks, both recorded before; waits for them.
  ///
  ///   double time = Event::microseconds(begin, end);
  ///   std::printf("%.1f us\n", time);
  static double microseconds(const Event &begin, const Event &end,
                             std::source_location at = std::source_location::current());

private:
  void release() noexcept;

  Device owner;
  void *handle = nullptr;
  bool recorded = false;
};

} // namespace trowel
