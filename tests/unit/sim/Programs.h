// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX texts for tests, and a short way to run one without a driver.
#pragma once

#include "runtime/sim/Scheduler.h"
#include "runtime/sim/ptx/Syntax.h"

#include <cstdint>
#include <string>
#include <vector>

namespace trowel::sim {

/// A module with one entry `k` of these parameters and this body. The body has registers %p0-%p7,
/// %h0-%h7, %r0-%r15 and %d0-%d15. Its first line is line 9 of the text.
std::string kernelText(const std::string &parameters, const std::string &body);

/// What LLVM prints for a kernel with a loop, a switch, local memory, inline assembly and line
/// information.
std::string llvmText();

/// Parsed and decoded; fails the test if it cannot be.
Program decoded(const std::string &text);
/// The sentence with which loading fails; empty if it does not.
std::string loadError(const std::string &text);

/// A kernel whose parameters are addresses of u32 buffers.
struct Trial {
  std::array<std::uint32_t, 3> grid{1, 1, 1};
  std::array<std::uint32_t, 3> block{32, 1, 1};
  unsigned hostThreads = 1;
  std::uint64_t instructionLimit = 1 << 20;
  std::uint64_t seed = 0;
  std::vector<std::vector<std::uint32_t>> buffers;
  /// Buffers that are allocated and not written, by their number.
  std::vector<std::size_t> unwritten;
  std::uint32_t dynamicSharedBytes = 0;

  /// Launches and reads the buffers back.
  LaunchOutcome operator()(const Program &program);
};

} // namespace trowel::sim
