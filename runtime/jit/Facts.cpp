// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Argument facts.
//
// Whether a warp may load 16 bytes a thread depends on the address and on the row length that a
// launch brings along, and neither is known while tracing. So each launch looks at its arguments: a
// pointer divisible by 16, 8 or 4 bytes, an integer divisible by 16, 8 or 4, equal to 1, or within
// 32 bits. The compiler relies on what held when the variant was compiled, and a launch with other
// facts gets another variant. These facts give few variants in practice: buffers are always
// aligned, and sizes are usually multiples of 16; one that takes every value makes five.
//
// EqualsOne is exclusive with divisors, and 0 is divisible by everything. Fits32 says nothing of an
// int32, which always does.

#include "runtime/jit/Facts.h"

#include <cstring>

namespace trowel::jit {

using compiler::Aligned16;
using compiler::Aligned4;
using compiler::Aligned8;
using compiler::DivisibleBy16;
using compiler::DivisibleBy4;
using compiler::DivisibleBy8;
using compiler::EqualsOne;
using compiler::Fits32;

namespace {

std::uint8_t integerFacts(std::int64_t value) {
  std::uint8_t bits = 0;
  if (value % 16 == 0)
    bits |= DivisibleBy16;
  else if (value % 4 == 0)
    bits |= value % 8 == 0 ? DivisibleBy8 : DivisibleBy4;
  if (value == 1)
    bits |= EqualsOne;
  if (value == static_cast<std::int32_t>(value))
    bits |= Fits32;
  return bits;
}

/// The best that is true of an address, unless its elements have that alignment anyway.
std::uint8_t pointerFacts(std::uint64_t address, int elementBytes) {
  if (address % 16 == 0)
    return Aligned16;
  if (elementBytes < 8 && address % 8 == 0)
    return Aligned8;
  return elementBytes < 4 && address % 4 == 0 ? Aligned4 : 0;
}

/// The facts that are looked for in a scalar argument: in integers that addresses are computed
/// from. Narrower ones are data. That an unsigned one fits 32 bits as a signed number is no common
/// thing, and says nothing of the others of 32 bits.
std::uint8_t factsAskedOf(ElementType type) {
  switch (type) {
  case ElementType::Int32:
  case ElementType::Int64:
  case ElementType::UInt64:
    return DivisibleBy8 | EqualsOne | Fits32; // all bits of divisors
  case ElementType::UInt32:
    return DivisibleBy8 | EqualsOne;
  default:
    return 0;
  }
}

} // namespace

void Facts::clear() {
  for (std::size_t i = 0; i < wordCount(); ++i)
    words[i] = 0;
}

Facts::Facts(std::span<const detail::Parameter> parameters,
             std::span<const LaunchArgument> arguments)
    : count(arguments.size()) {
  clear();
  for (std::size_t i = 0; i < count; ++i) {
    if (parameters[i].kind == detail::Parameter::Kind::Pointer) {
      set(i, pointerFacts(arguments[i].bits, byteSize(parameters[i].type)));
    } else if (std::uint8_t asked = factsAskedOf(parameters[i].type)) {
      bool narrow = parameters[i].type < ElementType::Int64;
      set(i, asked & integerFacts(narrow ? static_cast<std::int32_t>(arguments[i].bits)
                                         : static_cast<std::int64_t>(arguments[i].bits)));
    }
  }
}

Facts::Facts(std::span<const detail::Parameter> parameters, Assume assume)
    : count(parameters.size()) {
  clear();
  if (assume == Assume::Nothing)
    return;
  for (std::size_t i = 0; i < count; ++i)
    set(i, parameters[i].kind == detail::Parameter::Kind::Pointer
               ? Aligned16
               : factsAskedOf(parameters[i].type) & integerFacts(16));
}

bool Facts::operator==(const Facts &other) const {
  return count == other.count &&
         std::memcmp(words.data(), other.words.data(), wordCount() * sizeof(words[0])) == 0;
}

compiler::ArgumentFacts Facts::unpacked() const {
  compiler::ArgumentFacts facts(count);
  for (std::size_t i = 0; i < count; ++i)
    facts[i] = words[i / argumentsPerWord] >> (i % argumentsPerWord * 4) & 0xf;
  return facts;
}

std::string Facts::text() const {
  std::string digits;
  for (std::uint8_t bits : unpacked())
    digits += "0123456789abcdef"[bits];
  return digits;
}

} // namespace trowel::jit
