// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of a kernel's values: Tile<T>, Scalar<T>, Index, Ptr<T> and Tile<Ptr<T>>.
//
//   Index row = programId(0);
//   Tile<int32> column = iota(block);
//   Tile<float> v = load(x + row * columns + column, column < columns);
//
// All are thin shells over the number of a value in the trace that is being recorded. They copy,
// move and assign like the numbers that they stand for, and exist only while a kernel is traced.
#pragma once

#include "trowel/Operators.h"

namespace trowel {

namespace detail {
struct NoOperators {};
template <class T, class Self>
using BoolOperatorsOf = std::conditional_t<std::same_as<T, bool>, BoolOperators<Self>, NoOperators>;
} // namespace detail

/// One number of a program, known on the device: a parameter, a load through a Ptr, or computed
/// from other scalars; what a tile of no axes would be. T is bool, an integer (int8 to int64, uint8
/// to uint64), f16, bf16, float or double.
///
///   Scalar<float> s = load(scales + programId(0));
///   Tile<float> scaled = v * s;
template <class T>
class Scalar : public detail::Variable,
               public detail::NumberOperators<Scalar<T>>,
               public detail::BoolOperatorsOf<T, Scalar<T>> {
  static_assert(detail::ElementOf<T>::known && !std::is_const_v<T>,
                "Scalar<T>: T must be bool, an integer (int8 to int64, uint8 to uint64), f16, "
                "bf16, float or double");

public:
  using Element = T;

  /// Unset: it must be assigned to before it is read.
  Scalar() = default;
  /// A number of the host; one that T cannot hold is refused.
  template <detail::AnyHost N>
  Scalar(N value, std::source_location at = std::source_location::current())
      : Variable(detail::scalar(elementType<T>, detail::operandOf(value, at), at)) {
    static_assert(isFloating(elementType<T>) ||
                      !std::same_as<detail::KindOf<N>, detail::HostFraction>,
                  "a fraction does not fit an integer scalar: use Scalar<float>, or convert it");
  }
  Scalar(const detail::Negated<Scalar> &value,
         std::source_location at = std::source_location::current())
      : Variable(detail::locate(value.read(), at)) {}
  explicit Scalar(detail::Value value) : Variable(value) {}
  Scalar(const Scalar &) = default;
  Scalar(Scalar &&) noexcept = default;
  Scalar &operator=(const Scalar &) & = default;
  Scalar &operator=(Scalar &&) & noexcept = default;
};

/// A 64-bit integer for positions and extents; what program ids are, and what size parameters
/// should be. The compiler computes in 32 bits where it can prove that this gives the same.
///
///   Index row = programId(0);
///   Index start = row * columns;
class Index : public detail::Variable, public detail::NumberOperators<Index> {
public:
  using Element = int64;

  /// Unset: it must be assigned to before it is read.
  Index() = default;
  template <class N>
    requires(std::same_as<detail::KindOf<N>, detail::HostInteger>)
  Index(N value, std::source_location at = std::source_location::current())
      : Variable(detail::scalar(ElementType::Int64, detail::operandOf(value, at), at)) {}
  /// Any integer scalar whose numbers an int64 holds.
  template <class T>
    requires(isInteger(elementType<T>) && !std::same_as<T, uint64>)
  Index(const Scalar<T> &value, std::source_location at = std::source_location::current())
      : Variable(detail::convert(ElementType::Int64, detail::operandOf(value, at), at)) {}
  explicit Index(detail::Value value) : Variable(value) {}
  Index(const Index &) = default;
  Index(Index &&) noexcept = default;
  Index &operator=(const Index &) & = default;
  Index &operator=(Index &&) & noexcept = default;

  operator Scalar<int64>() const { return Scalar<int64>(copy()); }
};

/// A block of elements of one type, spread over the threads of a program. The shape is known while
/// tracing; the elements only on the device.
///
///   Tile<float> sum = a + b;                    // shapes broadcast as in NumPy
///   Tile<bool> big = abs(sum) > 1.0f;
template <class T>
class Tile : public detail::Variable,
             public detail::NumberOperators<Tile<T>>,
             public detail::BoolOperatorsOf<T, Tile<T>> {
  static_assert(detail::ElementOf<T>::known && !std::is_const_v<T>,
                "Tile<T>: T must be bool, an integer (int8 to int64, uint8 to uint64), f16, bf16, "
                "float or double, or "
                "Ptr<T> for a tile of pointers");

public:
  using Element = T;

  /// Unset: it must be assigned to before it is read.
  Tile() = default;
  Tile(const detail::Negated<Tile> &value,
       std::source_location at = std::source_location::current())
      : Variable(detail::locate(value.read(), at)) {}
  explicit Tile(detail::Value value) : Variable(value) {}
  Tile(const Tile &) = default;
  Tile(Tile &&) noexcept = default;
  Tile &operator=(const Tile &) & = default;
  Tile &operator=(Tile &&) & noexcept = default;

  int rank(std::source_location at = std::source_location::current()) const {
    return detail::rankOf(read(), at);
  }
  std::int64_t extent(Axis axis, std::source_location at = std::source_location::current()) const {
    return detail::extentOf(read(), axis, at);
  }
  template <detail::AnyHost N> auto extent(N) const {
    static_assert(detail::alwaysFalse<N>, "an axis is written Axis{1}, never as a number alone");
  }
  template <class N> auto operator[](const N &) const {
    static_assert(detail::alwaysFalse<N>,
                  "a tile's elements are spread over the threads of a program, so none is read "
                  "alone: choose with where(iota(n) == i, v, 0), or store the tile and load from "
                  "memory");
  }
};

/// The address of elements in the device's memory, as a kernel's parameter gives it. Arithmetic
/// counts elements. A Ptr<const T> is only loaded from.
///
///   Ptr<const float> rowStart = x + row * columns;
///   Tile<Ptr<const float>> each = rowStart + iota(block);
template <class T> class Ptr : public detail::Variable, public detail::PointerOperators<Ptr<T>> {
  static_assert(detail::ElementOf<T>::known, "Ptr<T>: T must be bool, an integer (int8 to int64, "
                                             "uint8 to uint64), f16, bf16, float or double, or "
                                             "one of these with const");

public:
  using Element = T;

  /// Unset: it must be assigned to before it is read.
  Ptr() = default;
  explicit Ptr(detail::Value value) : Variable(value) {}
  Ptr(const Ptr &) = default;
  Ptr(Ptr &&) noexcept = default;
  Ptr &operator=(const Ptr &) & = default;
  Ptr &operator=(Ptr &&) & noexcept = default;
  operator Ptr<const T>() const
    requires(!std::is_const_v<T>)
  {
    return Ptr<const T>(copy());
  }
};

/// A tile of addresses, for gathers, scatters and masked rows.
///
///   Tile<Ptr<float>> p = y + iota(block);
///   store(p, load(p) * 2.0f);
template <class T>
class Tile<Ptr<T>> : public detail::Variable, public detail::PointerOperators<Tile<Ptr<T>>> {
public:
  using Element = Ptr<T>;

  /// Unset: it must be assigned to before it is read.
  Tile() = default;
  explicit Tile(detail::Value value) : Variable(value) {}
  Tile(const Tile &) = default;
  Tile(Tile &&) noexcept = default;
  Tile &operator=(const Tile &) & = default;
  Tile &operator=(Tile &&) & noexcept = default;
  operator Tile<Ptr<const T>>() const
    requires(!std::is_const_v<T>)
  {
    return Tile<Ptr<const T>>(copy());
  }

  int rank(std::source_location at = std::source_location::current()) const {
    return detail::rankOf(read(), at);
  }
  std::int64_t extent(Axis axis, std::source_location at = std::source_location::current()) const {
    return detail::extentOf(read(), axis, at);
  }
  template <detail::AnyHost N> auto extent(N) const {
    static_assert(detail::alwaysFalse<N>, "an axis is written Axis{1}, never as a number alone");
  }
};

namespace detail {
template <class T> struct OperandKind<Tile<T>> {
  using type = Tile<T>;
};
template <class T> struct OperandKind<Scalar<T>> {
  using type = Scalar<T>;
};
template <> struct OperandKind<Index> {
  using type = Index;
};
template <class T> struct OperandKind<Ptr<T>> {
  using type = Ptr<T>;
};
template <class Self> struct OperandKind<Negated<Self>> {
  using type = Self;
};
} // namespace detail

} // namespace trowel
