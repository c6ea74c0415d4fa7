// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that was compiled elsewhere: PTX, and the lines in it that say how it is launched. It
// needs libtrowel_runtime alone, no compiler.
//
//   PtxKernel scale = PtxKernel::fromFile(Device::best(), "scale.ptx");
//   scale.launch({rows}, x, y, 0.5f);
#pragma once

#include "trowel/Launch.h"
#include "trowel/Stream.h"

namespace trowel {

/// PTX that one device has loaded. It moves and does not copy; launches under way end before it
/// is unloaded. May be launched by several threads at a time.
class TROWEL_API PtxKernel {
public:
  /// Loads PTX with its manifest, the lines that begin with "// trowel:", as `Kernel::ptx` and
  /// `trowel-dump --stage=ptx` write it. Throws trowel::Error for PTX without a manifest or with
  /// another kernel's, and for PTX that the device refuses.
  ///
  ///   PtxKernel scale(device, text);
  ///   std::puts(scale.name().c_str());
  PtxKernel(const Device &device, const std::string &ptx,
            std::source_location at = std::source_location::current());
  /// The same from a file, which the errors name.
  ///
  ///   PtxKernel scale = PtxKernel::fromFile(device, "scale.ptx");
  ///   scale.launch({rows}, x, y, 0.5f);
  static PtxKernel fromFile(const Device &device, const std::string &path,
                            std::source_location at = std::source_location::current());

  PtxKernel(PtxKernel &&other) noexcept;
  PtxKernel &operator=(PtxKernel &&other) noexcept;
  ~PtxKernel();

  /// The name that its author gave it.
  const std::string &name(std::source_location at = std::source_location::current()) const;
  Device device(std::source_location at = std::source_location::current()) const;

  /// Runs the kernel once for each program of the grid, on the device's default stream, and
  /// returns before it has run. Nothing but the manifest knows the parameters, so arguments are
  /// checked when this is called: their number, and for each its type exactly (an Index is an
  /// int64), its device, and what the code relies on. Throws trowel::Error.
  ///
  ///   scale.launch({rows}, x, y, 0.5f);
  ///   scale.launch({rows}, x.devicePointer() + offset, y, 0.5f);
  template <class... Args> void launch(const Grid &grid, Args &&...args) const {
    launch(Stream::defaultOf(device(grid.at)), grid, args...);
  }
  /// The same in a stream of that device.
  ///
  ///   Stream stream(device);
  ///   scale.launch(stream, {rows}, x, y, 0.5f);
  template <class... Args>
  void launch(const Stream &stream, const Grid &grid, Args &&...args) const {
    detail::CallSite here(grid.at);
    const LaunchArgument arguments[sizeof...(Args) + 1] = {LaunchArgument(args)...};
    start(stream, grid, std::span<const LaunchArgument>(arguments, sizeof...(Args)));
  }

private:
  void start(const Stream &stream, const Grid &grid,
             std::span<const LaunchArgument> arguments) const;

  struct Loaded;
  const Loaded &held() const;

  Loaded *loaded;
};

} // namespace trowel
