// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element types: their host representations and their names.
#pragma once

#include "trowel/Export.h"

#include <cstdint>
#include <cstring>

namespace trowel {

using int8 = std::int8_t;
using int16 = std::int16_t;
using int32 = std::int32_t;
using int64 = std::int64_t;
using uint8 = std::uint8_t;
using uint16 = std::uint16_t;
using uint32 = std::uint32_t;
using uint64 = std::uint64_t;

/// What a tile, a buffer or a scalar argument is made of, in the order in which types promote: of
/// two types the later one (f16 with bf16 gives float).
enum class ElementType : std::uint8_t {
  Bool,
  Int8,
  UInt8,
  Int16,
  UInt16,
  Int32,
  UInt32,
  Int64,
  UInt64,
  Float16,
  BFloat16,
  Float32,
  Float64
};

/// The short name: "bool", "i8", "u8" … "u64", "f16", "bf16", "f32", "f64".
TROWEL_API const char *name(ElementType type);
/// Bytes of one element in memory; a bool is one byte, 0 or 1.
TROWEL_API int byteSize(ElementType type);

constexpr bool isFloating(ElementType type) { return type >= ElementType::Float16; }
/// An integer of either kind; a bool is none.
constexpr bool isInteger(ElementType type) {
  return type >= ElementType::Int8 && type <= ElementType::UInt64;
}
constexpr bool isUnsigned(ElementType type) {
  return type == ElementType::UInt8 || type == ElementType::UInt16 || type == ElementType::UInt32 ||
         type == ElementType::UInt64;
}

/// bfloat16: 1 sign, 8 exponent and 7 fraction bits.
///
///   bf16 a = bf16(1.5f);      // round to nearest even
///   float b = a;              // exact
struct bf16 {
  std::uint16_t bits = 0;

  bf16() = default;
  /// Rounds to nearest even, once; a NaN stays a (quiet) NaN.
  explicit bf16(float value) {
    std::uint32_t word;
    std::memcpy(&word, &value, sizeof word);
    if ((word & 0x7fffffffu) > 0x7f800000u)
      bits = static_cast<std::uint16_t>((word >> 16) | 0x40u);
    else
      bits = static_cast<std::uint16_t>((word + 0x7fffu + ((word >> 16) & 1u)) >> 16);
  }
  operator float() const {
    std::uint32_t word = static_cast<std::uint32_t>(bits) << 16;
    float value;
    std::memcpy(&value, &word, sizeof value);
    return value;
  }
  static bf16 fromBits(std::uint16_t bits) {
    bf16 result;
    result.bits = bits;
    return result;
  }
};

/// IEEE half precision: 1 sign, 5 exponent and 10 fraction bits; the largest number is 65504.
///
///   f16 a = f16(0.1f);        // round to nearest even
///   float b = a;              // exact
struct f16 {
  std::uint16_t bits = 0;

  f16() = default;
  /// Rounds to nearest even, once; a NaN stays a (quiet) NaN.
  explicit f16(float value) {
    std::uint32_t word;
    std::memcpy(&word, &value, sizeof word);
    std::uint32_t sign = (word >> 16) & 0x8000u, magnitude = word & 0x7fffffffu, half;
    if (magnitude > 0x7f800000u) {
      half = 0x7e00u | ((magnitude >> 13) & 0x3ffu);
    } else if (magnitude >= 0x477ff000u) { // 65520, halfway to 65536, and beyond
      half = 0x7c00u;
    } else if (magnitude < 0x38800000u) { // subnormal: floats next to 0.5 are 2^-24 apart, as these
      float shifted;
      std::memcpy(&shifted, &magnitude, sizeof shifted);
      shifted += 0.5f;
      std::memcpy(&half, &shifted, sizeof half);
      half -= 0x3f000000u;
    } else {
      std::uint32_t rebased = magnitude - (112u << 23);
      half = (rebased + 0xfffu + ((rebased >> 13) & 1u)) >> 13;
    }
    bits = static_cast<std::uint16_t>(sign | half);
  }
  operator float() const {
    std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16,
                  magnitude = bits & 0x7fffu;
    float value;
    if (magnitude < 0x400u) {
      value = static_cast<float>(magnitude) * 0x1p-24f;
      std::uint32_t word;
      std::memcpy(&word, &value, sizeof word);
      word |= sign;
      std::memcpy(&value, &word, sizeof value);
      return value;
    }
    std::uint32_t rebased = (magnitude << 13) + (magnitude >= 0x7c00u ? 224u << 23 : 112u << 23);
    rebased |= sign;
    std::memcpy(&value, &rebased, sizeof value);
    return value;
  }
  static f16 fromBits(std::uint16_t bits) {
    f16 result;
    result.bits = bits;
    return result;
  }
};

namespace detail {
template <class T> struct ElementOf {
  static constexpr bool known = false;
};
template <ElementType type_> struct KnownElement {
  static constexpr bool known = true;
  static constexpr ElementType type = type_;
};
template <ElementType type> struct CppType;

#define TROWEL_ELEMENT(member, cpp)                                                                \
  template <> struct ElementOf<cpp> : KnownElement<ElementType::member> {};                        \
  template <> struct CppType<ElementType::member> {                                                \
    using type = cpp;                                                                              \
  };
TROWEL_ELEMENT(Bool, bool)
TROWEL_ELEMENT(Int8, int8)
TROWEL_ELEMENT(UInt8, uint8)
TROWEL_ELEMENT(Int16, int16)
TROWEL_ELEMENT(UInt16, uint16)
TROWEL_ELEMENT(Int32, int32)
TROWEL_ELEMENT(UInt32, uint32)
TROWEL_ELEMENT(Int64, int64)
TROWEL_ELEMENT(UInt64, uint64)
TROWEL_ELEMENT(Float16, f16)
TROWEL_ELEMENT(BFloat16, bf16)
TROWEL_ELEMENT(Float32, float)
TROWEL_ELEMENT(Float64, double)
#undef TROWEL_ELEMENT
template <class T> struct ElementOf<const T> : ElementOf<T> {};
} // namespace detail

/// The ElementType of a C++ type: elementType<float> is ElementType::Float32.
template <class T>
  requires(detail::ElementOf<T>::known)
inline constexpr ElementType elementType = detail::ElementOf<T>::type;

} // namespace trowel
