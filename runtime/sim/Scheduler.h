// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes a launch: which CTA on which host thread, which warp of a CTA next.
#pragma once

#include "runtime/sim/Findings.h"
#include "runtime/sim/Machine.h"

#include <optional>

namespace trowel::sim {

struct LaunchOutcome {
  /// The fault of the lowest-numbered CTA that had one.
  std::optional<Fault> fault;
  /// Sums over all CTAs; meaningful without a fault.
  LaunchCounters counters;
  /// What did not end the launch: the first use of each load's unwritten bytes, in the order of the
  /// text.
  std::vector<Finding> findings;
};

/// Executes every CTA of the grid. Results, counters and the fault do not depend on the number of
/// host threads. Under a seed (LaunchConfiguration) the fault is the first that came up.
LaunchOutcome launch(const Program &program, const LaunchConfiguration &configuration,
                     DeviceMemory &memory);

} // namespace trowel::sim
