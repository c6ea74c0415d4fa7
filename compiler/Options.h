// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one compilation of a traced kernel is asked for, besides the trace itself.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace trowel::compiler {

/// What is known of one launch argument. The compiler relies on it, so an image is launched only
/// with arguments of which at least the same is true. Pointers and integers share the bits.
enum ArgumentFact : std::uint8_t {
  /// A pointer divisible by 16 bytes; by 8 and not 16; by 4 and not 8. Only where the type of its
  /// elements does not say as much.
  Aligned16 = 1,
  Aligned8 = 2,
  Aligned4 = 4,
  /// An integer divisible by 16; by 8 and not 16 (both bits); by 4 and not 8.
  DivisibleBy16 = 2,
  DivisibleBy8 = 3,
  DivisibleBy4 = 1,
  /// An integer equal to 1.
  EqualsOne = 4,
  /// An integer that fits 32 bits (signed).
  Fits32 = 8,
};

/// What divides a pointer of which that is known, in bytes.
constexpr int alignmentOf(std::int64_t pointerFacts) {
  return pointerFacts & Aligned16  ? 16
         : pointerFacts & Aligned8 ? 8
         : pointerFacts & Aligned4 ? 4
                                   : 1;
}

/// What divides an integer of which that is known.
constexpr int divisorOf(std::int64_t integerFacts) {
  constexpr int divisors[] = {1, 4, 16, 8};
  return divisors[integerFacts & DivisibleBy8];
}

/// A set of ArgumentFact bits for each argument, in their order.
using ArgumentFacts = std::vector<std::uint8_t>;

struct CompileOptions {
  /// PTX target such as "sm_90a".
  std::string target;
  /// Warps of a program; 0 leaves the choice to the compiler.
  int warps = 0;
  /// Elements of a tile that one thread holds; 0 leaves the choice to the compiler.
  int elementsPerThread = 0;
  /// Empty where nothing is known of any argument.
  ArgumentFacts facts;
};

} // namespace trowel::compiler
