// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel whose parameters are known only at run time: for lists of kernels, tables by name, and
// whatever else must hold kernels of several types.
//
//   std::vector<AnyKernel> steps{scale, fill};
//   steps[0].launch({n / 256}, {x, y, 0.5f});
#pragma once

#include "trowel/Kernel.h"

namespace trowel {

/// What a kernel takes at one place of its argument list: a pointer to elements of `type`
/// (`readOnly` for a Ptr<const T>), an Index, or a scalar of `type`.
using KernelParameter = detail::Parameter;

/// Any Kernel<...>, with its types looked at when it is launched. It shares the kernel's trace and
/// compiled code, and keeps them. May be used by several threads at a time.
class TROWEL_API AnyKernel {
public:
  template <class... Params>
  AnyKernel(const Kernel<Params...> &kernel) : handle(kernel.untyped()) {}

  const std::string &name() const { return handle.name(); }
  /// What it takes, in order.
  ///
  ///   for (const KernelParameter &parameter : any.parameters())
  ///     std::puts(parameter.kind == KernelParameter::Kind::Pointer ? "pointer" : "scalar");
  std::span<const KernelParameter> parameters() const { return handle.parameters(); }

  /// Runs the kernel as Kernel::launch does. A number of arguments or a type that the kernel does
  /// not take is refused, and the message says which argument; an integer parameter and an Index
  /// take any integer that they hold.
  ///
  ///   any.launch({rows}, {x, y, 0.5f});
  ///   any.launch({rows}, std::vector<LaunchArgument>{x, y, 0.5f});
  void launch(Grid grid, std::span<const LaunchArgument> arguments) const {
    start(nullptr, grid, arguments);
  }
  void launch(Grid grid, std::initializer_list<LaunchArgument> arguments) const {
    start(nullptr, grid, {arguments.begin(), arguments.size()});
  }
  /// The same in a stream.
  ///
  ///   any.launch(stream, {rows}, {x, y, 0.5f});
  ///   stream.synchronize();
  void launch(const Stream &stream, Grid grid, std::span<const LaunchArgument> arguments) const {
    start(&stream, grid, arguments);
  }
  void launch(const Stream &stream, Grid grid,
              std::initializer_list<LaunchArgument> arguments) const {
    start(&stream, grid, {arguments.begin(), arguments.size()});
  }

  /// As Kernel::ptx and Kernel::image.
  ///
  ///   std::puts(any.ptx("sm_90a").c_str());
  ///   std::puts(any.ptx("sm_80", Assume::Nothing).c_str());
  std::string ptx(const std::string &target, Assume assume = Assume::Typical,
                  std::source_location at = std::source_location::current()) const {
    detail::CallSite here(at);
    return handle.ptx(target, assume);
  }
  template <class Image = KernelImage>
  Image image(const std::string &target, Assume assume = Assume::Typical,
              std::source_location at = std::source_location::current()) const {
    detail::CallSite here(at);
    Image result;
    handle.image(target, assume, result);
    return result;
  }
  /// As Kernel::stage.
  ///
  ///   std::puts(any.stage("tile", "sm_90a").c_str());
  ///   std::puts(any.stage("llvm", "sm_80", Assume::Nothing).c_str());
  std::string stage(const std::string &stage, const std::string &target,
                    Assume assume = Assume::Typical,
                    std::source_location at = std::source_location::current()) const {
    detail::CallSite here(at);
    return handle.stage(stage, target, assume);
  }
  /// A picture of the layout of every tile that is loaded or stored.
  ///
  ///   std::puts(any.layouts("sm_90a").c_str());
  ///   std::puts(any.layouts("sm_80", Assume::Nothing).c_str());
  std::string layouts(const std::string &target, Assume assume = Assume::Typical,
                      std::source_location at = std::source_location::current()) const {
    detail::CallSite here(at);
    return handle.layouts(target, assume);
  }

  /// For the library itself.
  const detail::KernelHandle &untyped() const { return handle; }

private:
  void start(const Stream *stream, const Grid &grid,
             std::span<const LaunchArgument> arguments) const;

  detail::KernelHandle handle;
};

} // namespace trowel
