// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a launch is given: a grid of programs and a list of arguments.
//
//   Grid grid{rows, columns};
//   LaunchArgument x(buffer), n(int64{1000});
#pragma once

#include "trowel/Buffer.h"

#include <source_location>

namespace trowel {

/// The number of programs along each axis. 64-bit, so that a value over a device's limit is
/// reported as it was given; a negative extent is refused at launch, and an extent of 0 runs
/// nothing. It knows the C++ line where it was written, which is the line of what is refused.
///
///   k.launch({rows}, x, y);
///   k.launch({rows, columns, batch}, x, y);
struct Grid {
  std::int64_t x = 1;
  std::int64_t y = 1;
  std::int64_t z = 1;
  std::source_location at;

  template <class X, class Y = int, class Z = int>
    requires(std::is_integral_v<X> && std::is_integral_v<Y> && std::is_integral_v<Z>)
  constexpr Grid(X x, Y y = 1, Z z = 1, std::source_location at = std::source_location::current())
      : x(widen(x)), y(widen(y)), z(widen(z)), at(at) {}

  constexpr bool isEmpty() const { return x == 0 || y == 0 || z == 0; }

private:
  template <class N> static constexpr std::int64_t widen(N value) {
    // An unsigned value beyond int64 is over every limit; it stays so instead of turning negative.
    if constexpr (std::is_unsigned_v<N>)
      return value > 0x7fffffffffffffffull ? 0x7fffffffffffffff : static_cast<std::int64_t>(value);
    else
      return value;
  }
};

/// One argument of a launch, stripped of its C++ type. It refers to the buffer or pointer that it
/// was made from, which must outlive the launch call.
///
///   LaunchArgument n(int64{1000});
///   std::vector<LaunchArgument> arguments{x, y.subspan(0, 512), n, 0.5f};
struct LaunchArgument {
  enum class Kind : std::uint8_t { Pointer, Scalar };

  Kind kind = Kind::Scalar;
  ElementType type = ElementType::Int64;
  /// The pointer's elements may only be read.
  bool constant = false;
  /// The address, or the scalar's bits in the low bytes.
  std::uint64_t bits = 0;
  /// Bytes behind a pointer, ~0 where unknown; 0 allows a null pointer.
  std::uint64_t bytes = 0;
  /// Where a pointer points; null for scalars and for pointers of unknown home.
  detail::DeviceState *device = nullptr;

  LaunchArgument() = default;
  template <class T>
    requires(detail::ElementOf<T>::known)
  LaunchArgument(T value) : type(elementType<T>) {
    std::memcpy(&bits, &value, sizeof value);
  }
  /// The one of `long` and `long long` that is not int64.
  template <class T>
    requires(std::is_integral_v<T> && sizeof(T) == sizeof(int64) && !detail::ElementOf<T>::known)
  LaunchArgument(T value)
      : LaunchArgument(static_cast<std::conditional_t<std::is_signed_v<T>, int64, uint64>>(value)) {
  }
  template <class T>
  LaunchArgument(Buffer<T> &buffer, std::source_location at = std::source_location::current())
      : LaunchArgument(buffer.devicePointer(at)) {}
  template <class T>
  LaunchArgument(const Buffer<T> &buffer, std::source_location at = std::source_location::current())
      : LaunchArgument(DevicePointer<const T>(buffer.devicePointer(at))) {}
  template <class T>
  LaunchArgument(const DeviceSpan<T> &span,
                 std::source_location at = std::source_location::current())
      : LaunchArgument(span.devicePointer(at)) {}
  template <class T>
  LaunchArgument(const DevicePointer<T> &pointer, std::source_location = {})
      : kind(Kind::Pointer), type(elementType<T>), constant(std::is_const_v<T>),
        bits(pointer.address), bytes(pointer.bytes), device(&pointer.device.state()) {}
};

} // namespace trowel
