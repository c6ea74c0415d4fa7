// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules of the language for single elements, written from its description alone.
//
// Integers are computed as unsigned numbers of 64 bits and cut to their width, so that everything
// wraps; quotients as __int128. f16 and bf16 are computed in double and rounded once. For sums,
// products, quotients and roots that is the correctly rounded result, since a double has more than
// twice the bits; for fma and for integers of 64 bits, whose first rounding could hide a tie from
// the second, the double is rounded to odd: where something was lost, the last bit is set.
//
// A NaN that arithmetic makes may have any bits; it is a quiet one here and compared as a NaN.
#include "tests/support/programs/Elements.h"

#include "tests/support/Comparison.h"

#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <type_traits>

namespace trowel::programs {

namespace {

template <class T> T decode(Bits bits) {
  T value;
  std::memcpy(static_cast<void *>(&value), &bits, sizeof value);
  return value;
}
template <> bool decode<bool>(Bits bits) { return bits != 0; }
template <class T> Bits encode(T value) {
  Bits bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

/// Calls function(T()) with the type of the elements.
template <class Function> auto dispatch(ElementType type, Function function) {
  switch (type) {
  case ElementType::Bool:
    return function(bool{});
  case ElementType::Int8:
    return function(int8{});
  case ElementType::UInt8:
    return function(uint8{});
  case ElementType::Int16:
    return function(int16{});
  case ElementType::UInt16:
    return function(uint16{});
  case ElementType::Int32:
    return function(int32{});
  case ElementType::UInt32:
    return function(uint32{});
  case ElementType::Int64:
    return function(int64{});
  case ElementType::UInt64:
    return function(uint64{});
  case ElementType::Float16:
    return function(f16());
  case ElementType::BFloat16:
    return function(bf16());
  case ElementType::Float32:
    return function(float{});
  case ElementType::Float64:
    return function(double{});
  }
  std::abort();
}

template <class T>
inline constexpr bool isFloat =
    std::is_floating_point_v<T> || std::is_same_v<T, f16> || std::is_same_v<T, bf16>;
template <class T> inline constexpr bool isHalf = std::is_same_v<T, f16> || std::is_same_v<T, bf16>;
/// The type in which the host computes.
template <class T> using Host = std::conditional_t<isHalf<T>, double, T>;

template <class T> T rounded(Host<T> value) {
  if constexpr (std::is_same_v<T, f16>)
    return support::roundToF16(value);
  else if constexpr (std::is_same_v<T, bf16>)
    return support::roundToBf16(value);
  else
    return value;
}

/// The neighbour of `near` with an odd last bit on the side of the lost rest; `near` where nothing
/// was lost.
double roundToOdd(double near, double rest) {
  auto bits = std::bit_cast<std::uint64_t>(near);
  if (rest == 0 || (bits & 1) || !std::isfinite(near) || std::isnan(rest))
    return near;
  return std::nextafter(near, rest > 0 ? INFINITY : -INFINITY);
}

template <class T> T fusedElement(T a, T b, T c) {
  if constexpr (isHalf<T>) {
    double product = static_cast<double>(a) * static_cast<double>(b); // exact
    auto addend = static_cast<double>(c);
    double sum = product + addend;
    double part = sum - product;
    double rest = (product - (sum - part)) + (addend - part); // what the sum lost, exactly
    return rounded<T>(roundToOdd(sum, rest));
  } else {
    return std::fma(a, b, c);
  }
}

double oddDoubleOf(std::int64_t value) {
  auto near = static_cast<double>(value);
  return roundToOdd(
      near, static_cast<double>(static_cast<__int128>(value) - static_cast<__int128>(near)));
}
double oddDoubleOf(std::uint64_t value) {
  auto near = static_cast<double>(value);
  return roundToOdd(
      near, static_cast<double>(static_cast<__int128>(value) - static_cast<__int128>(near)));
}

template <class To, class From> To convertElement(From value) {
  if constexpr (std::is_same_v<To, bool>) {
    return value != From();
  } else if constexpr (isFloat<To>) {
    if constexpr (isHalf<To> && std::is_integral_v<From>) {
      using Wide = std::conditional_t<std::is_signed_v<From>, std::int64_t, std::uint64_t>;
      return rounded<To>(oddDoubleOf(static_cast<Wide>(value)));
    } else if constexpr (isHalf<To>) {
      return rounded<To>(static_cast<double>(value));
    } else {
      return static_cast<To>(value);
    }
  } else if constexpr (isFloat<From>) {
    auto number = std::trunc(static_cast<double>(value));
    if (std::isnan(number))
      return 0;
    // The greatest number may not be a double; the power of two behind it is.
    if (number >= 2.0 * static_cast<double>(std::numeric_limits<To>::max() / 2 + 1))
      return std::numeric_limits<To>::max();
    if (number <= static_cast<double>(std::numeric_limits<To>::min()))
      return std::numeric_limits<To>::min();
    return static_cast<To>(number);
  } else {
    return static_cast<To>(value);
  }
}

/// −0 is less than +0.
template <class H> bool isLess(H a, H b) {
  return a < b || (a == b && std::signbit(a) && !std::signbit(b));
}

template <class T> T floatElement(Op op, T x, T y) {
  Host<T> a = x, b = y;
  switch (op) {
  case Op::Add:
    return rounded<T>(a + b);
  case Op::Subtract:
    return rounded<T>(a - b);
  case Op::Multiply:
    return rounded<T>(a * b);
  case Op::Divide:
    return rounded<T>(a / b);
  case Op::Minimum:
  case Op::Maximum:
    if (std::isnan(a) || std::isnan(b))
      return rounded<T>(std::numeric_limits<Host<T>>::quiet_NaN());
    return isLess(a, b) == (op == Op::Minimum) ? x : y;
  case Op::MinimumNumber:
  case Op::MaximumNumber:
    if (std::isnan(a) || std::isnan(b))
      return std::isnan(a) ? y : x;
    return isLess(a, b) == (op == Op::MinimumNumber) ? x : y;
  default:
    std::abort();
  }
}

template <class T> T integerElement(Op op, T a, T b) {
  auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
  auto wideX = static_cast<__int128>(a), wideY = static_cast<__int128>(b);
  switch (op) {
  case Op::Add:
    return static_cast<T>(x + y);
  case Op::Subtract:
    return static_cast<T>(x - y);
  case Op::Multiply:
    return static_cast<T>(x * y);
  case Op::Divide:
    return b == 0 ? static_cast<T>(~std::uint64_t(0)) : static_cast<T>(wideX / wideY);
  case Op::Remainder:
    return b == 0 ? a : static_cast<T>(wideX % wideY);
  case Op::CeilDivide: {
    if (b == 0)
      return static_cast<T>(~std::uint64_t(0));
    __int128 rest = wideX % wideY;
    return static_cast<T>(wideX / wideY + (rest != 0 && (rest < 0) == (wideY < 0)));
  }
  case Op::And:
    return static_cast<T>(x & y);
  case Op::Or:
    return static_cast<T>(x | y);
  case Op::Xor:
    return static_cast<T>(x ^ y);
  case Op::Minimum:
    return a < b ? a : b;
  case Op::Maximum:
    return a < b ? b : a;
  default:
    std::abort();
  }
}

template <class H> bool compareElement(Op op, H a, H b) {
  switch (op) {
  case Op::Equal:
    return a == b;
  case Op::NotEqual:
    return a != b;
  case Op::Less:
    return a < b;
  case Op::LessEqual:
    return a <= b;
  case Op::Greater:
    return a > b;
  default:
    return a >= b;
  }
}

template <class T> T unaryElement(Op op, T x) {
  if constexpr (std::is_same_v<T, bool>) {
    return !x;
  } else if constexpr (isFloat<T>) {
    if (op == Op::Sqrt)
      return rounded<T>(std::sqrt(static_cast<Host<T>>(x)));
    const Bits sign = Bits(1) << (8 * sizeof(T) - 1);
    Bits bits = encode(x);
    return decode<T>(op == Op::Negate ? bits ^ sign : bits & ~sign);
  } else {
    auto bits = static_cast<std::uint64_t>(x);
    if (op == Op::Complement)
      return static_cast<T>(~bits);
    return op == Op::Negate || x < T(0) ? static_cast<T>(0 - bits) : x;
  }
}

} // namespace

Elements convert(ElementType to, ElementType from, const Elements &values) {
  if (to == from)
    return values;
  Elements results(values.size());
  dispatch(to, [&]<class To>(To) {
    dispatch(from, [&]<class From>(From) {
      for (std::size_t i = 0; i < values.size(); ++i)
        results[i] = encode(convertElement<To>(decode<From>(values[i])));
    });
  });
  return results;
}

Bits elementOf(ElementType type, std::int64_t number) {
  return dispatch(type, [&]<class T>(T) { return encode(convertElement<T>(number)); });
}

Bits elementOf(ElementType type, const HostNumber &number) {
  if (number.kind != HostNumber::Kind::Fraction)
    return elementOf(type, number.integer);
  return dispatch(type, [&]<class T>(T) { return encode(convertElement<T>(number.fraction)); });
}

std::int64_t integerOf(ElementType type, Bits value) {
  return dispatch(type, [&]<class T>(T) -> std::int64_t {
    if constexpr (isFloat<T>)
      std::abort();
    else
      return static_cast<std::int64_t>(decode<T>(value));
  });
}

double numberOf(ElementType type, Bits value) {
  return dispatch(type, [&]<class T>(T) { return static_cast<double>(decode<T>(value)); });
}

bool isNaN(ElementType type, Bits value) {
  return isFloating(type) && std::isnan(numberOf(type, value));
}

Elements applyUnary(Op op, ElementType type, const Elements &a) {
  Elements results(a.size());
  dispatch(type, [&]<class T>(T) {
    for (std::size_t i = 0; i < a.size(); ++i)
      results[i] = encode(unaryElement(op, decode<T>(a[i])));
  });
  return results;
}

Elements applyBinary(Op op, ElementType type, const Elements &a, const Elements &b) {
  Elements results(a.size());
  dispatch(type, [&]<class T>(T) {
    for (std::size_t i = 0; i < a.size(); ++i)
      if constexpr (isFloat<T>)
        results[i] = encode(floatElement(op, decode<T>(a[i]), decode<T>(b[i])));
      else
        results[i] = encode(integerElement(op, decode<T>(a[i]), decode<T>(b[i])));
  });
  return results;
}

Elements applyFma(ElementType type, const Elements &a, const Elements &b, const Elements &c) {
  Elements results(a.size());
  dispatch(type, [&]<class T>(T) {
    if constexpr (isFloat<T>)
      for (std::size_t i = 0; i < a.size(); ++i)
        results[i] = encode(fusedElement(decode<T>(a[i]), decode<T>(b[i]), decode<T>(c[i])));
    else
      std::abort();
  });
  return results;
}

Elements applyComparison(Op op, ElementType type, const Elements &a, const Elements &b) {
  Elements results(a.size());
  dispatch(type, [&]<class T>(T) {
    for (std::size_t i = 0; i < a.size(); ++i)
      results[i] = compareElement<Host<T>>(op, decode<T>(a[i]), decode<T>(b[i]));
  });
  return results;
}

Elements applyShift(Op op, ElementType type, const Elements &a, ElementType countType,
                    const Elements &counts) {
  Elements results(a.size());
  const std::uint64_t width = 8 * static_cast<std::uint64_t>(byteSize(type));
  dispatch(type, [&]<class T>(T) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      // A negative count is a large one.
      auto count = static_cast<std::uint64_t>(integerOf(countType, counts[i]));
      if constexpr (isFloat<T>) {
        std::abort();
      } else {
        T value = decode<T>(a[i]);
        if (op == Op::ShiftLeft)
          value =
              count >= width ? T(0) : static_cast<T>(static_cast<std::uint64_t>(value) << count);
        else if (count >= width)
          value = value < T(0) ? static_cast<T>(-1) : T(0);
        else
          value = static_cast<T>(value >> count);
        results[i] = encode(value);
      }
    }
  });
  return results;
}

double reference(Op op, double a, double b) {
  return op == Op::Exp ? std::exp(a) : op == Op::Tanh ? std::tanh(a) : a / b;
}

} // namespace trowel::programs
