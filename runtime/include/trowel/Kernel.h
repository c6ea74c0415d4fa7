// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel: a C++ lambda that is traced once, compiled for each device that it meets, and launched.
//
//   auto scale = kernel("scale", [=](Ptr<const float> x, Ptr<float> y, Scalar<float> factor) {
//     Tile<int32> i = iota(256);
//     store(y + programId(0) * 256 + i, load(x + programId(0) * 256 + i) * factor);
//   });
//   scale.launch({n / 256}, x, y, 0.5f);
#pragma once

#include "trowel/KernelSource.h"
#include "trowel/Launch.h"
#include "trowel/Occupancy.h"
#include "trowel/Stream.h"

namespace trowel {

struct KernelImage;

/// What a compilation without launch arguments takes for granted of them.
enum class Assume : std::uint8_t {
  /// Pointers are multiples of 16 bytes, integers are multiples of 16 and fit 32 bits: the code of
  /// the common launch. The manifest says so, and other launches of the image are refused.
  Typical,
  /// Nothing: one image for every launch, with narrower memory accesses.
  Nothing,
};

namespace detail {

class KernelState;

/// The untyped half of a Kernel. Copies share one trace and one set of compiled variants.
class TROWEL_API KernelHandle {
public:
  explicit KernelHandle(KernelSource source);
  KernelHandle(const KernelHandle &other) noexcept;
  KernelHandle &operator=(const KernelHandle &other) noexcept;
  ~KernelHandle();

  const std::string &name() const;
  std::span<const Parameter> parameters() const;
  std::string ptx(const std::string &target, Assume assume) const;
  void image(const std::string &target, Assume assume, KernelImage &result) const;
  /// The kernel as text after a stage: "tile", "layout", "llvm-dialect", "llvm" or "ptx".
  std::string stage(const std::string &stage, const std::string &target, Assume assume) const;
  /// A picture of the layout of every tile that is loaded or stored.
  std::string layouts(const std::string &target, Assume assume) const;
  Occupancy occupancy(const Device &device, int threads) const;
  /// A null stream means the default stream of the arguments' device.
  void launch(const Stream *stream, const Grid &grid,
              std::span<const LaunchArgument> arguments) const;

private:
  KernelState *shared;
};

[[noreturn]] TROWEL_API void throwIndexTooLarge(std::uint64_t value, const Grid &grid);
[[noreturn]] TROWEL_API void throwNegative(std::int64_t value, ElementType type, const Grid &grid);

template <class T> inline constexpr bool isBuffer = false;
template <class T> inline constexpr bool isBuffer<Buffer<T>> = true;
template <class T> inline constexpr bool isDevicePointer = false;
template <class T> inline constexpr bool isDevicePointer<DevicePointer<T>> = true;
template <class T> inline constexpr bool isDeviceSpan = false;
template <class T> inline constexpr bool isDeviceSpan<DeviceSpan<T>> = true;

/// How a parameter takes a launch argument of the C++ type A; the grid has the line of the launch.
template <class Param> struct ArgumentFor;

template <class T> struct ArgumentFor<Ptr<T>> {
  template <class A> static LaunchArgument make(A &argument, const Grid &grid) {
    using Plain = std::remove_cv_t<A>;
    static_assert(
        isBuffer<Plain> || isDevicePointer<Plain> || isDeviceSpan<Plain>,
        "launch: a Ptr<T> parameter takes a Buffer<T> (or a part of one) or a DevicePointer<T>; "
        "memory of the host goes through device.upload, an address through "
        "DevicePointer<T>{address, device}");
    if constexpr (isBuffer<Plain>) {
      static_assert(std::same_as<decltype(elementOf(argument)), std::remove_const_t<T>>,
                    "launch: the buffer's element type differs from the Ptr<T> parameter's T");
      static_assert(
          std::is_const_v<T> || !std::is_const_v<A>,
          "launch: a Ptr<T> parameter writes, and this Buffer is const: make it a Ptr<const "
          "T> or pass a Buffer that is not const");
    } else if constexpr (isDevicePointer<Plain>) {
      static_assert(
          std::same_as<decltype(elementOf(argument)), std::remove_const_t<T>>,
          "launch: the DevicePointer's element type differs from the Ptr<T> parameter's T");
      static_assert(
          std::is_const_v<T> || !pointsToConstElements(static_cast<Plain *>(nullptr)),
          "launch: a Ptr<T> parameter writes, and this DevicePointer is to const elements: "
          "make it a Ptr<const T> or pass a pointer that is not const");
    } else if constexpr (isDeviceSpan<Plain>) {
      static_assert(std::same_as<decltype(elementOf(argument)), std::remove_const_t<T>>,
                    "launch: the DeviceSpan's element type differs from the Ptr<T> parameter's T");
      static_assert(std::is_const_v<T> || !pointsToConstElements(static_cast<Plain *>(nullptr)),
                    "launch: a Ptr<T> parameter writes, and this DeviceSpan is of const elements "
                    "(a part of a const Buffer?): make it a Ptr<const T> or pass one that is not "
                    "const");
    }
    return LaunchArgument(argument, grid.at);
  }

private:
  template <class U> static U elementOf(const Buffer<U> &);
  template <class U> static std::remove_const_t<U> elementOf(const DevicePointer<U> &);
  template <class U> static std::remove_const_t<U> elementOf(const DeviceSpan<U> &);
  static LaunchArgument elementOf(...);
  template <class U> static constexpr bool pointsToConstElements(DevicePointer<U> *) {
    return std::is_const_v<U>;
  }
  template <class U> static constexpr bool pointsToConstElements(DeviceSpan<U> *) {
    return std::is_const_v<U>;
  }
};

template <> struct ArgumentFor<Index> {
  template <class A> static LaunchArgument make(A &argument, const Grid &grid) {
    static_assert(std::integral<A> && !std::same_as<std::remove_cv_t<A>, bool>,
                  "launch: an Index parameter takes an integer");
    if constexpr (std::is_unsigned_v<A> && sizeof(A) == sizeof(int64)) {
      if (argument >> 63) [[unlikely]]
        throwIndexTooLarge(argument, grid);
    }
    return LaunchArgument(static_cast<int64>(argument));
  }
};

template <class T> struct ArgumentFor<Scalar<T>> {
  template <class A> static constexpr bool holds() {
    if constexpr (std::same_as<A, T>)
      return true;
    else if constexpr (std::integral<A> && std::integral<T>)
      return !std::same_as<A, bool> && !std::same_as<T, bool> &&
             (sizeof(A) < sizeof(T) || (std::is_signed_v<A> && sizeof(A) == sizeof(T)));
    else
      return false;
  }
  template <class A> static LaunchArgument make(A &argument, const Grid &grid) {
    static_assert(
        holds<std::remove_cv_t<A>>(),
        "launch: a Scalar<T> parameter takes a T (an integer one takes any integer type that "
        "T holds): convert the argument, as in 0.5f or static_cast<float>(x)");
    if constexpr (std::is_unsigned_v<T> && std::is_signed_v<A>) {
      if (argument < 0) [[unlikely]]
        throwNegative(argument, elementType<T>, grid);
    }
    return LaunchArgument(static_cast<T>(argument));
  }
};

} // namespace detail

/// A kernel whose launch arguments are checked by the C++ compiler. Made by `kernel`; copies share
/// their trace and compiled code. May be used by several threads at a time.
template <class... Params> class Kernel {
public:
  explicit Kernel(detail::KernelSource source) : handle(std::move(source)) {}

  /// The name that the kernel has in profilers and in PTX.
  ///
  ///   auto k = kernel("scale", body);
  ///   assert(k.name() == "scale");
  const std::string &name() const { return handle.name(); }

  /// Runs the kernel once for each program of the grid, on the device of its buffers and on that
  /// device's default stream. Returns before it has run; a download waits for it.
  ///
  ///   k.launch({rows}, x, y, columns);
  ///   k.launch({columns / 64, rows}, x, y, columns);
  template <class... Args> void launch(Grid grid, Args &&...args) const {
    start(nullptr, grid, args...);
  }
  /// The same in a stream.
  ///
  ///   Stream stream(device);
  ///   k.launch(stream, {rows}, x, y, columns);
  template <class... Args> void launch(const Stream &stream, Grid grid, Args &&...args) const {
    start(&stream, grid, args...);
  }

  /// The PTX for a target, with its manifest as comments, so that `trowel-run` can run the text.
  ///
  ///   std::puts(k.ptx("sm_90a").c_str());
  ///   std::puts(k.ptx("sm_80", Assume::Nothing).c_str());
  std::string ptx(const std::string &target, Assume assume = Assume::Typical,
                  std::source_location at = std::source_location::current()) const {
    detail::CallSite here(at);
    return handle.ptx(target, assume);
  }
  /// PTX and manifest apart, for programs of the source tree: KernelImage is declared in
  /// runtime/base/KernelImage.h, which is not installed. `ptx` has both in one text.
  ///
  ///   KernelImage image = k.image("sm_90a");
  ///   std::printf("%d threads\n", image.manifest.threads);
  template <class Image = KernelImage>
  Image image(const std::string &target, Assume assume = Assume::Typical,
              std::source_location at = std::source_location::current()) const {
    detail::CallSite here(at);
    Image result;
    handle.image(target, assume, result);
    return result;
  }

  /// The kernel as text after a stage: "tile", "layout", "llvm-dialect", "llvm" or "ptx".
  /// TROWEL_DUMP=DIR writes all of them for each kernel that a program compiles.
  ///
  ///   std::puts(k.stage("tile", "sm_90a").c_str());
  ///   std::puts(k.stage("llvm", "sm_80", Assume::Nothing).c_str());
  std::string stage(const std::string &stage, const std::string &target,
                    Assume assume = Assume::Typical,
                    std::source_location at = std::source_location::current()) const {
    detail::CallSite here(at);
    return handle.stage(stage, target, assume);
  }

  /// For the library itself; AnyKernel is the kernel without its argument types.
  const detail::KernelHandle &untyped() const { return handle; }

private:
  template <class... Args> void start(const Stream *stream, const Grid &grid, Args &...args) const {
    constexpr bool rightCount = sizeof...(Args) == sizeof...(Params);
    static_assert(rightCount, "launch: the number of arguments differs from the number of the "
                              "kernel's parameters");
    if constexpr (rightCount) {
      LaunchArgument arguments[sizeof...(Params) + 1] = {
          detail::ArgumentFor<Params>::make(args, grid)...};
      handle.launch(stream, grid, std::span<const LaunchArgument>(arguments, sizeof...(Params)));
    }
  }

  detail::KernelHandle handle;
};

template <class AnyKernelType>
Occupancy Device::occupancy(const AnyKernelType &kernel, int threads,
                            std::source_location at) const {
  detail::CallSite here(at);
  return kernel.untyped().occupancy(*this, threads);
}

namespace detail {
template <class List> struct KernelTypeOf;
template <class... Params> struct KernelTypeOf<ParameterList<Params...>> {
  using type = Kernel<Params...>;
};
} // namespace detail

/// Makes a kernel of a lambda. The parameters (Ptr<T>, Index, Scalar<T>) are what differs from
/// launch to launch; everything that the lambda captures is a constant of the trace. The name must
/// be an identifier. Nothing is traced before the first use.
///
///   auto k = kernel("fill", [=](Ptr<float> y) { store(y + iota(block), 1.0f); });
///   auto l = kernel("fill8", body, Options{.warps = 8});
template <class Lambda>
auto kernel(std::string name, Lambda lambda, Options options = {},
            std::source_location at = std::source_location::current()) {
  if constexpr (detail::checkLambda<Lambda>())
    return typename detail::KernelTypeOf<typename detail::CallSignature<Lambda>::List>::type(
        detail::makeSource(std::move(name), std::move(lambda), options, at));
}

} // namespace trowel
