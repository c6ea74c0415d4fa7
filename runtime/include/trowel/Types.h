// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element types: their host representations and their names.
#pragma once

#include "trowel/Export.h"

#include <cstdint>
#include <cstring>

namespace trowel {

using int32 = std::int32_t;
using int64 = std::int64_t;

/// What a tile, a buffer or a scalar argument is made of.
enum class ElementType : std::uint8_t { Bool, Int32, Int64, BFloat16, Float32 };

/// The short name: "bool", "i32", "i64", "bf16", "f32".
TROWEL_API const char *name(ElementType type);
/// Bytes of one element in memory; a bool is one byte, 0 or 1.
TROWEL_API int byteSize(ElementType type);

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

namespace detail {
template <class T> struct ElementOf {
  static constexpr bool known = false;
};
template <ElementType type_> struct KnownElement {
  static constexpr bool known = true;
  static constexpr ElementType type = type_;
};
template <> struct ElementOf<bool> : KnownElement<ElementType::Bool> {};
template <> struct ElementOf<int32> : KnownElement<ElementType::Int32> {};
template <> struct ElementOf<int64> : KnownElement<ElementType::Int64> {};
template <> struct ElementOf<bf16> : KnownElement<ElementType::BFloat16> {};
template <> struct ElementOf<float> : KnownElement<ElementType::Float32> {};
template <class T> struct ElementOf<const T> : ElementOf<T> {};
} // namespace detail

/// The ElementType of a C++ type: elementType<float> is ElementType::Float32.
template <class T>
  requires(detail::ElementOf<T>::known)
inline constexpr ElementType elementType = detail::ElementOf<T>::type;

} // namespace trowel
