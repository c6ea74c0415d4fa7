// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same launch under several orders of warps.
#pragma once

#include "Session.h"

#include <cstdint>

namespace trowel::run {

/// The seeds first, first + 1, … of the orders in which a launch is repeated.
struct Schedules {
  std::uint64_t first = 0;
  std::uint64_t count = 1;
};

/// Launches the entry under each order with the same inputs, and leaves the buffers as the first
/// order made them in `arguments`. Says in a sentence what is wrong with the first order that finds
/// something, or whose results differ from those of the first order; empty if none does. Throws
/// trowel::Error where the launch is impossible in any order.
std::string runSchedules(const Device &device, const PtxFile &file, const ChosenEntry &entry,
                         const LaunchShape &shape, const Schedules &schedules,
                         std::vector<Argument> &arguments);

} // namespace trowel::run
