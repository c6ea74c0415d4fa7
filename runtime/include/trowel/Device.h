// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The machine that kernels run on: a GPU behind the CUDA driver, or Trowel's software device.
//
//   Device device = Device::best();
//   std::puts(device.describe().c_str());  // NVIDIA H200 (cuda:0, sm_90a)
#pragma once

#include "trowel/Error.h"
#include "trowel/Export.h"
#include "trowel/Printed.h"
#include "trowel/Report.h"
#include "trowel/Types.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace trowel {

template <class T> class Buffer;
template <class T> class PinnedBuffer;
struct Occupancy;

namespace detail {
class DeviceState;
/// A function that takes the lines that kernels print; `object` is its own, or null.
struct PrintSink {
  void *object = nullptr;
  void (*call)(void *object, const Printed &line) = nullptr;
  void (*destroy)(void *object) = nullptr;
};
template <class Range>
using RangeElement =
    std::remove_cv_t<std::remove_pointer_t<decltype(std::data(std::declval<const Range &>()))>>;
} // namespace detail

/// What one launch may ask of a device, and what a tuner wants to know of it.
struct DeviceLimits {
  /// Most programs along each axis of a grid.
  std::int64_t gridX = 0;
  std::int64_t gridY = 0;
  std::int64_t gridZ = 0;
  /// Most threads of one program.
  int threads = 0;
  /// Most bytes of shared memory of one program.
  int sharedBytes = 0;
  int multiprocessors = 0;
  std::int64_t l2Bytes = 0;
  std::int64_t memoryBytes = 0;
};

/// A handle as cheap to copy as a pointer; handles of one GPU are equal. The first handle of a GPU
/// retains its primary context until the process ends. No context is ever created, so another
/// framework in the process shares memory and streams with Trowel.
class TROWEL_API Device {
public:
  /// What TROWEL_DEVICE names ("sim", "cuda", "cuda:N"); without it the first GPU, or the software
  /// device where there is no driver or the driver reports no GPU.
  ///
  ///   Device device = Device::best();
  ///   Buffer<float> x = device.upload(host);
  static Device best(std::source_location at = std::source_location::current());
  /// The GPU with this ordinal.
  ///
  ///   Device first = Device::cuda(0);
  ///   Device second = Device::cuda(1);
  static Device cuda(int ordinal, std::source_location at = std::source_location::current());
  /// The software device, which runs the same PTX on the CPU and counts what it does.
  ///
  ///   Device device = Device::simulator();
  ///   assert(device.isSimulator());
  static Device simulator(std::source_location at = std::source_location::current());

  /// The name that the driver gives: "NVIDIA H200".
  const std::string &name() const;
  /// Name, ordinal and target: "NVIDIA H200 (cuda:0, sm_90a)", "Trowel software device (sim)".
  const std::string &describe() const;
  bool isSimulator() const;
  /// The PTX target that kernels are compiled for here: "sm_90a".
  const std::string &target() const;
  const DeviceLimits &limits() const;

  /// Uninitialised memory for `count` elements.
  ///
  ///   Buffer<float> y = device.allocate<float>(1024);
  ///   Buffer<bool> flags = device.allocate<bool>(0);  // an empty buffer is fine
  template <class T>
  Buffer<T> allocate(std::size_t count,
                     std::source_location at = std::source_location::current()) const;
  /// A new buffer with a copy of a vector, array, span or list.
  ///
  ///   Buffer<float> x = device.upload(std::vector<float>(1024, 1.0f));
  ///   Buffer<int32> i = device.upload({3, 1, 2});
  template <class Range>
  Buffer<detail::RangeElement<Range>>
  upload(const Range &values, std::source_location at = std::source_location::current()) const;
  template <class T>
  Buffer<T> upload(std::initializer_list<T> values,
                   std::source_location at = std::source_location::current()) const;
  /// A std::vector<bool> holds bits; the buffer holds one byte, 0 or 1, for each.
  Buffer<bool> upload(const std::vector<bool> &values,
                      std::source_location at = std::source_location::current()) const;
  /// Uninitialised page-locked memory of the host, for copies that run beside other work.
  ///
  ///   PinnedBuffer<float> staging = device.allocatePinned<float>(1024);
  ///   x.upload(stream, staging);
  template <class T>
  PinnedBuffer<T> allocatePinned(std::size_t count,
                                 std::source_location at = std::source_location::current()) const;

  /// Waits for all work on the device. A fault in earlier work is thrown here.
  ///
  ///   k.launch({rows}, x, y);
  ///   device.synchronize();
  void synchronize(std::source_location at = std::source_location::current()) const;

  /// How many programs of a kernel (a Kernel or an AnyKernel) one multiprocessor holds at a time,
  /// and what limits it; compiles and loads the kernel. `threads` asks about programs of so many
  /// threads, at most those that the code was compiled for; 0 means those.
  ///
  ///   Occupancy use = device.occupancy(scale);
  ///   std::printf("%d programs, limited by %s\n", use.programs, use.limitedBy.c_str());
  template <class AnyKernelType>
  Occupancy occupancy(const AnyKernelType &kernel, int threads = 0,
                      std::source_location at = std::source_location::current()) const;

  /// What the software device counted and found since the last reset; empty on a GPU.
  ///
  ///   device.resetReport();  k.launch({rows}, x, y);
  ///   std::puts(device.report().text().c_str());
  Report report() const;
  void resetReport() const;

  /// On the software device: launches from here on interleave the warps of their programs, and the
  /// programs, in a pseudo-random order that `seed` alone decides; 0 is the order of their numbers.
  /// A kernel whose results differ between seeds has a race. The device starts with
  /// TROWEL_SIM_SEED, or 0. Throws Error on a GPU.
  ///
  ///   device.setWarpOrder(7);
  ///   k.launch({rows}, x, y);
  void setWarpOrder(std::uint64_t seed,
                    std::source_location at = std::source_location::current()) const;
  /// The seed in force; 0 on a GPU.
  std::uint64_t warpOrder() const;

  /// What kernels print on this device goes to `sink`, a function of a `const Printed &`, on the
  /// thread whose call waited; nullptr sends it to the standard output again. Printed.h says when.
  /// What the sink throws passes through the call that waited.
  ///
  ///   std::vector<std::string> lines;
  ///   device.onPrint([&](const Printed &line) { lines.push_back(line.toString()); });
  template <class Sink> void onPrint(Sink sink) const {
    if constexpr (std::is_same_v<Sink, std::nullptr_t>) {
      setPrintSink({});
    } else {
      static_assert(std::is_invocable_v<Sink &, const Printed &>,
                    "onPrint takes a function of a const Printed &, or nullptr");
      setPrintSink({new Sink(std::move(sink)),
                    [](void *object, const Printed &line) { (*static_cast<Sink *>(object))(line); },
                    [](void *object) { delete static_cast<Sink *>(object); }});
    }
  }

  bool operator==(const Device &other) const { return shared == other.shared; }

  /// For the runtime itself: what all handles of this device share. It lives until the process
  /// ends.
  explicit Device(detail::DeviceState &state) : shared(&state) {}
  detail::DeviceState &state() const { return *shared; }

private:
  void setPrintSink(detail::PrintSink sink) const;

  detail::DeviceState *shared;
};

} // namespace trowel

#include "trowel/Buffer.h"
#include "trowel/PinnedBuffer.h"
