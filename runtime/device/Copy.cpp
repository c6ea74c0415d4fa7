// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of bytes between the host, a device, and two devices. The templates of Buffer.h give
// them a type.
//
// Without a stream, copies from and to the host use the driver's synchronous calls in the default
// stream. They come after all earlier work in streams that Trowel made, since those wait for the
// default stream and it for them, and the host memory may be reused as soon as they return. With a
// stream they are the driver's asynchronous calls: whether the host waits depends on its memory.
// The driver moves page-locked memory by itself; other memory it may first copy to a place of its
// own, or wait. Nothing here keeps the host memory alive: who names a stream says when it is done.
//
// A copy on one device is a launch of the driver's own, and so is a fill. Two devices of one driver
// copy by cuMemcpyPeer, over NVLink or the bus as they are connected. Without a stream that call
// comes after all work of both devices and before all that follows, as a copy in the default stream
// does on one. The software device and a GPU have no path between them but the host, which would
// wait; that is left to the caller to write.
//
// Source and destination that overlap are refused: the driver copies in an order of its own.

#include "runtime/device/RecordLog.h"
#include "trowel/Stream.h"

namespace trowel::detail {

using namespace trowel::driver;

namespace {
CUstream native(const Stream *stream) {
  return stream ? static_cast<CUstream>(stream->native()) : nullptr;
}

void requireStreamOf(const DeviceState &device, const Stream *stream, const char *call) {
  if (stream && &stream->device().state() != &device)
    throw Error(std::string(call) + ": the memory is of " + device.description +
                ", the stream of " + stream->device().describe() +
                "; use a stream of the memory's device");
}

void require(const DeviceState &device, CUresult result, const char *verb, std::size_t bytes,
             const char *rest = "") {
  if (result != cudaSuccess)
    throw deviceError(device, result,
                      std::string(verb) + " " + std::to_string(bytes) + " bytes" + rest);
}

std::string plural(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " element" : " elements");
}
} // namespace

void copyToDevice(DeviceState *device, const Stream *stream, std::uint64_t destination,
                  const void *source, std::size_t bytes) {
  if (bytes == 0)
    return;
  requireStreamOf(*device, stream, "upload");
  CurrentContext current(*device);
  if (stream)
    require(*device, device->api->memcpyHtoDAsync(destination, source, bytes, native(stream)),
            "upload", bytes);
  else
    endWait(*device, device->api->memcpyHtoD(destination, source, bytes), "upload", bytes);
}

void copyToHost(DeviceState *device, const Stream *stream, void *destination, std::uint64_t source,
                std::size_t bytes) {
  if (bytes == 0)
    return;
  requireStreamOf(*device, stream, "download");
  CurrentContext current(*device);
  if (stream)
    require(*device, device->api->memcpyDtoHAsync(destination, source, bytes, native(stream)),
            "download", bytes);
  else
    endWait(*device, device->api->memcpyDtoH(destination, source, bytes), "download", bytes);
}

void copyOnDevice(DeviceState *device, const Stream *stream, std::uint64_t destination,
                  DeviceState *sourceDevice, std::uint64_t source, std::size_t bytes) {
  if (bytes == 0)
    return;
  if (device == sourceDevice) {
    if (destination < source + bytes && source < destination + bytes)
      throw Error(
          "copyFrom: source and destination overlap by " +
          std::to_string(std::min(destination, source) + bytes - std::max(destination, source)) +
          " of " + std::to_string(bytes) + " bytes; copy through another buffer");
    requireStreamOf(*device, stream, "copyFrom");
    CurrentContext current(*device);
    require(*device, device->api->memcpyDtoDAsync(destination, source, bytes, native(stream)),
            "copy", bytes);
    return;
  }
  if (device->api != sourceDevice->api)
    throw Error("copyFrom: the source is on " + sourceDevice->description +
                ", the destination on " + device->description +
                ", and nothing but the host lies between; copy with "
                "destination.upload(source.download())");
  if (stream && &stream->device().state() != sourceDevice)
    requireStreamOf(*device, stream, "copyFrom");
  CurrentContext current(stream ? stream->device().state() : *device);
  CUresult result = stream
                        ? device->api->memcpyPeerAsync(destination, device->context, source,
                                                       sourceDevice->context, bytes, native(stream))
                        : device->api->memcpyPeer(destination, device->context, source,
                                                  sourceDevice->context, bytes);
  require(*device, result, "copy", bytes, (" from " + sourceDevice->description).c_str());
}

void fillDevice(DeviceState *device, const Stream *stream, std::uint64_t destination,
                unsigned char value, std::size_t bytes) {
  if (bytes == 0)
    return;
  requireStreamOf(*device, stream, "fillBytes");
  CurrentContext current(*device);
  require(*device, device->api->memsetD8Async(destination, value, bytes, native(stream)), "fill",
          bytes);
}

void throwHostSize(const char *call, std::size_t bufferElements, std::size_t hostElements) {
  throw Error(std::string(call) + ": the host range has " + std::to_string(hostElements) +
              " elements, the buffer has " + std::to_string(bufferElements) +
              "; they must be equal");
}

void throwSourceSize(std::size_t elements, std::size_t sourceElements) {
  throw Error("copyFrom: the source has " + plural(sourceElements) + ", the destination has " +
              std::to_string(elements) +
              "; they must be equal: copy a part with subspan(first, count)");
}

void throwPartSize(std::size_t first, std::size_t count, std::size_t size) {
  throw Error("a part of " + plural(count) + " from number " + std::to_string(first) +
              " on does not lie within memory of " + plural(size) +
              "; first + count must be at most its size");
}

void throwNoHostMemory(std::size_t elements, std::size_t elementBytes) {
  throw Error("the host has no memory for a vector of " + plural(elements) + " of " +
              std::to_string(elementBytes) + " bytes; copy a part with subspan(first, count)");
}

void throwNoDevice() {
  throw Error("the buffer has no device: it was default-constructed or moved from; make it with "
              "device.allocate<T>(count) or device.upload(values)");
}

} // namespace trowel::detail
