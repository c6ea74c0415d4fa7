// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of the arguments of a launch, packed so that two launches compare in nanoseconds.
#pragma once

#include "compiler/Options.h"
#include "trowel/Kernel.h"

#include <array>

namespace trowel::jit {

/// Four bits (compiler::ArgumentFact) for each argument.
class Facts {
public:
  static constexpr std::size_t maxArguments = 512; // 4096 bytes of parameters, 8 bytes each

  /// The facts that hold for these arguments of a kernel with these parameters. At most
  /// maxArguments.
  Facts(std::span<const detail::Parameter> parameters, std::span<const LaunchArgument> arguments);
  /// The facts that an assumption stands for.
  Facts(std::span<const detail::Parameter> parameters, Assume assume);

  bool operator==(const Facts &other) const;
  compiler::ArgumentFacts unpacked() const;
  /// One hexadecimal digit for each argument, as keys and log lines show it.
  std::string text() const;

private:
  static constexpr std::size_t argumentsPerWord = 16;

  void set(std::size_t argument, std::uint8_t bits) {
    words[argument / argumentsPerWord] |= std::uint64_t{bits} << (argument % argumentsPerWord * 4);
  }
  std::size_t wordCount() const { return (count + argumentsPerWord - 1) / argumentsPerWord; }
  void clear();

  std::size_t count;
  // Only the first wordCount() words are set; a launch does not pay for the rest.
  std::array<std::uint64_t, maxArguments / argumentsPerWord> words;
};

} // namespace trowel::jit
