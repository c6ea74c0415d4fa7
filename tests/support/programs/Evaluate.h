// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program should leave in its buffers.
#pragma once

#include "tests/support/programs/Elements.h"

#include <optional>

namespace trowel::programs {

/// An element that was computed by a function that is not exact.
struct Approximation {
  double reference;
  std::uint64_t ulps;
  double absolute;
};

struct Memory {
  Elements elements;
  /// Of approximate buffers, beside the elements.
  std::vector<std::optional<Approximation>> approximations;
};

struct Evaluation {
  std::vector<Memory> buffers;
  /// Elements that were computed on the way.
  std::int64_t work = 0;
  /// Why the program is no program: it leaves its bounds or takes too long. Empty where it is one.
  std::string refusal;
};

/// Runs the programs of the grid one after another.
Evaluation evaluate(const Program &program, std::int64_t mostWork = 4'000'000);

} // namespace trowel::programs
