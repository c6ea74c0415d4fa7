// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types that opcodes and declarations name.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace trowel::sim::ptx {

enum class Type : std::uint8_t {
  Pred,
  B8,
  B16,
  B32,
  B64,
  B128,
  U8,
  U16,
  U32,
  U64,
  S8,
  S16,
  S32,
  S64,
  F16,
  F16x2,
  BF16,
  BF16x2,
  F32,
  F64,
  U16x2,
  S16x2,
};

/// The type that a modifier such as "s32" names.
std::optional<Type> parseType(std::string_view name);
/// "s32".
std::string_view name(Type type);
/// Bits of a register of this type; 1 for a predicate.
unsigned bitWidth(Type type);
bool isSigned(Type type);
bool isFloat(Type type);
/// b8 to b128: bits without a meaning.
bool isUntyped(Type type);

} // namespace trowel::sim::ptx
